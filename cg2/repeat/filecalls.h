/* System calls about files: those that the tool writes itself, and what is said
 * of all. */
#ifndef CG2_FILECALLS_H
#define CG2_FILECALLS_H

#include "repeat/call.h"

/* Opens what the tool says in place of a file of the kernel. False: it is
 * another file. */
Bool cg2_filecalls_open(const KernelRequest* call);
Bool cg2_filecalls_openat(const KernelRequest* call);

void cg2_filecalls_stat(const KernelRequest* call);
void cg2_filecalls_newfstatat(const KernelRequest* call);
void cg2_filecalls_statx(const KernelRequest* call);

#endif
