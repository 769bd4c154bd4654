/* The command line, to each module's configuration. */
#ifndef CG2_OPTIONS_H
#define CG2_OPTIONS_H

#include "base/vg.h"

/* Takes one option; False if it is none of cg2's. */
Bool cg2_options_take(const HChar* arg);
/* After the last option: what goes together, what Valgrind must do. */
void cg2_options_finish(void);
void cg2_options_print_usage(void);
void cg2_options_print_debug_usage(void);

#endif
