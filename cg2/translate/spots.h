/* Spots: what is known of the addresses that a block computes.
 *
 * A spot is a base, whose value nobody knows, plus a known offset. Two spots of
 * the same base are known to be so many bytes apart, whatever the base is. */
#ifndef CG2_SPOTS_H
#define CG2_SPOTS_H

#include "base/vg.h"
#include "pub_tool_tooliface.h"

typedef struct Spot {
   IRTemp base; /* SPOT_FIXED: there is none, the offset is the address */
   Long offset; /* bytes behind the base */
} Spot;

static const IRTemp SPOT_FIXED = IRTemp_INVALID - 1;

/* Temporaries with larger numbers are bases themselves. */
enum { SPOTS_MAX = 2048 };

typedef struct Spots {
   Spot of[SPOTS_MAX]; /* the spot of each temporary */
} Spots;

/* Makes all temporaries of a block bases: nothing is known yet. */
void cg2_spots_init(Spots* spots, const IRSB* in);

/* Learns from `s`, the next statement of the block. */
void cg2_spots_read(Spots* spots, const IRStmt* s);

/* The spot that an atom, as an address, is. */
Spot cg2_spots_at(const Spots* spots, const IRExpr* atom);

/* The bytes from base + low to base + high, without the last. If the base is
 * IRTemp_INVALID, nothing is known of them. */
typedef struct SpotRange {
   IRTemp base;
   Long low, high;
} SpotRange;

/* The range of `size` bytes that begins at a spot. */
static inline SpotRange cg2_spots_range(Spot spot, UInt size)
{
   return (SpotRange){spot.base, spot.offset, spot.offset + size};
}

/* Widens `range` by `other` if the result has no more than `max` bytes. False:
 * that is not known, and `range` is as it was. */
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
