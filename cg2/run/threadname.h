/* The names that a program gives its threads, as system calls tell them: by
 * prctl a thread names itself; who writes to a file below /proc names any.
 *
 * Source: prctl(2), proc(5), pthread_setname_np(3). */
#ifndef CG2_THREADNAME_H
#define CG2_THREADNAME_H

#include "base/vg.h"

/* A file by which a thread can be named, and which is open. */
typedef struct NamingFile {
   UInt opener; /* the thread that has opened it; 0: there is none */
   UWord fd;
   Int kernel_id; /* of the thread that it names */
} NamingFile;

/* Looks for a name in a system call of thread `tid`, which runs, that has
 * succeeded. `file` is the one that was opened last. */
void cg2_threadname_note(
   NamingFile* file, UInt tid, UInt number, const UWord* args, UWord result);

#endif
