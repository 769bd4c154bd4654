/* Files that say what a process is like: /proc/N/stat, statm and status, those
 * of threads, and what is said of files that stand for processes. They have the
 * told numbers, and nothing of the tool's own memory and time. */
#ifndef CG2_PROCESSFILES_H
#define CG2_PROCESSFILES_H

#include "base/vg.h"

/* Whether a path is that of a file in the directory of a process. */
Bool cg2_processfiles_names(const HChar* path);

/* The text of the file that the program calls `path`, which the caller frees;
 * NULL: the kernel's is right, or there is none. */
HChar* cg2_processfiles_text(const HChar* path);

#endif
