/* What bounds the loops that cost most. */
#ifndef CG2P_BOUNDS_H
#define CG2P_BOUNDS_H

#include "cycles/prices.h"
#include "cycles/recurrence.h"
#include "cycles/work.h"

enum { BOUNDS_MAX = 32 };

typedef struct Bounds {
   const ControlGraph* graph;
   const Gathering* gathering;
   const Workload* workload;
   const Prices* prices;
   const cg2p_core* core;
   Failure* failure;
   Arena arena;
   Recurrence recurrence;
   cg2p_bound of[BOUNDS_MAX];                     /* the dearest first */
   uint32_t heads[BOUNDS_MAX], tails[BOUNDS_MAX]; /* spots */
   size_t n;
} Bounds;

/* Finds them; the caller has set what is not found. */
void cg2p_bounds_find(Bounds* bounds);
void cg2p_bounds_free(Bounds* bounds);

#endif
