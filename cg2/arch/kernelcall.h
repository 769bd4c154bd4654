/* The system call that a thread is about to make or has made, in its registers.
 * Only for amd64: no tool for another processor asks. */
#ifndef CG2_KERNELCALL_H
#define CG2_KERNELCALL_H

#include "base/vg.h"
#include "pub_tool_basics.h"

enum { KERNELCALL_ARGS = 6 };

typedef struct KernelCall {
   UWord number;
   UWord args[KERNELCALL_ARGS];
} KernelCall;

/* The call that `tid` is about to make. */
KernelCall cg2_kernelcall_of(ThreadId tid);

/* Changes an argument of that call. */
void cg2_kernelcall_set_arg(ThreadId tid, UInt number, UWord value);

/* Has the call be over, with what the kernel would have answered: a result, or
 * the number of an error, negative. */
void cg2_kernelcall_answer(ThreadId tid, Word result);

/* What the call that is over was answered. */
Word cg2_kernelcall_answered(ThreadId tid);

/* Makes a call of the tool's own, which the core does not see. */
Word cg2_kernelcall_make(UWord number, UWord a, UWord b, UWord c, UWord d);
/* Makes a call with all its arguments. */
Word cg2_kernelcall_make_all(const KernelCall* call);

/* Moves the stack pointer of a thread that has not run. */
void cg2_kernelcall_set_sp(ThreadId tid, Addr sp);

#endif
