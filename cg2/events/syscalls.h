/* System calls as events: how many, how long they took, and how much CPU time
 * the kernel spent on them. They are charged to the instruction that made the
 * call. One that does not return is not counted.
 *
 * Source for the names and units: Callgrind's --collect-systime. */
#ifndef CG2_SYSCALLS_H
#define CG2_SYSCALLS_H

#include "engine/thread.h"

typedef enum SyscallTimes {
   SYSCALLS_OFF,
   SYSCALLS_MSEC,
   SYSCALLS_USEC,
   SYSCALLS_NSEC, /* and CPU time, too */
} SyscallTimes;

/* Adds the events. Called once at most, before the first translation. */
void cg2_syscalls_add_events(SyscallTimes times);

/* Adds those of a system call that is made by instruction `instr` of a block.
 */
void cg2_syscalls_note(BlockEvents* events, UInt instr);

/* The running thread makes a system call; thread `tid` has done so. */
void cg2_syscalls_begin(void);
void cg2_syscalls_end(UInt tid);

#endif
