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
   UInt number; /* 0, 1, 2, ... in order of first use, per Names */
   HChar text[];
} Name;

/* All zero is empty. */
typedef struct Names {
   Table table;
   Name** by_number;
   UInt n, capacity;
} Names;

Name* cg2_names_intern(Names* names, const HChar* text);

/* `n` bytes as a profile can show them: control characters, and blanks at the
 * ends, are "?", and an id at the beginning, "(12)", is "[12]". */
Name* cg2_names_intern_shown(Names* names, const HChar* text, SizeT n);

#endif
