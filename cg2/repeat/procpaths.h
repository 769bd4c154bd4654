/* Paths that name a process, /proc/N, in arguments of system calls: the kernel
 * gets the real number. */
#ifndef CG2_PROCPATHS_H
#define CG2_PROCPATHS_H

#include "repeat/call.h"

/* Has the path that is an argument lie in memory that the thread lends, below
 * its stack, with the real numbers. */
void cg2_procpaths_enter_kernel(const KernelRequest* call, CallLoan* loan);
/* Puts the path's address back. */
void cg2_procpaths_leave_kernel(const KernelRequest* call);

/* A copy of `path`, with the real numbers, which the caller frees; NULL: it
 * names no process by a number. */
HChar* cg2_procpaths_real(const HChar* path);

/* The path that is argument `i` of a call, which the caller frees; NULL: it
 * cannot be read. One that is relative to a directory of /proc begins with
 * /proc/, with told numbers; which directory may be said in the argument before
 * it. */
HChar* cg2_procpaths_said(const KernelRequest* call, UInt i);

/* Answers where a link leads that is the process itself, or a thread:
 * /proc/self and /proc/thread-self. */
Bool cg2_procpaths_readlink(const KernelRequest* call);
Bool cg2_procpaths_readlinkat(const KernelRequest* call);

#endif
