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

/* Who loads a line: `slot` of `place`, which is not NULL. What a place and a
 * slot are is up to the caller. */
typedef struct Loader {
   void* place;
   UWord slot;
} Loader;

/* A function that charges `loader` for a line of `level`, 1 or 2 (the last). */
typedef void (*CacheuseCharge)(Loader loader,
                               UInt level,
                               ULong access_cost,
                               ULong bytes_lost);

/* Makes empty caches for a configuration that the hierarchy has, without a
 * second level beside the last, in which nothing is written back or prefetched.
 */
void cg2_cacheuse_init(const HierarchyConfig* config, CacheuseCharge charge);

/* Fetches `size` bytes of code at `addr`, with the outcomes of the hierarchy.
 * `loader` is charged later for the lines that this loads. */
UInt cg2_cacheuse_fetch(Addr addr, UInt size, Loader loader);
/* Reads or writes `size` bytes of data at `addr`, which is the same here;
 * otherwise as cg2_cacheuse_fetch(). */
UInt cg2_cacheuse_data(Addr addr, UInt size, Loader loader);

/* Charges for all lines as if they were evicted: for the end of the program. If
 * the program goes on, the lines are still there, and cost nobody anything
 * more. */
void cg2_cacheuse_finish(void);

/* Forgets all lines, for which nobody is charged. */
void cg2_cacheuse_clear(void);

/*--- Accesses that generated code makes ---------------------------------*/

/* What a line has been used for so far. */
typedef struct Use {
   ULong n_accesses;
   UInt sections; /* a bit for each section that was accessed */
   UInt below;    /* first level only: the slot in the last level */
} Use;

/* The first-level cache that accesses of a kind go to. Whoever finds a line
 * marked there puts the time down at the mark, and adds the access to the
 * line's Use. NULL: each access has to be made. */
const MarkedCache* cg2_cacheuse_first(AccessKind kind);

/* The address from which on Uses lie as stamps do: the Use of a marked line is
 * at this address + the address of its stamp * CACHEUSE_SCALE. */
enum { CACHEUSE_SCALE = sizeof(Use) / sizeof(UInt) };
UWord cg2_cacheuse_base(AccessKind kind);

/* [offset in a line]: the sections of that line which an access of `size`
 * bytes, at most CACHEUSE_SIZE_MAX, lies in. */
enum { CACHEUSE_SIZE_MAX = 63 };
const UInt* cg2_cacheuse_sections(AccessKind kind, UInt size);

/* Makes an access that goes to cg2_cacheuse_first() but is not known to be a
 * hit there. The caller puts times down as for cg2_hierarchy_marked_fetch() and
 * cg2_hierarchy_marked_data(), and adds the access to the Uses of the lines
 * that get a time. */
UInt cg2_cacheuse_marked_fetch(Addr addr, UInt size, Loader loader);
UInt cg2_cacheuse_marked_data(Addr addr, UInt size, Loader loader);

/* The caches as a machine, with the outcomes of the hierarchy. */
extern const Machine cg2_cacheuse_machine;

#endif
