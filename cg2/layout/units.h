/* Units: memory that keeps together wherever it is placed, as a linker or the
 * kernel moves it as a whole: a function, a variable, a map, the heap, a stack.
 */
#ifndef CG2_UNITS_H
#define CG2_UNITS_H

#include "base/vg.h"

typedef struct LayoutUnit {
   Addr anchor;    /* tells units apart, and stays while the unit grows */
   Addr end;       /* up to here all surely belongs to it */
   Bool is_linked; /* a linker has placed it, among others of an object */
} LayoutUnit;

/* The unit that an address belongs to. */
LayoutUnit cg2_units_find(Addr address);
/* The same where a map is one, whatever is in it. */
LayoutUnit cg2_units_find_map(Addr address);

#endif
