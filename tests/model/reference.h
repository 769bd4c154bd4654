/* The slow, obvious models that the simulator is compared with, and the
 * accesses that they are compared on. They share no code with it. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "model/callgrind/hierarchy.h"

/*--- Chance, the same in each run ---------------------------------------*/

typedef struct Chance {
   ULong state; /* not 0 */
} Chance;

ULong chance_next(Chance* chance);
/* Below n. */
ULong chance_below(Chance* chance, ULong n);

/*--- One cache ----------------------------------------------------------*/

/* A way of a set. */
typedef struct ReferenceWay {
   ULong last_touch; /* 0: empty */
   UWord line;
   Bool is_dirty;
   /* Of cache use. */
   void* loader; /* NULL: none yet */
   ULong n_accesses;
   Bool is_accessed[32];       /* each section */
   struct ReferenceWay* below; /* where the last level loaded it */
} ReferenceWay;

typedef struct ReferenceCache {
   UWord n_sets;
   UInt n_ways, line_bytes;
   ReferenceWay* ways; /* [n_sets][n_ways] */
   ULong now;
} ReferenceCache;

void reference_cache_init(ReferenceCache* cache, const Geometry* geometry);
void reference_cache_free(ReferenceCache* cache);
/* The way that holds the line, or NULL. */
ReferenceWay* reference_cache_find(const ReferenceCache* cache, UWord line);
/* An empty way of the line's set, or the one touched longest ago. */
ReferenceWay* reference_cache_victim(const ReferenceCache* cache, UWord line);
void reference_cache_touch(ReferenceCache* cache, ReferenceWay* way);

/*--- The hierarchy ------------------------------------------------------*/

void reference_init(const HierarchyConfig* config);
void reference_free(void);
UInt reference_access(AccessKind kind, Addr addr, UInt size);

/*--- Cache use ----------------------------------------------------------*/

typedef void (*ReferenceCharge)(void* loader, UInt level, ULong, ULong);

void reference_use_init(const HierarchyConfig* config, ReferenceCharge charge);
UInt reference_use_access(AccessKind kind, Addr addr, UInt size, void* loader);
void reference_use_finish(void);
void reference_use_clear(void);
void reference_use_free(void);

/*--- Branches -----------------------------------------------------------*/

Bool reference_conditional(Addr addr, Bool is_taken);
Bool reference_indirect(Addr addr, Addr target);

/*--- Accesses -----------------------------------------------------------*/

/* A program of a kind: it walks, jumps and comes back. */
typedef struct Walk {
   Chance chance;
   UInt kind;  /* below WALKS */
   ULong span; /* lines that it works on */
   UWord n_sets;
   ULong step;
} Walk;

enum { WALKS = 8 };

/* The next line that is accessed. */
UWord walk_next(Walk* walk);

#endif
