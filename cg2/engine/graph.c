#include "engine/graph.h"

#include "base/arena.h"

#include <stddef.h>

/* Reason for a mutable file-scope object: the process has one call graph. */
static Table arcs;

static ULong
key_hash(const Exit* exit, const Context* caller, const Context* callee)
{
   ULong hash = cg2_hash_word(0, (UWord)exit);
   hash = cg2_hash_word(hash, (UWord)caller);
   return cg2_hash_word(hash, (UWord)callee);
}

static Arc*
find(const Exit* exit, const Context* caller, const Context* callee, ULong hash)
{
   for (TableNode* n = cg2_table_first(&arcs, hash); n; n = cg2_table_next(n)) {
      Arc* arc = (Arc*)n;
      if (arc->exit == exit && cg2_arc_caller(arc) == caller &&
          arc->callee == callee)
         return arc;
   }
   return NULL;
}

static SizeT arc_size(void)
{
   return sizeof(Arc) + 2 * cg2_events.n * sizeof(ULong);
}

static Arc* find_or_add(Exit* exit, Context* caller, Context* callee)
{
   ULong hash = key_hash(exit, caller, callee);
   Arc* arc = find(exit, caller, callee, hash);
   if (arc) return arc;
   arc = cg2_arena_new_line(arc_size(), offsetof(Arc, cells));
   arc->exit = exit;
   arc->callee = callee;
   cg2_table_add(&arcs, &arc->node, hash);
   if (callee) {
      arc->active = callee->function->active;
      Bool is_own = caller == callee; /* then the level does not matter */
      arc->min_active = is_own ? 0 : callee->min_active;
      arc->span = is_own ? ~0U : callee->span;
   }
   if (caller) {
      arc->caller_cells = &caller->own;
      arc->next_of_caller = caller->arcs;
      caller->arcs = arc;
   }
   return arc;
}

Arc* cg2_graph_arc(Exit* exit, Context* caller, Context* callee, Block* target)
{
   Arc* arc = find_or_add(exit, caller, callee);
   const Cells* cells = cg2_context_cells(callee, target->home);
   if (!arc->cells) arc->cells = cells;
   arc->caller_cells = cg2_context_cells(caller, exit->block->home);
   if (arc->cells == cells) {
      target->recent = arc;
      cg2_exit_remember(exit, arc);
   } else {
      target->recent = NULL;
      cg2_exit_forget(exit);
   }
   return arc;
}

Arc* cg2_graph_open(Exit* exit, Context* caller, Context* callee)
{
   Arc* arc = find_or_add(exit, caller, callee);
   arc->caller_cells = cg2_context_cells(caller, exit->block->home);
   return arc;
}

Arc* cg2_graph_twin(Arc* arc, Bool is_off)
{
   Context* caller = cg2_arc_caller(arc);
   Context* callee = cg2_context_twin(arc->callee, is_off);
   if (callee == arc->callee) return arc;
   if (caller) caller = cg2_context_twin(caller, is_off);
   Arc* twin = find_or_add(arc->exit, caller, callee);
   if (arc->cells && !twin->cells)
      twin->cells = cg2_context_cells(callee, arc->cells->home);
   if (caller)
      twin->caller_cells = cg2_context_cells(caller, arc->caller_cells->home);
   return twin;
}

Arc* cg2_graph_lost(Exit* exit, Context* caller)
{
   return find_or_add(exit, caller, NULL);
}

ULong* cg2_graph_payer(Exit* exit, Context* caller)
{
   if (!caller) return NULL;
   return exit->block ? cg2_arc_skipped(cg2_graph_lost(exit, caller))
                      : cg2_context_skipped(caller);
}

Arc* cg2_graph_root(Context* callee)
{
   return find_or_add(NULL, NULL, callee);
}

UWord cg2_graph_count_arcs(void)
{
   return arcs.n_nodes;
}

ULong cg2_graph_count_calls(void)
{
   ULong count = 0;
   for (UWord i = 0; i < arcs.n_buckets; i++)
      for (TableNode* n = arcs.buckets[i]; n; n = n->next)
         if (cg2_arc_caller((Arc*)n)) count += ((Arc*)n)->count;
   return count;
}

static Bool is_of_thread(const Context* context, UInt tid)
{
   return !tid || context->separation->thread == tid;
}

static void zero_arcs(UInt tid)
{
   for (UWord i = 0; i < arcs.n_buckets; i++)
      for (TableNode* n = arcs.buckets[i]; n; n = n->next) {
         Arc* arc = (Arc*)n;
         if (!is_of_thread(arc->callee ? arc->callee : cg2_arc_caller(arc),
                           tid))
            continue;
         arc->count = 0;
         cg2_cost_clear(arc->inclusive);
         cg2_cost_clear(cg2_arc_skipped(arc));
      }
}

void cg2_graph_zero(UInt tid)
{
   for (Context* c = cg2_context_all(); c; c = c->next)
      if (is_of_thread(c, tid)) cg2_context_zero(c);
   zero_arcs(tid);
}
