/* An estimate that is being made. */
#ifndef CG2P_ESTIMATE_H
#define CG2P_ESTIMATE_H

#include "cycles/bounds.h"
#include "cycles/forwards.h"
#include "cycles/prefetches.h"
#include "cycles/prices.h"
#include "cycles/spreading.h"
#include "cycles/walkers.h"
#include "sum/addend.h"

struct cg2p_cycles {
   Failure failure;
   const cg2p_profile* profile;
   const cg2p_core* core;
   CycleObjects objects;
   Gathering gathering;
   ControlGraph graph;
   Workload workload;
   Forwards forwards;
   Walkers walkers;
   Prices prices;
   Bounds bounds;
   Spreading spreading;
   cg2p_merge* sum;
   uint64_t n_ir; /* of all parts */
};

#endif
