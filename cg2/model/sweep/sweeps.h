/* All sweeps of a run: which go together, and which bits of an access's outcome
 * are whose. */
#ifndef CG2_SWEEPS_H
#define CG2_SWEEPS_H

#include "model/sweep/sweep.h"

enum {
   SWEEPS_SIZES_MAX = 28,  /* that one access is looked up in */
   SWEEPS_COLUMNS_MAX = 56 /* of all together */
};

/* As users know them. */
extern const HChar* const cg2_sweep_names[SWEEP_CACHES];

typedef struct Sweeps {
   Sweep* of[SWEEP_CACHES]; /* the first of each cache, or NULL */
} Sweeps;

/* One more. False if it does not go with the others; then `error`, of
 * SWEEP_TEXT bytes, is one line that says why. */
Bool cg2_sweeps_add(Sweeps* sweeps, Sweep* sweep, HChar* error);

/* Makes their caches. `first_bit` of an outcome is the first that is theirs. */
void cg2_sweeps_init(Sweeps* sweeps, UInt first_bit);

#endif
