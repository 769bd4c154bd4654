/* System calls as events: how many, how long they took, and how much CPU time
 * the kernel spent on them. They are charged to the instruction that made the
 * call. One that does not return is not counted.
 *
 * Source for the names and units: Callgrind's --collect-systime. */
#ifndef CG2_SYSCALLS_H
#define CG2_SYSCALLS_H

#include "engine/thread.h"

typedef enum SyscallTimes {
   SYSCALLS_OFF,  /* system calls are no events */
   SYSCALLS_MSEC, /* times are in milliseconds */
   SYSCALLS_USEC, /* times are in microseconds */
   SYSCALLS_NSEC, /* times are in nanoseconds; CPU time is an event, too */
} SyscallTimes;

/* Adds the events. Called once at most, before the first translation. */
void cg2_syscalls_add_events(SyscallTimes times);

/* Adds the events of a system call that instruction `instr` of a block makes.
 */
void cg2_syscalls_note(BlockEvents* events, UInt instr);

/* The running thread is about to make a system call. */
void cg2_syscalls_begin(void);
/* The system call of thread `tid` has returned: charges it and its time. */
void cg2_syscalls_end(UInt tid);

#endif
