/* The Callgrind format, version 1: a view in, text out.
 *
 * Source: "Callgrind Format Specification" of Valgrind's manual. What readers
 * do beyond it, and so what this writer does and does not do, is in
 * docs/format.md. */
#ifndef CG2_WRITER_H
#define CG2_WRITER_H

#include "base/sink.h"
#include "profile/view.h"

typedef struct WriterConfig {
   PositionConfig positions;
   Bool compress_strings;   /* "(id) name" once, then "(id)" */
   Bool compress_positions; /* "+3", "-1", "*" */
   Bool is_as_specified;    /* each line as the specification's grammar has it,
                               not as Callgrind writes it */
} WriterConfig;

typedef struct WriterHeader {
   const HChar* creator;
   const HChar* command; /* with newlines and backslashes escaped */
   Int pid;
   UInt part;
   UInt thread; /* 0: all */
   Int parent;  /* the process that this one was forked from, or 0 */
   UInt image;  /* programs that this process has executed, if it may be more
                   than one; else 0 */
   ULong first_block, last_block; /* of the time range */
   const HChar* trigger;
   const HChar* caches[3];    /* what I1, D1 and LL are; "" if not simulated */
   const HChar* descriptions; /* more lines; NULL: none */
   Bool follows; /* another part in the same file, which says what all share */
} WriterHeader;

/* Writes one part; `total` is its "summary:". Returns the sum of the self costs
 * that were written, which is its "totals:". */
Cost cg2_writer_write(Sink* sink,
                      const WriterConfig* config,
                      const WriterHeader* header,
                      const ULong* total);

#endif
