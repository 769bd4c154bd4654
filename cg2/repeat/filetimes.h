/* Times of files: a file that has changed since the run began has changed at a
 * virtual time. Others have their own: else a program takes all that was
 * compiled earlier for out of date. They were read last when they were written:
 * an earlier run may have read them. */
#ifndef CG2_FILETIMES_H
#define CG2_FILETIMES_H

#include "repeat/call.h"

/* Called once, before the program begins. The run begins now, in nanoseconds of
 * real time from 1970, or began at `inherited`, if that is not 0. */
void cg2_filetimes_start(ULong inherited);
ULong cg2_filetimes_begin(void);

/* What the program is told of the times of a file, in nanoseconds from 1970. */
typedef struct FileTimes {
   ULong accessed, modified, changed, born;
} FileTimes;
void cg2_filetimes_tell(ULong device, ULong inode, FileTimes* times);

/* A row of calls that change the file of the first argument, or open it. */
void cg2_filetimes_written(const KernelRequest* call);
void cg2_filetimes_opened(const KernelRequest* call);

#endif
