/* Names: each distinct string once, with a number.
 *
 * One Names each for objects, source files and functions. A name is compared
 * by pointer; its number is dense from 0 and lets a writer keep its ids in an
 * array. Names live until exit. */
#ifndef CG2_NAMES_H
#define CG2_NAMES_H

#include "base/table.h"

typedef struct Name {
   TableNode node;
   UInt number;  /* 0, 1, 2, ... in order of first use, in each Names */
   HChar text[]; /* ends with a NUL */
} Name;

/* A set of names. All zero is the empty set. */
typedef struct Names {
   Table table;      /* of Name */
   Name** by_number; /* by_number[i] has the number i, for each i below n */
   UInt n,
      capacity; /* names that there are; names that by_number has room for */
} Names;

/* Returns the name with this text, which is new if nobody asked for it before.
 */
Name* cg2_names_intern(Names* names, const HChar* text);

/* Returns the name of `n` bytes as a profile can show them: control characters,
 * and blanks at the ends, become "?", and an id at the beginning, such as
 * "(12)", becomes "[12]". */
Name* cg2_names_intern_shown(Names* names, const HChar* text, SizeT n);

#endif
