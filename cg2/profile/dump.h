/* When and where a part of the profile is written. */
#ifndef CG2_DUMP_H
#define CG2_DUMP_H

#include "profile/writer.h"

typedef struct DumpConfig {
   const HChar* out_file;   /* pattern with %p, %n and %q{VAR} */
   const HChar* out_option; /* that gave it, for messages */
   Bool is_combined;        /* all parts are in one file */
   WriterConfig writer;
   const HChar* caches[3]; /* as in WriterHeader */
} DumpConfig;

/* Filled before the first translation, then constant. */
extern DumpConfig cg2_dump_config;

/* Ends the run with one line and status 1 if the profile cannot be written
 * where the pattern says. */
void cg2_dump_check_path(void);

/* Of which threads, where threads are kept apart. */
typedef enum DumpScope {
   DUMP_ALL,
   DUMP_THREAD /* the running one */
} DumpScope;

/* Writes all costs since the last zero as a part, and starts from zero. If the
 * file cannot be written, a message says so, nothing starts from zero, and the
 * answer is False. */
Bool cg2_dump_part(const HChar* trigger, DumpScope scope);

/* Writes the last part. If the wanted file cannot be written it goes to the
 * temporary directory, which a message says, and the answer is False. *total
 * becomes the costs of all parts. */
Bool cg2_dump_last(const HChar* trigger, Cost* total);

/* How many parts were written. */
UInt cg2_dump_count(void);

/* Forgets all costs since the last part. */
void cg2_dump_zero(DumpScope scope);

/* A line that the header of each part has from now on: `text` is its type,
 * a colon, and what it says, or only that. */
void cg2_dump_describe(const HChar* text);

/* The program is about to be replaced by `program`: its profile is written, and
 * kept in memory too, in case that fails. */
void cg2_dump_replaced(const HChar* program);
/* It was not: what was written for that is removed. */
void cg2_dump_not_replaced(void);

void cg2_dump_begin_process(void);
/* The child of a fork counts its parts anew. */
void cg2_dump_forked(void);

#endif
