/* Usage: how `valgrind --tool=cg2 --help` shows the options of cg2.
 *
 *     --name=<value>          what the option does, on as many lines as that
 *                             takes [default]
 */
#ifndef CG2_USAGE_H
#define CG2_USAGE_H

#include "run/option.h"

/* Options under one heading of --help. */
typedef struct OptionGroup {
   const HChar* title;
   const Option* options;
   UInt n;
   void (*print_more)(void); /* prints what belongs below them, or NULL */
} OptionGroup;

/* Prints a group. */
void cg2_usage_print(const OptionGroup* group);

/* Prints the machines that --machine knows by name. */
void cg2_usage_print_machines(void);

#endif
