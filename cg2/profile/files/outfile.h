/* Where the parts of a profile go, and what is written beside each part: names
 * of files, and the files.
 *
 * The files of a process are named after its out path (outpath.h):
 *
 *    OUT             the last part of a process, or all its parts if combined
 *    OUT.3           the third of the parts before the last
 *    OUT-02          thread 2, where threads are kept apart; OUT.3-02
 *    OUT.exec1       the last part of the first program of a process that went
 *                    on with another program (exec), if that is profiled too
 *    OUT.exec2.3     the third part of its second program
 *    OUT.pid77       instead of OUT: a child whose pattern has no %p, so that
 *                    its out path would be its parent's
 *    OUT.run2        instead of OUT: the second run with this process id, if
 *                    the files of the first are still there
 *    TMP/cg2.out.77  in the temporary directory, what cannot be written where
 *                    it belongs and is in no later part; TMP/cg2.data.77.3
 *
 * What is no file, such as /dev/null or a pipe, gets all parts as it is. */
#ifndef CG2_OUTFILE_H
#define CG2_OUTFILE_H

#include "base/sink.h"
#include "profile/files/outpath.h"

/* The files of one kind that a process writes. The first four are configuration
 * as above; the others belong to outfile.c. */
typedef struct Outfile {
   const HChar* what;     /* is in the files, for messages */
   const HChar* tmp_name; /* without the process, in the temporary directory */
   const HChar* pattern;  /* with %p, %n and %q{VAR} */
   const HChar* option;   /* the option that gave the pattern, for messages */
   OutPath out;
   HChar* last; /* the file of the part that was written last; NULL: lost */
   HChar* exec_path; /* the file that is written because the program is being
                        replaced, or NULL */
   Bool is_ahead;    /* The part that is written is a copy, which the last part
                        will replace. */
   SinkFile all; /* the file that all parts are in, as far as they are to stay;
                    inode 0: none yet */
   HChar** written; /* the paths of all files that were written and stay */
   UInt n_written;
} Outfile;

/* The profile, and the data file and the paths of each of its parts. */
typedef struct Outfiles {
   Outfile profile, data, paths;
} Outfiles;

extern Outfiles cg2_outfiles;

/* A part of the profile, as far as the name of its file depends on it. */
typedef struct OutfilePart {
   UInt number;      /* 1, 2, ... in this process */
   UInt thread;      /* 0: all threads */
   Bool is_last;     /* no part comes after it */
   Bool comes_again; /* if it is not written, it is in the next part */
} OutfilePart;

/* Writes the text of a part. `follows`: behind another part in the file.
 * `what` is the argument of cg2_outfile_write. */
typedef void (*OutfileText)(Sink* sink, Bool follows, const void* what);

/* Has the process, which has not written yet, leave alone what another one with
 * its id has left: all its files are OUT.run2 then, or OUT.run3, ..., the same
 * for each kind, as they belong together. Only names with %p are changed. */
void cg2_outfile_make_way(Outfile* const* files, UInt n);

/* Ends the run with one line and status 1 if no file can be written at the out
 * path. */
void cg2_outfile_check(Outfile* f);

/* The same if both would be written to one file. */
void cg2_outfile_check_apart(Outfile* a, Outfile* b);

/* Writes a part to the file where it belongs. If that fails, a message says so,
 * what does not come again goes to the temporary directory, which another
 * message says, and the answer is False. */
Bool cg2_outfile_write(Outfile* f,
                       const OutfilePart* part,
                       OutfileText write_text,
                       const void* what);

/* Where the part is that was written last; NULL: nowhere, it is lost. */
const HChar* cg2_outfile_last(const Outfile* f);

/* How many files this process has written that stay, and the path of number i
 * of them, in order. Valid until a fork. */
UInt cg2_outfile_count(const Outfile* f);
const HChar* cg2_outfile_path(const Outfile* f, UInt i);

/* Whether the user is told where profiles are: they are files, and no script
 * for Callgrind has named them by its option. */
Bool cg2_outfile_is_announced(Outfile* f);

/* How many programs this process has executed, this one included; 0 if it is
 * certain that it is the only one. */
UInt cg2_outfile_image(Outfile* f);

/* The program is about to be replaced (exec). True if it leaves a profile: the
 * part that is written next, which has a name that the next program leaves
 * alone. `is_child`: the process is the child of a fork. */
Bool cg2_outfile_begin_exec(Outfile* f, Bool is_child);

/* The program was not replaced: removes what was written since
 * cg2_outfile_begin_exec, if that was called. */
void cg2_outfile_end_exec(Outfile* f);

/* The parts that are written next are copies of what there is by now, where the
 * last parts will replace them; until cg2_outfile_end_ahead is called. */
void cg2_outfile_begin_ahead(Outfile* f);
void cg2_outfile_end_ahead(Outfile* f);

/* Names the files of the child of a fork. */
void cg2_outfile_forked(Outfile* f);

#endif
