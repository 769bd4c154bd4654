/* Names for code that a program makes while it runs, from the file that its
 * compiler writes for perf: /tmp/perf-PID.map.
 *
 * A line of it is an entry, "START SIZE name": two hexadecimal numbers, and a
 * name that goes to the end of the line. Where entries overlap the later one
 * holds, as compilers use memory again. Source: Linux's
 * tools/perf/Documentation/jit-interface.txt.
 *
 * Only names change: a function without an object file gets the name of the
 * entry that it begins in. Functions stay apart, so each name is given once:
 *
 *    name            the function at the start of an entry
 *    name+0x14       one that begins inside, as the entry is entered there, too
 *    name [2]        at the start of another entry of that name; entries are
 *                    numbered in the order in which their code first ran
 *    name [2]+0x14   inside of it */
#ifndef CG2_PERFMAP_H
#define CG2_PERFMAP_H

#include "engine/context.h"

/* A process begins: the program, or the child of a fork. Functions that the
 * child's own file does not name may be named by the files of the processes
 * that it was forked from. */
void cg2_perfmap_begin_process(void);

/* Names all functions that have no object file, by what the files hold now.
 * Functions that no file knows keep their names. A file is read only if it is a
 * regular file of this user or of root. `is_verbose`: messages say which files
 * are not used, and how many lines are no entries. */
void cg2_perfmap_name_functions(Bool is_verbose);

#endif
