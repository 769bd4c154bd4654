/* Reads an argument of the command line as an option. */
#ifndef CG2_OPTIONREADER_H
#define CG2_OPTIONREADER_H

#include "run/option.h"

/* Whether an argument of the command line is this option; what the option sets
 * is then set. A wrong value ends the run. */
Bool cg2_optionreader_take(const Option* o, const HChar* arg);

#endif
