#include "stacks.h"

#include <stdlib.h>
#include <string.h>

static const char small_shares[] = "(small shares)";
const Name cg2p_small_shares = {small_shares, sizeof small_shares - 1};

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
   free(stacks->self);
   free(stacks->total);
   free(stacks->shares);
   cg2p_short_names_free(&stacks->names);
   free_division(&stacks->division);
   free(stacks);
}

size_t cg2p_stack_count(const cg2p_stacks* stacks)
{
   return stacks->n;
}

const cg2p_stack* cg2p_stack_array(const cg2p_stacks* stacks)
{
   return stacks->of;
}

const uint64_t* cg2p_stack_self_costs(const cg2p_stacks* stacks)
{
   return stacks->self;
}

const uint64_t* cg2p_stack_inclusive_costs(const cg2p_stacks* stacks)
{
   return stacks->inclusive;
}

uint64_t cg2p_stacks_apportioned(const cg2p_stacks* stacks)
{
   return stacks->apportioned;
}

const char* cg2p_stack_function_name(const cg2p_stacks* stacks,
                                     uint32_t function,
                                     size_t* length)
{
   const Name* name = cg2p_short_name(stacks, function);
   if (length) *length = name->length;
   return name->text;
}
