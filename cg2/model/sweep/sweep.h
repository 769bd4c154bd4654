/* A sweep: caches of many sizes at once, each as if it were the only one.
 *
 *    D:8k..64k            8, 16, 32 and 64 KB of data, each fully associative
 *    D:8k..64k,sets=64    the same sizes of 64 sets, with 2, 4, 8 and 16 ways
 *    D:8k..64k,ways=8     the same sizes with 8 ways, of 16, 32, 64, 128 sets
 *
 * What the sizes have in common is the line size and either the number of sets,
 * so that they differ in ways and are one LRU stack for each set (lru.h); or
 * the ways, so that the number of sets doubles from one size to the next and
 * they are nested (nest.h). If a size misses, so do all that are smaller.
 *
 * Sweeps of the same cache are linked. Owner: whoever read them; they live
 * until the process exits. */
#ifndef CG2_SWEEP_H
#define CG2_SWEEP_H

#include "model/cache/geometry.h"
#include "model/sweep/lru.h"
#include "model/sweep/nest.h"

/* The cache that a sweep stands for: the sweep is asked for what that cache is
 * asked for. */
typedef enum SweepCache { SWEEP_I, SWEEP_D, SWEEP_LL } SweepCache;

enum {
   SWEEP_CACHES = 3,
   SWEEP_SIZES_MAX = 24,
   SWEEP_LINES_MAX = 1 << 24, /* of the largest cache: 400 MB of memory */
   SWEEP_TEXT = 240,       /* bytes: the room that an error or a text needs */
   SWEEPS_SIZES_MAX = 28,  /* sizes that one access is looked up in */
   SWEEPS_COLUMNS_MAX = 56 /* columns of all sweeps together */
};

/* [cache]: the name that users know it by. */
extern const HChar* const cg2_sweep_names[SWEEP_CACHES];

typedef struct Sweep {
   struct Sweep* next; /* the next sweep of the same cache, or NULL */
   SweepCache cache;
   Bool has_ways; /* all sizes have the same ways; else the same number of
                     sets */
   UInt n;        /* sizes */
   Geometry of[SWEEP_SIZES_MAX]; /* [size], ascending */
   UInt first_bit; /* of an outcome: a miss of size 0; the other sizes follow */
   UInt line_bits;
   Lru stacks; /* unless has_ways */
   Nest nest;  /* if has_ways */
} Sweep;

/* Reads "D:8k..1m", which may go on with ",step=4k", ",line=32" and either
 * ",sets=64" or ",ways=8", in any order. Without a step sizes double; without
 * sets and ways caches have one set; a line has 64 bytes. False: the text is no
 * sweep, and `error`, of SWEEP_TEXT bytes, is one line without an end that says
 * what is wrong and what would be right. */
Bool cg2_sweep_parse(const HChar* text, Sweep* sweep, HChar* error);

/* Writes to `text` what tells size `i` apart from all others, as events are
 * named by it: "8K", "8Ks64", "8Kw4l32". */
void cg2_sweep_describe(const Sweep* sweep, UInt i, HChar* text);

/* Makes the empty caches of one sweep. */
void cg2_sweep_init(Sweep* sweep);

/* Makes an access of `size` bytes, to all lines that it lies in, in ascending
 * order, in `first` and all sweeps that are linked to it; NULL is no sweep.
 * Returns the bits of all sizes where one of the lines misses. */
UInt cg2_sweep_access(Sweep* first, Addr addr, UInt size);
/* Forgets all lines of `first` and all sweeps that are linked to it. */
void cg2_sweep_clear(Sweep* first);
/* How many sizes `first` and all sweeps that are linked to it have. */
UInt cg2_sweep_count(const Sweep* first);

/* All sweeps of a run. */
typedef struct Sweeps {
   Sweep* of[SWEEP_CACHES]; /* the first sweep of each cache, or NULL */
} Sweeps;

/* Adds a sweep. False: it does not go with the others, and `error`, of
 * SWEEP_TEXT bytes, is one line that says why. */
Bool cg2_sweep_add(Sweeps* sweeps, Sweep* sweep, HChar* error);

/* Makes the empty caches of all sweeps, and gives each the bits of an access's
 * outcome that are its own, from bit `first_bit` on. */
void cg2_sweep_init_all(Sweeps* sweeps, UInt first_bit);

#endif
