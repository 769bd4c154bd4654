/* The hierarchy: first-level caches for code and data, a private second level
 * if there is one, and the last level.
 *
 * The rules are Callgrind's. Levels are inclusive, the line that was not used
 * for longest is replaced, a write loads its line, addresses are virtual. An
 * access touches all lines that it lies in, in ascending order; it is a miss if
 * one of them is. When a level misses, the next one is asked for the whole
 * access.
 *
 * If lines are written back, each write goes on to the last level, which
 * remembers that the line is dirty; to evict a dirty line costs more. If lines
 * are prefetched, an access that goes on to the last level and is the third of
 * three neighbouring lines in its page has the line five further loaded there
 * first. */
#ifndef CG2_HIERARCHY_H
#define CG2_HIERARCHY_H

#include "model/cache/machine.h"
#include "model/sweep/sweep.h"

typedef struct HierarchyConfig {
   Geometry i1, d1; /* the first level, for code and for data */
   Geometry ll;     /* the last level */
   Geometry l2;     /* the second level; size 0: there is none */
   Bool writes_back, prefetches;
} HierarchyConfig;

/* What an access did: the sum of these bits, of cg2_hierarchy_l2_miss() and of
 * the bits of sweeps. 0: the access hit in the first level. */
typedef enum Outcome {
   OUTCOME_L1_MISS = 1,
   OUTCOME_LL_MISS = 2,
   OUTCOME_DIRTY = 4 /* an LL miss evicted a dirty line; only if written back */
} Outcome;

/* The bit of a miss of the second level, which stands behind those of Outcome
 * that can be. */
static inline UInt cg2_hierarchy_l2_miss(const HierarchyConfig* config)
{
   return config->writes_back ? 8 : 4;
}

/* Makes an empty hierarchy of geometries that cg2_geometry_check accepts. */
void cg2_hierarchy_init(const HierarchyConfig* config);

/* Lets these sweeps, or NULL, be asked for whatever the last level is asked
 * for. */
void cg2_hierarchy_sweep(Sweep* sweeps);

/* Fetches `size` bytes of code at `addr`, at least one. Returns the outcome. */
UInt cg2_hierarchy_fetch(Addr addr, UInt size);
/* Reads or writes `size` bytes of data at `addr`, at least one and at most
 * cg2_hierarchy_data_max(). Returns the outcome. */
UInt cg2_hierarchy_data(Addr addr, UInt size, Bool is_write);

/* Fetches as cg2_hierarchy_fetch() what goes to cg2_hierarchy_first() but is
 * not known to be a hit there. Then the caller puts the time down at the mark
 * of the first line; and if there are two lines, a time that is one tick later
 * at the mark of the second. */
UInt cg2_hierarchy_marked_fetch(Addr addr, UInt size);
/* Reads or writes as cg2_hierarchy_data() what goes to cg2_hierarchy_first()
 * but is not known to be a hit there. Then the caller puts the time down at the
 * mark of the first line. */
UInt cg2_hierarchy_marked_data(Addr addr, UInt size, Bool is_write);
/* cg2_hierarchy_marked_data() of a write, if writes are written back. */
UInt cg2_hierarchy_marked_write_back(Addr addr, UInt size);

/* The largest access to data, in bytes: see cg2_access_data_max(). */
UInt cg2_hierarchy_data_max(void);

/* The size of a line of the first level for code. */
UWord cg2_hierarchy_code_line(void);

/* Describes the outcomes of accesses of a kind, as a Machine does. */
UInt cg2_hierarchy_describe(AccessKind kind, MachineEvent* events);

/* Forgets all lines. */
void cg2_hierarchy_clear(void);

/* The first-level cache that accesses of a kind go to. An access that lies in
 * one line, which is marked there, is a hit: the time need only be put down at
 * the mark, whose address never changes. NULL: each access has to be made. */
const MarkedCache* cg2_hierarchy_first(AccessKind kind);

/* If writes are written back: the marks of lines that a write does not change
 * in the last level. No marks: each write changes it. */
Marks cg2_hierarchy_written(void);

/* The hierarchy as a machine. Times begin anew as cg2_marked_renumber() says.
 */
extern const Machine cg2_hierarchy_machine;

#endif
