/* Usage: what `valgrind --tool=cg2 --help` says about the options of cg2. */
#ifndef CG2_USAGE_H
#define CG2_USAGE_H

#include "base/vg.h"

/* Prints all options that users need, in groups. */
void cg2_usage_print(void);

/* Prints the options that only --help-debug shows. */
void cg2_usage_print_debug(void);

/* Prints the machines that --machine knows by name. */
void cg2_usage_print_machines(void);

#endif
