/* What a profile says, as a list: so much self cost of this function at that
 * position, so many calls of that function from there. Two lists are compared
 * after what belongs to one key was added up. */
#ifndef FACTS_H
#define FACTS_H

#include "host_vg.h"

typedef struct Fact {
   const char *object, *file, *function; /* whose */
   const char* at_file;
   ULong at_instr, at_line;
   /* What a call has more; empty for self cost. */
   const char *callee_object, *callee_file, *callee;
   ULong target_instr, target_line;
   ULong count, cost;
} Fact;

typedef struct Facts {
   Fact* all;
   UInt n, capacity;
} Facts;

void facts_add(Facts* facts, const Fact* fact);
/* Sorts, adds up, and drops what is zero. */
void facts_merge(Facts* facts);
/* Whether two merged lists say the same; prints the first difference. */
Bool facts_agree(const Facts* found, const Facts* expected);
/* Prints a line, with fields separated by tabs. */
void facts_print(const Fact* fact, void* stdio_file);
void facts_free(Facts* facts);

#endif
