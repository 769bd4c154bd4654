/* Sandboxes that kill: a process that enters one may not be able to write its
 * profile at the end, as the kernel judges Valgrind's system calls like the
 * program's. */
#ifndef CG2_SANDBOX_H
#define CG2_SANDBOX_H

#include "base/vg.h"

/* Whether a system call that is about to be made enters a sandbox which kills
 * for some system call, or sends SIGSYS for it. */
Bool cg2_sandbox_enters(UInt number, const UWord* args);

#endif
