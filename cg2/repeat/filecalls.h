/* System calls about files: those that the tool writes itself, and numbers of
 * inodes and devices, which are given by order of first sight. Times of files
 * are as they are. */
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

/* The number that the program is told of an inode. */
ULong cg2_filecalls_inode(ULong device, ULong inode);

#endif
