/* When a part of the profile is written, and what is in it. */
#ifndef CG2_DUMP_H
#define CG2_DUMP_H

#include "profile/callgrind/writer.h"
#include "profile/files/profileconfig.h"

/* Whose costs a part has, where threads are kept apart. */
typedef enum DumpScope {
   DUMP_ALL,
   DUMP_THREAD /* the running thread's */
} DumpScope;

/* Writes all costs since the last zero as a part, and starts from zero. If the
 * file cannot be written, a message says so, nothing starts from zero, and the
 * answer is False. */
Bool cg2_dump_part(const HChar* trigger, DumpScope scope);

/* Writes the last part, and the summary for programs, if one is wanted. If the
 * wanted file of the part cannot be written, the part goes to the temporary
 * directory, which a message says, and the answer is False; so it is if the
 * summary cannot be written, or if the functions of a part have not what was
 * counted, which a message has said. *total becomes the costs of all parts. */
Bool cg2_dump_last(const HChar* trigger, Cost* total);

/* How many parts were written. */
UInt cg2_dump_count(void);

/* Forgets all costs since the last part. */
void cg2_dump_zero(DumpScope scope);

/* Adds a line to the header of each part from now on, unless the header has it:
 * `text` is the line's type, a colon, and what it says, or only what it says.
 */
void cg2_dump_describe(const HChar* text);

/* The process may not be able to write at its end: writes where the last part
 * will be what there is by now, keeps the costs, and says so in a message that
 * begins with `reason`. */
void cg2_dump_ahead(const HChar* trigger, const HChar* reason);

/* The program is about to be replaced by `program` (exec): writes its profile,
 * and keeps the costs, in case that fails. */
void cg2_dump_replaced(const HChar* program);

/* The program was not replaced: removes what cg2_dump_replaced has written, if
 * that was called. */
void cg2_dump_not_replaced(void);

/* A process begins. Ends the run with one line and status 1 if the profile
 * cannot be written. */
void cg2_dump_begin_process(void);

/* The child of a fork begins: its parts are counted anew. */
void cg2_dump_forked(void);

/* What headers call a process. */
typedef struct ProcessCall {
   Int pid, parent; /* parent 0: the process was not forked */
   ULong started;   /* as WriterHeader.started */
} ProcessCall;

/* Has headers call this process so in place of what the kernel and the clock
 * say; names of files have the kernel's number. */
void cg2_dump_call_process(ProcessCall call);

#endif
