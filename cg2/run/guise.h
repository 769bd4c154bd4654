/* The name that the tool was started by.
 *
 * Valgrind runs the file that is called after --tool=NAME. Where that file is
 * cg2 under the name callgrind-..., `valgrind --tool=callgrind` runs cg2: for
 * scripts and programs that know no other name. cg2 is then as Callgrind in all
 * that they parse: names of files, what is said at the start, --L2. */
#ifndef CG2_GUISE_H
#define CG2_GUISE_H

#include "base/vg.h"

/* Finds out the name, and sets the defaults that go with it. Is called before
 * options are read. */
void cg2_guise_take(void);

/* The name: cg2 or callgrind. */
const HChar* cg2_guise_name(void);

/* Whether an option is one of Callgrind's for debugging that asks for nothing,
 * and the name is callgrind. */
Bool cg2_guise_ignores(const HChar* arg);

/* Whether the name is callgrind. */
Bool cg2_guise_is_callgrind(void);

/* Says at the start what Callgrind says. */
void cg2_guise_greet(void);

#endif
