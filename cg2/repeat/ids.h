/* Numbers of users, groups, processes and threads in the arguments and results
 * of system calls, and in what these point to: the kernel gets the real ones,
 * and the program the told ones. */
#ifndef CG2_IDS_H
#define CG2_IDS_H

#include "repeat/call.h"

/* Puts the real numbers in the thread's registers, and in memory that it lends,
 * before the kernel is asked. What is no row of the tables stays as it is. */
void cg2_ids_enter_kernel(const KernelRequest* call, CallLoan* loan);
/* Puts the program's back, when the kernel has answered or was interrupted. */
void cg2_ids_leave_kernel(const KernelRequest* call);
/* The kernel has answered: puts the told numbers in its answer. */
void cg2_ids_tell_answer(const KernelRequest* call);

/* A thread that another one has made begins: writes its number where clone was
 * told to. */
void cg2_ids_begin_thread(ThreadId tid);

/* The same with what is said of a signal; one that a timer has sent says how
 * often that has come in vain. */
enum { IDS_TIMER = -2 }; /* the code of such a signal */
void cg2_ids_tell_signal(vki_siginfo_t* info);

#endif
