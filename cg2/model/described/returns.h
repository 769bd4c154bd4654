/* A return stack: a return goes behind the last call that none has come back
 * from.
 *
 * It has RETURNS places. Where more calls are open, the newest take the places
 * of the oldest, whose returns are mispredicted. All threads have one.
 * Generated code works on it, see branchcode.h. */
#ifndef CG2_RETURNS_H
#define CG2_RETURNS_H

#include "base/vg.h"

enum { RETURNS = 32 };

typedef struct Returns {
   UWord top; /* the newest place, as bytes from `behind` */
   Addr behind[RETURNS];
} Returns;

#endif
