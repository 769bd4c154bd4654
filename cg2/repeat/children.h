/* The children of the process, and when it hears of their end.
 *
 * A child ends at a moment of the virtual time, which it has in common with who
 * has made it. Its parent hears of that by waiting, or by a signal, when its
 * own time has come so far: never earlier, in whatever order the kernel has run
 * them. So the kernel's SIGCHLD stays blocked, and the tool says it.
 *
 * Before a process hears that nothing has happened until some moment, all
 * others of the run have come so far, or sleep. */
#ifndef CG2_CHILDREN_H
#define CG2_CHILDREN_H

#include "repeat/call.h"

/* Rows that answer; those that wait for children of which nothing is known, as
 * after exec, are the kernel's. */
Bool cg2_children_wait4(const KernelRequest* call);
Bool cg2_children_waitid(const KernelRequest* call);

/* A child was made, which the kernel calls `real`. */
void cg2_children_add(UInt real);
/* A child of a fork has none. */
void cg2_children_forked(void);
/* Whether the process has some. */
Bool cg2_children_any(void);

/* Whether the signal that a child has ended can be there, for a thread that
 * waits until `until` at most; has it be there, and the time go on to that end.
 */
Bool cg2_children_signal_is_there(ULong until);
void cg2_children_tell(ULong until);
/* The program computes: looks now and then whether the signal is there by
 * now. */
void cg2_children_look(void);
/* Takes the signal, if it is there and wanted. */
Bool cg2_children_take_signal(const vki_sigset_t* wanted, vki_siginfo_t* info);

#endif
