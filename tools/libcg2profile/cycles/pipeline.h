/* An out-of-order core: each spot of the walk is fetched, dispatched, executed
 * and retired in turn, and what it does is put to the times at which the core
 * could do it. Times only grow from window to window. */
#ifndef CG2P_PIPELINE_H
#define CG2P_PIPELINE_H

#include "cycles/aliases.h"
#include "cycles/laststores.h"
#include "cycles/ports.h"
#include "cycles/recent.h"
#include "cycles/supply.h"

enum { BUFFER_SLOTS = 2048 }; /* a power of two, of all buffers */

/* When the last entries of a buffer leave it, in a circle. */
typedef struct Buffer {
   uint64_t n; /* entries that there were */
   uint64_t leaves[BUFFER_SLOTS];
   uint8_t causes[BUFFER_SLOTS]; /* what keeps them */
} Buffer;

/* The last branches, as spots. */
typedef struct LastBranches {
   uint32_t missed;   /* that was mispredicted */
   uint32_t computed; /* to a computed target, by itself or through a stub, that
                         led to the spot at hand; or CG2P_NONE */
} LastBranches;

/* Fetching, and predicting, which goes before it. */
typedef struct FetchStage {
   uint64_t at, slots, lines; /* what was fetched in this cycle */
   uint64_t jumps;            /* and taken */
   Cause cause;
   /* When a line was asked for last, and when the lines before it were fetched,
    * in a circle. */
   uint64_t predicted_at, lines_at[AHEAD_MAX], n_lines;
   uint64_t code_link;           /* when it brought the last line, in grains */
   bool goes_elsewhere, is_cold; /* the last spot, and its line has just come */
   Recent decoded, branches;
   bool decodes; /* the last spot's line was not decoded */
   LastBranches last;
} FetchStage;

typedef struct DispatchStage {
   uint64_t at, slots;
   Cause cause;
   Aliases aliases;
   bool has_moved; /* the stack pointer, since others used it last */
} DispatchStage;

typedef struct Buffers {
   Buffer queue, reorder, loads, stores;
} Buffers;

typedef struct ExecuteStage {
   uint64_t ready[CG2P_REGISTERS];
   bool adds_floats[CG2P_REGISTERS];
   bool loads[CG2P_REGISTERS]; /* a load made it, and nothing more */
   uint64_t divider;
   /* What works on a quotient takes no time of its own until the divider has
    * the next one, if divisions wait for it. */
   uint64_t hidden[CG2P_REGISTERS];
   LastStores stores;
   bool has_slow_sums; /* sums of accesses take a cycle: not x86-64 */
} ExecuteStage;

typedef struct RetireStage {
   uint64_t at, slots;
   uint64_t charged_to; /* in shares of cycles */
   uint64_t stored_at;
   SymbolicValue last_stored;
   bool is_paired;
} RetireStage;

typedef struct Pipeline {
   const cg2p_core* core;
   const ControlGraph* graph;
   const Workload* workload;
   Charge* charges;
   RatedSpot* rated; /* by number of rates */
   bool is_charged;  /* the walk is past its warm-up */
   Storage storage;
   Supply supply;
   Ports ports;
   FetchStage fetching;
   DispatchStage dispatching;
   Buffers buffers;
   ExecuteStage executing;
   RetireStage retiring;
   History history;
} Pipeline;

void cg2p_pipeline_begin(Pipeline* pipeline,
                         Failure* failure,
                         const cg2p_core* core,
                         const ControlGraph* graph,
                         const Workload* workload,
                         const Forwards* forwards,
                         uint32_t length,
                         uint64_t seed);
/* Begins a window: nothing is under way. */
void cg2p_pipeline_forget(Pipeline* pipeline);
/* A spot comes after the next one: has what is known of it fetched. */
void cg2p_pipeline_expect(const Pipeline* pipeline, uint32_t spot);
/* A spot is next; `taken`: control goes elsewhere from there. */
void cg2p_pipeline_step(Pipeline* pipeline, uint32_t spot, bool taken);
void cg2p_pipeline_free(Pipeline* pipeline);

#endif
