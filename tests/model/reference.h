/* The slow, obvious models that the simulator is compared with, and the
 * accesses that they are compared on. The models share no code with it. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "model/callgrind/hierarchy.h"

/*--- Chance, the same in each run ---------------------------------------*/

typedef struct Chance {
   ULong state; /* not 0 */
} Chance;

/* A number of 64 bits. */
ULong chance_next(Chance* chance);
/* A number below n. */
ULong chance_below(Chance* chance, ULong n);

/*--- A cache ------------------------------------------------------------*/

/* A way of a set. */
typedef struct ReferenceWay {
   ULong last_touch; /* `now` at that time; 0: the way is empty */
   UWord line;
   Bool is_dirty;
} ReferenceWay;

/* How a way's line is used: apart, as most models look at ways alone. */
typedef struct ReferenceUse {
   void* loader; /* who loaded the line; NULL: nobody yet */
   ULong n_accesses;
   Bool is_accessed[32];       /* [section] */
   struct ReferenceUse* below; /* of the way of the last level with the line */
} ReferenceUse;

typedef struct ReferenceCache {
   UWord n_sets;
   UInt n_ways, line_bytes;
   ReferenceWay* ways; /* [n_sets][n_ways] */
   ReferenceUse* uses; /* the same */
   ULong now;          /* touches so far */
} ReferenceCache;

void reference_cache_init(ReferenceCache* cache, const Geometry* geometry);
void reference_cache_free(ReferenceCache* cache);
/* The way that holds a line, or NULL. */
ReferenceWay* reference_cache_find(const ReferenceCache* cache, UWord line);
/* An empty way of a line's set, or the way touched longest ago. */
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

/* A made-up program, which walks, jumps and comes back over lines. */
typedef struct Walk {
   Chance chance;
   UInt kind;    /* what it does: below WALKS, see walk_next() */
   ULong span;   /* lines that it works on */
   UWord n_sets; /* of the cache that it is to try */
   ULong step;   /* accesses so far */
} Walk;

enum { WALKS = 8 };

/* The line that the program accesses next. */
UWord walk_next(Walk* walk);

#endif
