/* The lines of a source file as numbers: lines with the same text, but for
 * blanks at both ends, have the same. */
#ifndef CG2P_SOURCELINES_H
#define CG2P_SOURCELINES_H

#include "base/memory.h"

/* Begins as zeroes; kept from file to file, as is its memory. */
typedef struct SourceLines {
   uint64_t* of; /* by number of line, from 1 on */
   size_t n, room;
   char* text; /* of the file */
   size_t text_room;
} SourceLines;

/* Reads a file. There are no lines if it cannot be read, or is NULL. */
void cg2p_sourcelines_read(SourceLines* lines,
                           Failure* failure,
                           const char* path);
/* The number of a line's text; 0: it is not known. */
static inline uint64_t cg2p_sourcelines_at(const SourceLines* lines,
                                           uint64_t line)
{
   return line && line <= lines->n ? lines->of[line - 1] : 0;
}
void cg2p_sourcelines_free(SourceLines* lines);

#endif
