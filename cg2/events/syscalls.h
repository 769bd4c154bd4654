/* System calls as events: how many, how long they took, and how much CPU time
 * the kernel spent on them. They are charged to the instruction that made the
 * call. A system call that does not return is not counted.
 *
 * Source for the names and units: Callgrind's --collect-systime. */
#ifndef CG2_SYSCALLS_H
#define CG2_SYSCALLS_H

#include "engine/thread.h"

/* Adds the events, if they are wanted. Called once, before the first
 * translation. */
void cg2_syscalls_start(void);

/* Notes the events of the system call that instruction number `instr` of a
 * block makes. */
void cg2_syscalls_note(BlockEvents* events, UInt instr);

/* The running thread makes a system call. */
void cg2_syscalls_begin(void);
/* Thread `tid` is back from its system call, which counts now. */
void cg2_syscalls_end(UInt tid);

#endif
