#include "inlines/flow.h"
#include "base/search.h"

#include <stdlib.h>

/*--- Steps --------------------------------------------------------------*/

static void add_cost(Flow* flow, Failure* failure, const Line* row, uint32_t ir)
{
   Step* last = flow->n_steps ? &flow->steps[flow->n_steps - 1] : NULL;
   if (!last || last->address != row->at.instr) {
      flow->steps = cg2p_memory_grow(failure, flow->steps, &flow->steps_room,
                                     flow->n_steps + 1, sizeof *flow->steps);
      last = &flow->steps[flow->n_steps++];
      *last = (Step){.address = row->at.instr};
   }
   last->count += row->cost[ir];
}

size_t cg2p_flow_step(const Flow* flow, uint64_t address)
{
   return cg2p_search_first(i, 0, flow->n_steps,
                            flow->steps[i].address < address);
}

/* The step at an address; NULL: it is not in the function, or never ran. */
static Step* step_at(const Flow* flow, uint64_t address)
{
   size_t i = cg2p_flow_step(flow, address);
   return i < flow->n_steps && flow->steps[i].address == address
             ? &flow->steps[i]
             : NULL;
}

/*--- Blocks -------------------------------------------------------------*/

static void mark_jump(Flow* flow, const Line* row)
{
   Step *from = step_at(flow, row->at.instr),
        *to = step_at(flow, row->target.instr);
   if (to) to->begins = true;
   if (!from) return;
   from->jumped += row->count;
   if (from + 1 < flow->steps + flow->n_steps) from[1].begins = true;
}

static void make_blocks(Flow* flow, Failure* failure)
{
   flow->blocks = cg2p_memory_grow(failure, flow->blocks, &flow->blocks_room,
                                   flow->n_steps, sizeof *flow->blocks);
   flow->n_blocks = 0;
   for (size_t i = 0; i < flow->n_steps; i++) {
      Step* step = &flow->steps[i];
      if (!i || step->begins || step->count != step[-1].count)
         flow->blocks[flow->n_blocks++] = (FlowBlock){.first = i};
      step->block = flow->n_blocks - 1;
      flow->blocks[step->block].end = i + 1;
   }
}

/*--- Ways ---------------------------------------------------------------*/

static void add_passage(Flow* flow,
                        Failure* failure,
                        const Step* to,
                        const Passage* passage)
{
   if (!passage->count || flow->blocks[to->block].first != to - flow->steps)
      return;
   flow->passages =
      cg2p_memory_grow(failure, flow->passages, &flow->passages_room,
                       flow->n_passages + 1, sizeof *flow->passages);
   flow->passages[flow->n_passages] = *passage;
   flow->passages[flow->n_passages++].to = to->block;
}

enum { LONGEST_INSTRUCTION = 16 };

/* Where each block goes on at the next instruction. */
static void add_falls(Flow* flow, Failure* failure)
{
   for (size_t b = 0; b + 1 < flow->n_blocks; b++) {
      const Step *tail = &flow->steps[flow->blocks[b].end - 1],
                 *next = tail + 1;
      if (tail->count <= tail->jumped ||
          next->address - tail->address > LONGEST_INSTRUCTION)
         continue;
      uint64_t count = tail->count - tail->jumped;
      if (count > next->count) count = next->count;
      add_passage(flow, failure, next, &(Passage){.from = b, .count = count});
   }
}

static int compare_passages(const void* a, const void* b)
{
   const Passage *x = a, *y = b;
   return cg2p_rows_compare_numbers(x->to, y->to);
}

size_t cg2p_flow_passages_to(const Flow* flow, uint32_t block)
{
   return cg2p_search_first(i, 0, flow->n_passages,
                            flow->passages[i].to < block);
}

void cg2p_flow_make(Flow* flow, Failure* failure, const Rows* rows, uint32_t ir)
{
   flow->n_steps = flow->n_blocks = flow->n_passages = 0;
   for (size_t i = 0; i < rows->n; i++)
      if (rows->of[i].kind == CG2P_COST)
         add_cost(flow, failure, &rows->of[i], ir);
   for (size_t i = 0; i < rows->n; i++)
      if (rows->of[i].kind == CG2P_JUMP) mark_jump(flow, &rows->of[i]);
   make_blocks(flow, failure);
   for (size_t i = 0; i < rows->n; i++) {
      const Line* row = &rows->of[i];
      if (row->kind != CG2P_JUMP) continue;
      const Step *from = step_at(flow, row->at.instr),
                 *to = step_at(flow, row->target.instr);
      if (from && to)
         add_passage(flow, failure, to,
                     &(Passage){.from = from->block, .count = row->count});
   }
   add_falls(flow, failure);
   if (flow->n_passages)
      qsort(flow->passages, flow->n_passages, sizeof *flow->passages,
            compare_passages);
}

void cg2p_flow_free(Flow* flow)
{
   free(flow->steps);
   free(flow->blocks);
   free(flow->passages);
   *flow = (Flow){.n_steps = 0};
}
