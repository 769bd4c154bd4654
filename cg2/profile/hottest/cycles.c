#include "profile/hottest/cycles.h"

/* Tarjan's algorithm. The path to the context that is looked at lies in an
 * array, as the program's call chains may be longer than our stack. */
typedef struct CycleSearch {
   const CycleCalls* calls;
   UInt* order;   /* in which contexts are reached, from 1; 0: not yet */
   UInt* lowest;  /* the lowest order that each can reach in its cycle */
   UInt* cycle;   /* from 1; 0: not known yet */
   UInt* next;    /* place in calls->arcs of each context's next call */
   UInt* path;    /* contexts from where the search began */
   UInt* pending; /* reached contexts whose cycle is not known */
   UInt n_reached, n_cycles, depth, n_pending;
} CycleSearch;

static void lower(UInt* number, UInt limit)
{
   if (limit < *number) *number = limit;
}

/* Goes on with the calls of a context that was not reached before. */
static void enter(CycleSearch* s, UInt context)
{
   s->order[context] = s->lowest[context] = ++s->n_reached;
   s->next[context] = s->calls->first[context];
   s->path[s->depth++] = context;
   s->pending[s->n_pending++] = context;
}

/* Leaves the end of the path. If it reaches nobody who was reached before it,
 * all that is pending since is its cycle. */
static void leave(CycleSearch* s)
{
   UInt context = s->path[--s->depth];
   if (s->depth) lower(&s->lowest[s->path[s->depth - 1]], s->lowest[context]);
   if (s->lowest[context] < s->order[context]) return;
   s->n_cycles++;
   UInt member;
   do {
      member = s->pending[--s->n_pending];
      s->cycle[member] = s->n_cycles;
   } while (member != context);
}

/* Takes the next call of the context at the end of the path. */
static void step(CycleSearch* s)
{
   UInt context = s->path[s->depth - 1];
   if (s->next[context] == s->calls->first[context + 1]) {
      leave(s);
      return;
   }
   UInt callee = s->calls->arcs[s->next[context]++]->callee->number;
   if (!s->order[callee])
      enter(s, callee);
   else if (!s->cycle[callee])
      lower(&s->lowest[context], s->order[callee]);
}

UInt* cg2_cycles_find(const CycleCalls* calls)
{
   UInt n = calls->n;
   UInt* all = VG_(calloc)("cg2.cycles", 5 * (SizeT)n + 1, sizeof *all);
   CycleSearch s = {.calls = calls,
                    .order = all,
                    .lowest = all + n,
                    .next = all + 2 * (SizeT)n,
                    .path = all + 3 * (SizeT)n,
                    .pending = all + 4 * (SizeT)n};
   s.cycle = VG_(calloc)("cg2.cycles", (SizeT)n + 1, sizeof *s.cycle);
   for (UInt context = 0; context < n; context++) {
      if (!s.order[context]) enter(&s, context);
      while (s.depth)
         step(&s);
   }
   VG_(free)(all);
   return s.cycle;
}
