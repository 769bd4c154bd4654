/* Pairs: places of data objects that meet, and how often they do.
 *
 * Where threads share a cache line, a pair is the place that one thread wrote,
 * which took the line from another one, and the place where the other one then
 * missed it. Threads that access the same bytes share data; others share the
 * line only, which is false sharing. Places of a block that are accessed
 * together are pairs, too: see visits.h.
 *
 * An object that many pairs begin in has its first PAIRS_MAX, of PAIR_PLACES
 * places; what is beyond counts at PAIR_ANYWHERE. */
#ifndef CG2_PAIRS_H
#define CG2_PAIRS_H

#include "base/table.h"
#include "data/memory/dataobject.h"

enum { PAIRS_MAX = 4096, PAIR_PLACES = 1024 };

/* Stands for all offsets with a remainder when divided by a distance, as data
 * files have it. */
#define PAIR_FOLDED(distance, remainder)                                       \
   (1ULL << 63 | (distance) << 31 | (remainder))

/* Stands for all offsets. */
#define PAIR_ANYWHERE PAIR_FOLDED(1ULL, 0)

typedef enum PairKind {
   PAIR_FALSE_SHARING,
   PAIR_SHARING,
   PAIR_TOGETHER
} PairKind;

/* A place that a thread accesses. Lives until exit. Of places that are accessed
 * together the thread is 0, unless threads are kept apart. */
typedef struct PairPlace {
   TableNode node; /* key: all below */
   DataObject* object;
   ULong offset;
   UInt tid;
} PairPlace;

typedef struct Pair {
   TableNode node; /* key: kind, from, to */
   PairKind kind;
   const PairPlace *from, *to;
   ULong count;
} Pair;

/* The place of an offset in an object. Made on first use. */
const PairPlace* cg2_pairs_place(DataObject* object, ULong offset, UInt tid);

/* Counts that two places meet. */
void cg2_pairs_count(PairKind kind, const PairPlace* from, const PairPlace* to);

/* All pairs whose second place thread `tid` accesses, or, for 0, all: those of
 * one kind, object and two threads together, in an order that depends on them
 * alone. To be freed with VG_(free). *n becomes how many there are. */
Pair** cg2_pairs_all(UWord* n, UInt tid);

/* How many pairs there are. */
UWord cg2_pairs_n(void);

/* Whether two pairs are of one kind, first object and two threads. */
Bool cg2_pairs_are_alike(const Pair* a, const Pair* b);

/* Forgets the pairs that cg2_pairs_all() returns. */
void cg2_pairs_zero(UInt tid);

#endif
