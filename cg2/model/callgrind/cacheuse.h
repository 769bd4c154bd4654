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

#include "model/callgrind/hierarchy.h"

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

/* Charges for all lines as if they were evicted: for the end of the program. If
 * it goes on, they are still there, and cost nobody anything more. */
void cg2_cacheuse_finish(void);

/* Forgets all lines; nobody is charged for them. */
void cg2_cacheuse_clear(void);

/*--- Accesses that generated code makes ---------------------------------*/

/* What a line has been used for so far. */
typedef struct Use {
   ULong n_accesses;
   UInt sections; /* a bit for each that was accessed */
   UInt below;    /* of the first level: the slot of the last level */
} Use;

/* As cg2_hierarchy_first: whoever finds a line marked there puts the time into
 * the mark, and the access into the line's Use. NULL: each access has to be
 * made. */
const MarkedCache* cg2_cacheuse_first(AccessKind kind);

/* The Use of a marked line is at this address + its stamp's * CACHEUSE_SCALE.
 */
enum { CACHEUSE_SCALE = sizeof(Use) / sizeof(UInt) };
UWord cg2_cacheuse_base(AccessKind kind);

/* For each offset in a line: the sections of that line which an access of
 * `size` bytes, at most CACHEUSE_SIZE_MAX, lies in. */
enum { CACHEUSE_SIZE_MAX = 63 };
const UInt* cg2_cacheuse_sections(AccessKind kind, UInt size);

/* As cg2_hierarchy_marked_fetch and cg2_hierarchy_marked_data: of an access
 * that goes to cg2_cacheuse_first() but is not known to be a hit there. Then
 * lines that a time has to be put to do not know of the access either. */
UInt cg2_cacheuse_marked_fetch(Addr addr, UInt size, Loader loader);
UInt cg2_cacheuse_marked_data(Addr addr, UInt size, Loader loader);

/* Times begin anew, as in marked.h. */
void cg2_cacheuse_renumber(void);

#endif
