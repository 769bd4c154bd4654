/* How long an iteration of a loop takes if only data have to wait for data: the
 * longest chain from one iteration to the next, by latencies alone. */
#ifndef CG2P_RECURRENCE_H
#define CG2P_RECURRENCE_H

#include "cycles/laststores.h"
#include "cycles/storage.h"
#include "cycles/work.h"

enum { LOOP_MAX = 512 }; /* spots of an iteration */

/* The way that is taken most often around a loop. */
typedef struct LoopPath {
   uint32_t n, spots[LOOP_MAX];
} LoopPath;

/* A chain through one iteration. */
typedef struct LoopChain {
   double cycles;
   uint32_t n, spots[LOOP_MAX]; /* in their order */
} LoopChain;

/* A spot in one iteration: when its result is there, and the event that it
 * waited for. */
typedef struct RecurrenceEvent {
   uint64_t at;
   int32_t from;
} RecurrenceEvent;

/* What the search for a chain needs. The caller sets `stores`; storage and
 * events are 0 where no search is under way. */
typedef struct Recurrence {
   Storage storage;
   RecurrenceEvent* events;
   LastStores* stores;
   uint32_t window; /* of those; it goes down, as the walk's go up */
} Recurrence;

/* Finds the chain of a loop that takes longest. If it fails, `memory` is left
 * to the caller to free. */
void cg2p_recurrence_find(LoopChain* chain,
                          Recurrence* memory,
                          Failure* failure,
                          const LoopPath* path,
                          const ControlGraph* graph,
                          const Workload* workload,
                          const CoreNumbers* numbers);
void cg2p_recurrence_free(Recurrence* memory);

#endif
