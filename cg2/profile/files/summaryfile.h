/* Where the summary for programs goes (--json-summary): a file for each
 * process, and for each program that it was before an exec, named as outpath.h
 * says. */
#ifndef CG2_SUMMARYFILE_H
#define CG2_SUMMARYFILE_H

#include "profile/files/jsonsummary.h"
#include "profile/files/profileconfig.h"

/* Ends the run with one line and status 1 if the file cannot be written. */
void cg2_summaryfile_check(void);

/* The following do nothing unless a file is wanted. */

/* Notes a part, as cg2_jsonsummary_note does. */
void cg2_summaryfile_note(const WriterHeader* header,
                          const ULong* total,
                          const HChar* path);

/* Writes the summary of the parts that were noted. If that fails, a message
 * says so, and the answer is False. */
Bool cg2_summaryfile_write(const WriterHeader* header);

/* The program is about to be replaced (exec): does the same, where the program
 * that comes next leaves it. */
void cg2_summaryfile_write_replaced(const WriterHeader* header);

/* The program was not replaced: takes back what cg2_summaryfile_write_replaced
 * has written, and the last part, if that was called. */
void cg2_summaryfile_not_replaced(void);

/* The child of a fork begins: nothing is noted yet. */
void cg2_summaryfile_forked(void);

#endif
