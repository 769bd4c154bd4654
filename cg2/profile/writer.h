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
   Bool is_as_specified;    /* each line is as the specification's grammar has
                               it, not as Callgrind writes it */
} WriterConfig;

/* What the header of a part says. */
typedef struct WriterHeader {
   const HChar* creator;
   const HChar* command; /* with newlines and backslashes escaped */
   Int pid;
   UInt part;                     /* 1, 2, ... in this process */
   UInt thread;                   /* the part is of this thread; 0: of all */
   Int parent;                    /* the process that forked this one, or 0 */
   UInt image;                    /* programs that this process has executed; 0
                                     if it is certain that there is only one */
   ULong first_block, last_block; /* the time range: executions of blocks since
                                     the process began */
   const HChar* trigger;          /* why the part is written */
   const HChar* caches[3];        /* texts about I1, D1 and LL; NULL: not
                                     simulated */
   const HChar* cpu;              /* what the program was told of its processor;
                                     NULL: nothing */
   const HChar* descriptions;     /* more lines; NULL: no more */
   Bool follows; /* the part is behind another part in the same file, which says
                    what is the same for all */
} WriterHeader;

/* Writes one part; `total` is its "summary:". Returns the sum of the self costs
 * that were written, which is its "totals:". */
Cost cg2_writer_write(Sink* sink,
                      const WriterConfig* config,
                      const WriterHeader* header,
                      const ULong* total);

#endif
