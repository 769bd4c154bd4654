/* The out path: where a process writes what one option names, such as
 * --cg2-out-file.
 *
 * The pattern of the command line is expanded once per process, as %n counts
 * the expansions. Processes and programs do not overwrite each other's files,
 * unless somebody asks for that:
 *
 *    OUT         the last program of a process
 *    OUT.exec1   the first one, if it was replaced (exec) by one that is
 *                profiled, too
 *    OUT.pid77   instead of OUT: a child whose pattern has no %p, so that its
 *                out path would be its parent's
 *
 *    OUT.run2    instead of OUT: the second run with this process id
 *
 * An *image* is one of the programs that a process executes, one after the
 * other: the first is number 1. */
#ifndef CG2_OUTPATH_H
#define CG2_OUTPATH_H

#include "base/vg.h"
#include "profile/files/profileconfig.h"

typedef struct OutPath {
   HChar* name; /* the pattern expanded for this process, or NULL */
   HChar* path; /* the out path: `name`, or in a child `name`.pidN */
} OutPath;

/* The out path. `option` is the one that gave the pattern, for messages about
 * that. */
const HChar*
cg2_outpath_get(OutPath* out, const HChar* option, const HChar* pattern);

/* The same in the child of a fork, which has its parent's `out`, from now on.
 */
void cg2_outpath_forked(OutPath* out,
                        const HChar* option,
                        const HChar* pattern);

/* Whether a file is there that the run of this number with its process id would
 * write, if the first one has the out path `path`; and what makes the out path
 * that of a run after the first. */
Bool cg2_outpath_is_taken(const HChar* path, UInt run);
void cg2_outpath_set_run(OutPath* out, UInt run);

/* Has traced programs that this process starts, wherever that is, write beside
 * it: a relative name is one of the directory in which the run was started. One
 * that is each process's stays where it would be, if files may overwrite each
 * other. */
void cg2_outpath_pass_on(const HChar* option, const HChar* pattern);

/* The path of image number `n` of the process with this out path, to be
 * freed; and the number of the image that runs: one more than those before it
 * that have left files. */
HChar* cg2_outpath_of_image(const HChar* path, UInt n);
UInt cg2_outpath_next_image(const HChar* path);

/* Whether a program that replaces this one is profiled, too. */
Bool cg2_outpath_has_successor(void);

/* Where the program writes that is about to be replaced, to be freed: the next
 * one leaves that file alone. */
HChar* cg2_outpath_of_replaced(const HChar* path);

/* 0, or the errno with which a file at `path` would fail to be written. */
Int cg2_outpath_try(const HChar* path);

/* Says why `what`, such as a profile, cannot be written to `path`. */
void cg2_outpath_print_failure(const HChar* what, const HChar* path, Int error);

#endif
