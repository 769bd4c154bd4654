/* System calls as events: how many, how long they took, and how much CPU time
 * the kernel spent on them. They are charged to the instruction that made the
 * call. A system call that does not return is not counted.
 *
 * Source for the names and units: Callgrind's --collect-systime. */
#ifndef CG2_SYSCALLS_H
#define CG2_SYSCALLS_H

#include "engine/thread.h"

/* The unit of the times. */
typedef enum SyscallTimes {
   SYSCALLS_OFF, /* system calls are not counted */
   SYSCALLS_MSEC,
   SYSCALLS_USEC,
   SYSCALLS_NSEC, /* the CPU time is an event, too */
} SyscallTimes;

/* Adds the events of system calls. Called once at most, before the first
 * translation. */
void cg2_syscalls_add_events(SyscallTimes times);

/* Notes the events of the system call that instruction number `instr` of a
 * block makes. */
void cg2_syscalls_note(BlockEvents* events, UInt instr);

/* The running thread makes a system call. */
void cg2_syscalls_begin(void);
/* Thread `tid` is back from its system call, which counts now. */
void cg2_syscalls_end(UInt tid);

#endif
