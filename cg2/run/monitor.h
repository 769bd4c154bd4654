/* Monitor commands: what vgdb and gdb ask of a running program. The replies are
 * Callgrind's, as scripts read them. */
#ifndef CG2_MONITOR_H
#define CG2_MONITOR_H

#include "base/vg.h"

/* Does what a command asks for, and prints the reply to whoever asked. False:
 * the command is none of cg2's. */
Bool cg2_monitor_command(const HChar* command);

#endif
