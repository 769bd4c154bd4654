/* ITTAGE: jumps and calls to computed targets are predicted by the longest of
 * several trails that is known. Source: Seznec, A 64-Kbytes ITTAGE indirect
 * branch predictor, 2011.
 *
 * There is a table of tagged entries for each length of the trail, of
 * 2^(bits - 2) each, and 2^(bits + 2) last targets by the address alone. The
 * longest match predicts its target; but while it has no confidence, what is
 * next does: the next shorter match, or the last target.
 *
 * A right entry gets more confidence, and is more useful if what is next was
 * wrong. A wrong one loses confidence; without any it takes the new target, and
 * is useful no more. A jump that was mispredicted gets an entry in the first
 * longer table whose entry for it is not useful; if all are useful, they become
 * less so. */
#ifndef CG2_ITTAGE_H
#define CG2_ITTAGE_H

#include "model/described/trail.h"

enum {
   ITTAGE_FEWER_BITS = 2,
   ITTAGE_BASE_BITS = 2,
   ITTAGE_CONFIDENCE_MAX = 3,
   ITTAGE_USEFUL_MAX = 3
};

typedef struct IttageEntry {
   Addr target;
   UShort tag;       /* odd; 0: the entry is empty */
   UChar confidence; /* 0 to ITTAGE_CONFIDENCE_MAX */
   UChar useful;     /* 0 to ITTAGE_USEFUL_MAX */
} IttageEntry;

typedef struct Ittage {
   UInt bits;            /* of a tagged table */
   UInt base_bits;       /* of `last` */
   IttageEntry* entries; /* [table << bits | place] */
   Addr* last;           /* by the address */
} Ittage;

/* Makes an empty predictor; `bits` is at least ITTAGE_FEWER_BITS + 1. */
void cg2_ittage_init(Ittage* ittage, UInt bits);
/* Forgets all jumps. */
void cg2_ittage_clear(Ittage* ittage);

/* Predicts the jump or call at `addr`, and learns where it goes; the trail gets
 * its step. True: it was mispredicted. */
Bool cg2_ittage_predict(Ittage* ittage, Trail* trail, Addr addr, Addr target);

#endif
