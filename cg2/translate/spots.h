/* Spots: what a block knows of the addresses that it computes.
 *
 * A spot is a base, which nobody knows, plus a known offset. Spots of the same
 * base are known to be so many bytes apart, whatever the base is. */
#ifndef CG2_SPOTS_H
#define CG2_SPOTS_H

#include "base/vg.h"
#include "pub_tool_tooliface.h"

typedef struct Spot {
   IRTemp base; /* SPOT_FIXED: there is none */
   Long offset;
} Spot;

static const IRTemp SPOT_FIXED = IRTemp_INVALID - 1;

/* Temporaries with larger numbers are bases. */
enum { SPOTS_MAX = 2048 };

typedef struct Spots {
   Spot of[SPOTS_MAX]; /* of each temporary */
} Spots;

/* All temporaries are bases. */
void cg2_spots_init(Spots* spots, const IRSB* in);

/* Reads the next statement of the block. */
void cg2_spots_read(Spots* spots, const IRStmt* s);

/* The spot that an atom is. */
Spot cg2_spots_at(const Spots* spots, const IRExpr* atom);

/* The bytes from low to high, this one not included. Without a base,
 * IRTemp_INVALID, nothing is known of them. */
typedef struct SpotRange {
   IRTemp base;
   Long low, high;
} SpotRange;

static inline SpotRange cg2_spots_range(Spot spot, UInt size)
{
   return (SpotRange){spot.base, spot.offset, spot.offset + size};
}

/* Adds `other` to `range` if both then lie in `max` bytes; False: it is not
 * known that they do. */
static inline Bool
cg2_spots_join(SpotRange* range, const SpotRange* other, UWord max)
{
   Long low = other->low < range->low ? other->low : range->low;
   Long high = other->high > range->high ? other->high : range->high;
   if (other->base != range->base || other->base == IRTemp_INVALID ||
       (ULong)(high - low) > max)
      return False;
   range->low = low;
   range->high = high;
   return True;
}

#endif
