/* Options of Valgrind itself, which tools are not told of. */
#ifndef CG2_ARGUMENTS_H
#define CG2_ARGUMENTS_H

#include "base/vg.h"

/* The value of `option`, such as "--tool=", where it was given last; NULL if it
 * was not given. */
const HChar* cg2_arguments_value(const HChar* option);

/* Gives `option`, such as "--log-file", with a value to Valgrind where the
 * program starts another one that is traced. */
void cg2_arguments_pass_on(const HChar* option, const HChar* value);

#endif
