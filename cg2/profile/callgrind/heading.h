/* The heading: what a file says of its program and its part before it says what
 * is counted. */
#ifndef CG2_HEADING_H
#define CG2_HEADING_H

#include "profile/callgrind/rounds.h"

/* A time range: executions of blocks since the process began. */
typedef struct BlockRange {
   ULong first, last;
} BlockRange;

/* What the header of a part says. */
typedef struct WriterHeader {
   const HChar* format; /* of the file, as its first line says it; NULL: that of
                           Callgrind */
   const HChar* creator;
   const HChar* command; /* with newlines and backslashes escaped */
   Int pid;
   UInt part;                 /* 1, 2, ... in this process */
   UInt thread;               /* the part is of this thread; 0: of all */
   Int parent;                /* the process that forked this one, or 0 */
   ULong started;             /* microseconds from 1970 until the run began;
                                 0: not known */
   UInt image;                /* programs that this process has executed; 0
                                 if it is certain that there is only one */
   BlockRange blocks;         /* when the part is from */
   const HChar* trigger;      /* why the part is written */
   const HChar* caches[3];    /* texts about I1, D1 and LL; NULL: not
                                 simulated */
   const HChar* cpu;          /* what the program was told of its processor;
                                 NULL: nothing */
   const HChar* descriptions; /* more lines; NULL: no more */
   Bool follows; /* the part is behind another part in the same file, which says
                    what is the same for all */
} WriterHeader;

/* Writes all lines in front of "positions:". `rounds`, or NULL, are those of
 * the part. */
void cg2_heading_write(Scribe* s,
                       const WriterHeader* header,
                       const Rounds* rounds);

/* Writes what events there are. */
void cg2_heading_write_events(Scribe* s);

#endif
