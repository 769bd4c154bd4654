#include "profile/callgrind/items.h"

#include "profile/callgrind/selection.h"

/*--- Adding -------------------------------------------------------------*/

/* Makes room for that many calls. Some functions call most others, so the room
 * is measured first and nothing is copied: peak memory is here. */
static void reserve_calls(Items* items, UInt n)
{
   if (n <= items->max_calls) return;
   if (items->calls) VG_(free)(items->calls);
   items->max_calls = n + n / 4;
   items->calls =
      VG_(malloc)("cg2.items", items->max_calls * sizeof *items->calls);
}

void cg2_items_clear(Items* items, UInt n_calls)
{
   items->n_costs = items->n_calls = items->n_jumps = items->n_vectors = 0;
   reserve_calls(items, n_calls);
}

void* cg2_items_with_room(void* array, UInt n, UInt* max, SizeT size)
{
   if (n < *max) return array;
   *max = *max ? 2 * *max : 1024;
   return VG_(realloc)("cg2.items", array, *max * size);
}

static UInt add_vector(Items* items, const ULong* cost)
{
   items->vectors =
      cg2_items_with_room(items->vectors, items->n_vectors, &items->max_vectors,
                          cg2_events.n * sizeof *items->vectors);
   cg2_cost_copy(cg2_items_vector(items, items->n_vectors), cost);
   return items->n_vectors++;
}

/* The cost is added to the last item if that is at the same position, as most
 * costs are. */
void cg2_items_add_cost(Items* items, const Position* at, const ULong* cost)
{
   if (items->n_costs) {
      const CostItem* last = &items->costs[items->n_costs - 1];
      if (cg2_position_is_same(&last->at, at)) {
         cg2_cost_add(cg2_items_vector(items, last->self), cost);
         return;
      }
   }
   items->costs = cg2_items_with_room(items->costs, items->n_costs,
                                      &items->max_costs, sizeof *items->costs);
   items->costs[items->n_costs++] =
      (CostItem){.at = *at, .self = add_vector(items, cost)};
}

void cg2_items_add_call(Items* items, const Position* at, const Arc* arc)
{
   tl_assert(items->n_calls < items->max_calls);
   items->calls[items->n_calls++] = (CallItem){
      .at = *at,
      .callee = arc->callee,
      .count = arc->count,
      .inclusive = add_vector(items, arc->inclusive),
   };
}

void cg2_items_add_jump(Items* items, const JumpItem* jump)
{
   items->jumps = cg2_items_with_room(items->jumps, items->n_jumps,
                                      &items->max_jumps, sizeof *items->jumps);
   items->jumps[items->n_jumps++] = *jump;
}

/*--- Sorting ------------------------------------------------------------*/

static Int compare_costs(const void* va, const void* vb)
{
   const CostItem *a = va, *b = vb;
   return cg2_position_compare_marked(&a->at, &b->at);
}

static Int compare_calls(const void* va, const void* vb)
{
   const CallItem *a = va, *b = vb;
   Int order = cg2_position_compare_marked(&a->at, &b->at);
   return order ? order : cg2_selection_compare(a->callee, b->callee);
}

static Int compare_jumps(const void* va, const void* vb)
{
   const JumpItem *a = va, *b = vb;
   Int order = cg2_position_compare_marked(&a->at, &b->at);
   if (!order) order = cg2_position_compare_marked(&a->target, &b->target);
   return order ? order : (Int)a->is_conditional - (Int)b->is_conditional;
}

static void merge_cost(const Items* items, void* to, const void* from)
{
   cg2_cost_add(cg2_items_vector(items, ((CostItem*)to)->self),
                cg2_items_vector(items, ((const CostItem*)from)->self));
}

static void merge_call(const Items* items, void* to, const void* from)
{
   CallItem* sum = to;
   const CallItem* call = from;
   sum->count += call->count;
   cg2_cost_add(cg2_items_vector(items, sum->inclusive),
                cg2_items_vector(items, call->inclusive));
}

static void merge_jump(const Items* items, void* to, const void* from)
{
   JumpItem* sum = to;
   const JumpItem* jump = from;
   (void)items;
   sum->executed += jump->executed;
   sum->taken += jump->taken;
}

/* How items of one kind are sorted and added up. */
typedef struct ItemKind {
   SizeT size;
   Int (*compare)(const void* a, const void* b); /* 0: equal */
   void (*merge)(const Items* items, void* to, const void* from);
} ItemKind;

static const ItemKind costs = {sizeof(CostItem), compare_costs, merge_cost};
static const ItemKind calls = {sizeof(CallItem), compare_calls, merge_call};
static const ItemKind jumps = {sizeof(JumpItem), compare_jumps, merge_jump};

/* Merges each run of equal neighbours into one item. Returns how many items
 * remain. */
static UInt
merge_neighbours(const Items* items, HChar* all, UInt n, const ItemKind* kind)
{
   HChar* end = all; /* behind those that remain */
   for (UInt i = 0; i < n; i++) {
      const HChar* item = all + i * kind->size;
      if (end > all && kind->compare(end - kind->size, item) == 0)
         kind->merge(items, end - kind->size, item);
      else {
         if (end != item) VG_(memcpy)(end, item, kind->size);
         end += kind->size;
      }
   }
   return (end - all) / kind->size;
}

/* Sorts the items of one kind and adds equal ones up. Returns how many remain.
 */
static UInt sort(const Items* items, void* all, UInt n, const ItemKind* kind)
{
   if (n) VG_(ssort)(all, n, kind->size, kind->compare);
   return merge_neighbours(items, all, n, kind);
}

static void drop_jumps_not_taken(Items* items)
{
   UInt n = 0;
   for (UInt i = 0; i < items->n_jumps; i++)
      if (items->jumps[i].taken) items->jumps[n++] = items->jumps[i];
   items->n_jumps = n;
}

/* Has all positions tell whether they are in the file of their function. */
static void mark(Items* items, const Name* own)
{
   for (UInt i = 0; i < items->n_costs; i++)
      cg2_position_mark(&items->costs[i].at, own);
   for (UInt i = 0; i < items->n_calls; i++)
      cg2_position_mark(&items->calls[i].at, own);
   for (UInt i = 0; i < items->n_jumps; i++) {
      cg2_position_mark(&items->jumps[i].at, own);
      cg2_position_mark(&items->jumps[i].target, own);
   }
}

void cg2_items_sort(Items* items, const Name* own)
{
   mark(items, own);
   items->n_costs = sort(items, items->costs, items->n_costs, &costs);
   items->n_calls = sort(items, items->calls, items->n_calls, &calls);
   items->n_jumps = sort(items, items->jumps, items->n_jumps, &jumps);
   drop_jumps_not_taken(items);
}

void cg2_items_free(Items* items)
{
   if (items->vectors) VG_(free)(items->vectors);
   if (items->costs) VG_(free)(items->costs);
   if (items->calls) VG_(free)(items->calls);
   if (items->jumps) VG_(free)(items->jumps);
}
