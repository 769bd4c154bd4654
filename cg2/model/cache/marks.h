/* Marks: which lines of a cache generated code may touch by itself.
 *
 * A table at a fixed address has a place for each line, which the line's number
 * says; lines with the same place take it from each other. A Mark there holds
 * the address of one line and where the time of its last touch is put down:
 *
 *    line 0x1003, lines of 64 bytes, a table of 4 places
 *
 *    place 0  { CACHE_NONE, &nowhere }     no line is marked
 *    place 1  { CACHE_NONE, &nowhere }
 *    place 2  { CACHE_NONE, &nowhere }
 *    place 3  { 0x400c0, &stamps[17] }     0x1003 << 6, and its stamp */
#ifndef CG2_MARKS_H
#define CG2_MARKS_H

#include "model/cache/tags.h"

typedef struct Mark {
   UWord line;  /* the line's address; CACHE_NONE: no line is marked here */
   UInt* stamp; /* where the time of the line's last touch is; never NULL */
} Mark;

/* A table of marks. */
typedef struct Marks {
   Mark* of;
   UWord n; /* a power of two */
} Marks;

/* The process's table for the first level for code, and for data. */
Marks cg2_marks_of_code(void);
Marks cg2_marks_of_data(void);
/* The process's table for lines that are known to be written. It has as many
 * places as the table for data; its stamps say nothing. */
Marks cg2_marks_of_written(void);

/* The place of a line's mark. */
static inline Mark* cg2_marks_at(Marks marks, UWord line)
{
   return &marks.of[line & (marks.n - 1)];
}

/* Whether a line has a mark. */
static inline Bool cg2_marks_have(Marks marks, UWord line, UInt line_bits)
{
   return cg2_marks_at(marks, line)->line == line << line_bits;
}

/* Takes the mark away, if it has one, from a line that its cache evicts: no
 * time will be put down for the line any more. Without a branch, as a branch
 * would wait for the mark to be loaded. */
static inline void cg2_marks_evict(Marks marks, UWord line, UInt line_bits)
{
   Mark* of = cg2_marks_at(marks, line);
   of->line |= -(UWord)(of->line == line << line_bits);
}

#endif
