/* Which lines of a file in OLD are which in NEW, of pairs that may be.
 *
 * A *chain* is pairs that do not contradict each other: each is of a later line
 * of both than the one before. Lines that an edit moved are moved together, so
 * pairs of one *distance* belong to each other; another distance than that of
 * the pair before costs something, as somebody has edited the file there. A
 * *run* is the pairs of a chain that have one distance without a break. */
#ifndef CG2P_CHAIN_H
#define CG2P_CHAIN_H

#include "base/hash.h"

#include <stdbool.h>

/* What speaks for a pair: its functions have both lines, and more. A pair
 * counts at least WEIGHT_LEAST. */
enum {
   WEIGHT_LEAST = 1,
   WEIGHT_PAIRED = 48,
   WEIGHT_SAME_COST = 16,
   WEIGHT_SAME_RATIO = 16, /* both cost as many times what they did as those
                              of the pair before, in a run */
   WEIGHT_SAME_CALLS = 48,
   WEIGHT_SAME_COUNTS = 16,  /* of these calls */
   WEIGHT_OTHER_CALLS = -16, /* not the same functions are called */
   WEIGHT_SAME_TEXT = 64,
   WEIGHT_OTHER_TEXT = -16,
   WEIGHT_EDIT = -32, /* another distance: less than a pair, two are more */
};

/* A line of a file, over all functions that have it. */
typedef struct FileLine {
   uint64_t line, cost, functions;
} FileLine;

/* Lines of both sides that may be the same, by their places among the lines of
 * the file; what speaks for them, the mean over functions. */
typedef struct LinePair {
   uint32_t old, new;
   int64_t weight;
} LinePair;

/* A pair of the chain. */
typedef struct SameLine {
   uint64_t old, new;
} SameLine;

/* The way to the best chain that ends with a candidate. */
typedef struct Link {
   uint32_t before; /* the candidate before; CG2P_NONE: it is the first one */
   bool is_told;    /* more speaks for it than that the functions have both */
   int64_t weight;  /* of the whole chain */
} Link;

/* A distance, and the last candidate that has it. */
typedef struct Distance {
   uint64_t by; /* what is added to the line of OLD, modulo 2^64 */
   uint32_t last;
} Distance;

/* LinePairs of the file at hand, by lines of OLD; those of one line by lines
 * of NEW, the last one first: so none of them comes behind another in a chain.
 */
typedef struct LinePairs {
   const FileLine* lines[2]; /* of OLD and NEW */
   LinePair* of;
   size_t n;
} LinePairs;

typedef struct Chain {
   SameLine* of; /* lines rising: what was found */
   size_t n, told;
   size_t room;
   Link* links; /* the rest is memory for the search */
   uint32_t* ends;
   uint32_t* path;
   Distance* distances;
   size_t links_room, ends_room, path_room, distances_room, n_distances;
   Hash by_distance;
} Chain;

/* Finds the chain that most speaks for. The file's beginning is a pair of
 * distance 0. Of chains that as much speaks for that is kept whose last pair
 * stands first in NEW, then in OLD; so on for the pairs before, but a pair
 * follows one of its own distance rather than another.
 *
 * A run of another distance than the one before is kept if at least half of its
 * pairs are told; or if it is more than one pair, and the run behind it has not
 * the distance of the one before again, as if lines had moved away and those
 * behind them back. In place of others, lines stand as those before. */
void cg2p_chain_find(Chain* chain,
                     Failure* failure,
                     const LinePairs* candidates);
void cg2p_chain_free(Chain* chain);

#endif
