/* Which store a load of the walk reads from, by what a run recorded. */
#ifndef CG2P_LASTSTORES_H
#define CG2P_LASTSTORES_H

#include "cycles/controlgraph.h"
#include "cycles/core.h"
#include "cycles/forwards.h"
#include "cycles/storage.h"
#include "cycles/walk.h"

/* The last stores that a spot made in a window, in a circle. */
typedef struct StoreCircle {
   uint32_t window, n;
   Record* of[FORWARD_AGO_MAX];
} StoreCircle;

typedef struct LastStores {
   const Forwards* forwards;
   StoreCircle* circles; /* of each source of forwards */
   Random random;        /* what a load is forwarded this time */
} LastStores;

void cg2p_laststores_begin(LastStores* last,
                           Failure* failure,
                           const Forwards* forwards,
                           uint64_t seed);
/* A spot has stored, in a window. */
void cg2p_laststores_add(LastStores* last,
                         uint32_t window,
                         uint32_t spot,
                         Record* record);
/* The store that a load at a spot reads from this time; NULL: it is none of
 * this window. It reads from any as often as was recorded, and from those that
 * are in the window for those that are not: code that several others call reads
 * what its caller of this time has stored. *mixed: others, or memory, have some
 * of the bytes. */
Record* cg2p_laststores_draw(LastStores* last,
                             const ControlGraph* graph,
                             uint32_t window,
                             uint32_t spot,
                             bool* mixed);
/* Whether it is for what a run recorded to say if a load reads from a store: if
 * it recorded any such, and they are of one object. By the code alone the order
 * of a walk, which the program may not have, makes others. A return reads what
 * its call has stored. */
bool cg2p_laststores_know(const LastStores* last,
                          const ControlGraph* graph,
                          uint32_t load,
                          uint32_t store);
/* The store that a load at a spot reads from more often than not; NULL: there
 * is none such, or it is none of this window. */
Record* cg2p_laststores_usual(const LastStores* last,
                              const ControlGraph* graph,
                              uint32_t window,
                              uint32_t spot,
                              bool* mixed);
/* Whether a load at a spot has what a store wrote as soon as the store has it:
 * by the registers of their addresses, or as a core learns it, where the load
 * nearly always reads from that store, so many executions ago. */
bool cg2p_laststores_is_fast(const LastStores* last,
                             const ControlGraph* graph,
                             uint32_t spot,
                             const Record* store,
                             const CoreForwarding* forwarding);
void cg2p_laststores_free(LastStores* last);

#endif
