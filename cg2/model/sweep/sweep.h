/* A sweep: caches of many sizes at once, each as if it were the only one.
 *
 * What they have in common is the line size and either the number of sets, so
 * that they differ in ways and are one LRU stack for each set; or the ways, so
 * that the number of sets doubles from one to the next and they are nested.
 *
 * Sweeps of the same cache are linked. Owner: whoever read them; they live
 * until the process exits. */
#ifndef CG2_SWEEP_H
#define CG2_SWEEP_H

#include "model/cache/geometry.h"
#include "model/sweep/lru.h"
#include "model/sweep/nest.h"

/* Whose sizes: what they are asked for is what that cache is asked for. */
typedef enum SweepCache { SWEEP_I, SWEEP_D, SWEEP_LL } SweepCache;

enum {
   SWEEP_CACHES = 3,
   SWEEP_SIZES_MAX = 24,
   SWEEP_LINES_MAX = 1 << 24, /* of the largest cache: 400 MB of memory */
   SWEEP_TEXT = 240           /* bytes that the texts below have room in */
};

typedef struct Sweep {
   struct Sweep* next; /* of the same cache */
   SweepCache cache;
   Bool has_ways; /* all have the same; else the same number of sets */
   UInt n;
   Geometry of[SWEEP_SIZES_MAX]; /* ascending */
   UInt first_bit; /* of its sizes in an outcome, a bit for each */
   UInt line_bits;
   Lru stacks; /* if they have the same sets */
   Nest nest;  /* if they have the same ways */
} Sweep;

/* Reads "D:8k..1m", which may go on with ",step=4k", ",line=32" and either
 * ",sets=64" or ",ways=8", in any order. Without a step sizes double; without
 * sets and ways caches have one set; a line has 64 bytes. False if that is no
 * sweep; then `error` is one line, without an end, that says what is wrong and
 * what would be right. */
Bool cg2_sweep_parse(const HChar* text, Sweep* sweep, HChar* error);

/* What tells size `i` apart from all others, as events are named by it: "8K",
 * "8Ks64", "8Kw4l32". */
void cg2_sweep_describe(const Sweep* sweep, UInt i, HChar* text);

/* Makes its caches, which are empty. */
void cg2_sweep_init(Sweep* sweep);

/* For a sweep and all that are linked to it; NULL is none. */

/* An access of `size` bytes to all lines that it lies in, in ascending order.
 * The bits of those sizes where one of them misses. */
UInt cg2_sweep_access(Sweep* first, Addr addr, UInt size);
/* Forgets all lines. */
void cg2_sweep_clear(Sweep* first);
UInt cg2_sweep_count(const Sweep* first);

#endif
