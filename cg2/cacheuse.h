/* Cache use: how well each line that was loaded has been used when it goes.
 *
 * Two levels as in the hierarchy, but that a level is asked for one line at a
 * time: for the line that has the start of the missing line of the level above.
 * A line is 32 sections (as many as it has bytes, if that is less). When it is
 * evicted, whoever loaded it is charged with
 *
 *    AcCost  1000 / accesses: what loading it cost for each access
 *    SpLoss  the bytes of sections that no access lay in
 *
 * The last level does not see the accesses that hit in the first: it learns of
 * them when the first level evicts the line. They then count for what lies in
 * the slot that the line was loaded to or from, which is another line if the
 * last level has evicted it meanwhile; nothing is charged for a line that it
 * evicts before it learns of any. */
#ifndef CG2_CACHEUSE_H
#define CG2_CACHEUSE_H

#include "hierarchy.h"

/* Who loads a line: `slot` of `place`, which is not NULL. What they are is up
 * to the caller. */
typedef struct Loader {
   void* place;
   UWord slot;
} Loader;

/* Charges `loader` for a line of `level`, 1 or 2 (the last). */
typedef void (*CacheuseCharge)(Loader loader,
                               UInt level,
                               ULong access_cost,
                               ULong bytes_lost);

/* Empty caches; there is no second level beside the last, nothing is written
 * back or prefetched. */
void cg2_cacheuse_init(const HierarchyConfig* config, CacheuseCharge charge);

/* Accesses as the hierarchy's, with the same outcomes. `loader` is charged
 * later for the lines that this access loads. A read and a
 * write are the same. */
UInt cg2_cacheuse_fetch(Addr addr, UInt size, Loader loader);
UInt cg2_cacheuse_data(Addr addr, UInt size, Loader loader);

/* Evicts all lines: for the end of the program. */
void cg2_cacheuse_flush(void);

/* Forgets all lines; nobody is charged for them. */
void cg2_cacheuse_clear(void);

#endif
