#include "stacks/stacks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char small_shares[] = "(small shares)";
const StoredName cg2p_stacks_small_shares = {small_shares,
                                             sizeof small_shares - 1};

static void free_division(Division* division)
{
   cg2p_table_free(division->table);
   free(division->ranks);
   free(division->by_rank);
   free(division->first);
   free(division->sums);
   free(division->n_stacks);
   free(division->cuts_of);
   free(division->cuts);
}

void cg2p_stacks_free(cg2p_stacks* stacks)
{
   if (!stacks) return;
   free(stacks->of);
   free(stacks->origins);
   free(stacks->inclusive);
   free(stacks->total);
   free(stacks->shares);
   cg2p_plainname_free(&stacks->names);
   free_division(&stacks->division);
   free(stacks);
}

size_t cg2p_stacks_count(const cg2p_stacks* stacks)
{
   return stacks->n;
}

const cg2p_stack* cg2p_stacks_array(const cg2p_stacks* stacks)
{
   return stacks->of;
}

const uint64_t* cg2p_stacks_inclusive_costs(const cg2p_stacks* stacks)
{
   return stacks->inclusive;
}

/* The least cost, at least 1, that is this share of a total; the largest number
 * where no cost is. */
static uint64_t least_of(double share, uint64_t total)
{
   double least = ceil(share * total);
   if (least >= 0x1p64) return UINT64_MAX;
   return least > 1 ? least : 1;
}

size_t
cg2p_stacks_above(const cg2p_stacks* stacks, double share, uint32_t* numbers)
{
   uint32_t n_events = stacks->part->n_events;
   const uint64_t* cost = stacks->inclusive;
   size_t n = 0;
   for (uint32_t stack = 0; stack < stacks->n; stack++, cost += n_events) {
      uint32_t event = 0;
      while (event < n_events &&
             cost[event] < least_of(share, stacks->total[event]))
         event++;
      if (event == n_events) continue;
      if (numbers) numbers[n] = stack;
      n++;
   }
   return n;
}

uint64_t cg2p_stacks_apportioned(const cg2p_stacks* stacks)
{
   return stacks->apportioned;
}

cg2p_chains cg2p_stacks_chains(const cg2p_stacks* stacks)
{
   if (!stacks->lacks_chains) return CG2P_FULL_CHAINS;
   return stacks->names.has_chains ? CG2P_SHORT_CHAINS : CG2P_NO_CHAINS;
}

const char* cg2p_stacks_function_name(const cg2p_stacks* stacks,
                                      uint32_t function,
                                      size_t* length)
{
   const StoredName* name = cg2p_stacks_plain_name(stacks, function);
   if (length) *length = name->length;
   return name->text;
}
