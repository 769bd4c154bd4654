/* What a profile says about one context: costs, calls and jumps, each at a
 * position.
 *
 * Items are added in any order, then sorted, and equal ones added up. The
 * arrays are reused from context to context. */
#ifndef CG2_ITEMS_H
#define CG2_ITEMS_H

#include "engine/graph.h"
#include "profile/callgrind/position.h"

/* Self cost at one position. */
typedef struct CostItem {
   Position at;
   UInt self; /* costs: see cg2_items_vector */
} CostItem;

/* All calls from one position to one context. */
typedef struct CallItem {
   Position at;
   const Context* callee;
   ULong count;
   UInt inclusive; /* costs: see cg2_items_vector */
} CallItem;

/* All jumps from one position to another that are no calls. An instruction that
 * jumps also counts as executed when it does not jump. */
typedef struct JumpItem {
   Position at, target;
   Bool is_conditional;
   ULong executed, taken; /* equal unless the jump is conditional */
} JumpItem;

/* All zero has no items. */
typedef struct Items {
   CostItem* costs;
   UInt n_costs, max_costs;
   CallItem* calls;
   UInt n_calls, max_calls;
   JumpItem* jumps; /* if jumps are collected */
   UInt n_jumps, max_jumps;
   ULong* vectors; /* costs of items, one vector behind the other */
   UInt n_vectors, max_vectors;
} Items;

/* The costs with this number. Valid until the next item is added. */
static inline ULong* cg2_items_vector(const Items* items, UInt number)
{
   return items->vectors + (SizeT)number * cg2_events.n;
}

/* `array` with room for one more record of `size` bytes than the `n` that it
 * has; *max becomes what it has room for. */
void* cg2_items_with_room(void* array, UInt n, UInt* max, SizeT size);

/* Removes all items, and makes room for `n_calls` calls. */
void cg2_items_clear(Items* items, UInt n_calls);

/* Adds self cost at a position. */
void cg2_items_add_cost(Items* items, const Position* at, const ULong* cost);

/* Adds all calls by an arc, at a position. There must be room for the item. */
void cg2_items_add_call(Items* items, const Position* at, const Arc* arc);

/* Adds a jump, taken or not. */
void cg2_items_add_jump(Items* items, const JumpItem* jump);

/* Sorts the items by position, in code of a function whose file is `own`; calls
 * then by callee, jumps by target. Equal items become one. Jumps that were
 * never taken are dropped. */
void cg2_items_sort(Items* items, const Name* own);

/* Frees the arrays. */
void cg2_items_free(Items* items);

#endif
