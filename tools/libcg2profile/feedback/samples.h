/* What a sample profile is made of: functions, what was put into each, and how
 * often their lines ran.
 *
 * A line is counted from the one that declares its function on. It ran as often
 * as the instruction of it that ran most often; where a compiler has made
 * several copies of an instruction, times their number. A total is how many
 * bytes of instructions ran, of copies too, as llvm-profgen has it. */
#ifndef CG2P_SAMPLES_H
#define CG2P_SAMPLES_H

#include "base/numbermap.h"
#include "feedback/feedbackwriter.h"

/* A function, or all copies of one that were put into another one at one place.
 */
typedef struct SampleRecord {
   uint32_t outer; /* a number; CG2P_NONE: a function */
   uint32_t name, offset, discriminator, number;
   const char* text; /* its name */
   uint64_t total, head;
} SampleRecord;

/* Fields of lines and calls. */
enum { LINE_RECORD, LINE_OFFSET, LINE_DISCRIMINATOR, LINE_COUNT, LINE_WIDTH };
enum { CALL_NAME = LINE_COUNT, CALL_COUNT, CALL_WIDTH };

/* The names of functions, each once. */
typedef struct SampleNames {
   NumberMap numbers; /* by the key of a name: number + 1 */
   const char** texts;
   size_t n, room;
   bool* ran; /* whether code of it ran, copies of it too */
} SampleNames;

typedef struct Samples {
   FeedbackWriter* writer;
   const cg2p_bodies* bodies;
   SampleRecord* records;
   size_t n_records, room;
   Hash table;        /* of records */
   uint32_t* of_body; /* the record of each body */
   SampleNames names;
   NumberMap entries; /* by address: number of the body that begins there + 1 */
   Sums lines;        /* by place; ~count, so that the least is the largest */
   Sums calls;        /* by place and name */
   /* The first line and call of each record, and of the one behind the last. */
   size_t *first_lines, *first_calls;
   const SampleRecord** order;
   uint64_t most; /* how often the line ran that ran most often */
} Samples;

/* Finds all of it in what the feedback was given; the writer's samples. */
void cg2p_samples_find(FeedbackWriter* writer);
/* Frees the writer's samples, if it has any. */
void cg2p_samples_free(FeedbackWriter* writer);

/* The first of the records that were put into one, in order, of which functions
 * are the last: those of CG2P_NONE. */
size_t cg2p_samples_first_in(const Samples* samples, uint32_t outer);
/* The first line of a record; the lines behind it are its own as long as they
 * say so. */
size_t cg2p_samples_first_line(const Samples* samples, uint32_t record);
/* The calls of a line, from number *first to in front of the result. */
size_t
cg2p_samples_calls(const Samples* samples, const uint64_t* line, size_t* first);
/* How often a line ran. */
static inline uint64_t cg2p_samples_times(const uint64_t* line)
{
   return ~line[LINE_COUNT];
}

#endif
