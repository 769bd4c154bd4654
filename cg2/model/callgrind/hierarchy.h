/* The hierarchy: first-level caches for code and data, a private second level
 * if there is one, and the last level.
 *
 * As Callgrind's: inclusive, least recently used lines are replaced, a write
 * allocates, addresses are virtual. An access touches all lines that it lies
 * in, in ascending order; it is a miss if one of them is. The next level is
 * asked for the whole access when a level misses.
 *
 * Written back: each write goes on to the last level, which remembers that the
 * line is dirty; to evict such a line costs more. Prefetched: when an access
 * that goes on to the last level is the third of three neighbouring lines in
 * its page, the line five further is loaded there before. */
#ifndef CG2_HIERARCHY_H
#define CG2_HIERARCHY_H

#include "model/cache/access.h"
#include "model/cache/marked.h"
#include "model/sweep/sweep.h"

typedef struct HierarchyConfig {
   Geometry i1, d1, ll;
   Geometry l2; /* size 0: there is none */
   Bool writes_back, prefetches;
} HierarchyConfig;

/* What an access did: the sum of these, and of the bits of sweeps. 0: a hit in
 * the first level. */
typedef enum Outcome {
   OUTCOME_L1_MISS = 1,
   OUTCOME_LL_MISS = 2,
   OUTCOME_DIRTY = 4 /* an LL miss that evicted a dirty line, if written back */
   /* and behind these, if there is a second level, its miss: see below */
} Outcome;

static inline UInt cg2_hierarchy_l2_miss(const HierarchyConfig* config)
{
   return config->writes_back ? 8 : 4;
}

/* Makes an empty hierarchy of geometries that cg2_geometry_check accepts. */
void cg2_hierarchy_init(const HierarchyConfig* config);

/* These sweeps, or NULL, are asked for what the last level is. */
void cg2_hierarchy_sweep(Sweep* sweeps);

/* `size` bytes, at least one. Of data the caller passes no more than
 * cg2_hierarchy_data_max() bytes: a larger access counts as one of that size.
 * An access is worth so many ticks: it touches fewer lines of a first level. */
enum { HIERARCHY_TICKS = 4 };
UInt cg2_hierarchy_fetch(Addr addr, UInt size);
UInt cg2_hierarchy_data(Addr addr, UInt size, Bool is_write);

/* Likewise, of an access that goes to cg2_hierarchy_first() but is not known to
 * be a hit there. Then its time has to be put into the mark at its first line;
 * a fetch from two lines puts one that is a tick later into that of the second.
 */
UInt cg2_hierarchy_marked_fetch(Addr addr, UInt size);
UInt cg2_hierarchy_marked_data(Addr addr, UInt size, Bool is_write);
/* Of a write, if written back. */
UInt cg2_hierarchy_marked_write_back(Addr addr, UInt size);

/* Times begin anew, as in marked.h. */
void cg2_hierarchy_renumber(void);

/* The largest access to data, in bytes: see cg2_access_data_max(). */
UInt cg2_hierarchy_data_max(void);

/* Forgets all lines. */
void cg2_hierarchy_clear(void);

/* The first-level cache that accesses of a kind go to. An access that lies in
 * one line, which is marked there, is a hit: it need only be put into the mark,
 * whose address never changes. NULL: each access has to be made. */
const MarkedCache* cg2_hierarchy_first(AccessKind kind);

/* If written back: a write does not change the last level if its line has a
 * mark here. None: all do. */
Marks cg2_hierarchy_written(void);

#endif
