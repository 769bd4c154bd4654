/* Options: the command line, written into the configuration of each module.
 *
 * options.c has the table of all options, a row for each. --help, the man page
 * and the reference of options are made from it. What options mean together is
 * decided by run/setup.h when all of them have been read. */
#ifndef CG2_OPTIONS_H
#define CG2_OPTIONS_H

#include "base/vg.h"

/* Reads one argument of the command line into the configuration that it sets.
 * False: the argument is no option of cg2. A wrong value ends the run. */
Bool cg2_options_take(const HChar* arg);

/* Prints all options that users need, in groups. */
void cg2_options_print(void);

/* Prints the options that only --help-debug shows. */
void cg2_options_print_debugging(void);

#endif
