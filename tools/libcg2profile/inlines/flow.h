/* How control went through one function, as its lines say: its instructions,
 * in blocks that are entered at their head and left at their tail, and how
 * often each passage from one to another was taken. Passages are known by
 * jumps; what a block's tail does not jump goes on at the next instruction. */
#ifndef CG2P_FLOW_H
#define CG2P_FLOW_H

#include "profile/rows.h"

/* An instruction that ran. */
typedef struct Step {
   uint64_t address, count;
   uint64_t jumped; /* how often it jumped */
   uint32_t block;
   bool begins; /* a block */
} Step;

/* Steps `first` to `end` - 1. */
typedef struct FlowBlock {
   uint32_t first, end;
} FlowBlock;

/* From a block to another. */
typedef struct Passage {
   uint32_t from, to;
   uint64_t count;
} Passage;

typedef struct Flow {
   Step* steps; /* in the order of their addresses */
   size_t n_steps, steps_room;
   FlowBlock* blocks;
   size_t n_blocks, blocks_room;
   Passage* passages; /* by block that they lead to */
   size_t n_passages, passages_room;
} Flow;

/* Makes the flow of rows in the order of their addresses; event number `ir`
 * says how often an instruction ran. */
void cg2p_flow_make(Flow* flow,
                    Failure* failure,
                    const Rows* rows,
                    uint32_t ir);
/* The step at an address, or the first one behind it; n_steps: there is none.
 */
size_t cg2p_flow_step(const Flow* flow, uint64_t address);
/* The first passage to a block, or to one behind it. */
size_t cg2p_flow_passages_to(const Flow* flow, uint32_t block);
void cg2p_flow_free(Flow* flow);

#endif
