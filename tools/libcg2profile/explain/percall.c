#include "explain/percall.h"

#include <stdlib.h>
#include <string.h>

/* How often a function of a circle calls another. */
typedef struct CircleCall {
   uint32_t callee;
   long double calls;
} CircleCall;

/* A function of the circle that is being solved. */
typedef struct CircleRow {
   CircleCall* of;
   size_t n, room;
   uint32_t* callers; /* also those that are eliminated */
   size_t n_callers, callers_room;
   long double entered; /* calls from outside of what is left of the circle */
   bool is_eliminated;
} CircleRow;

typedef struct Solving {
   Arena* arena;
   Failure* failure;
   const Summands* side;
   uint32_t* circle; /* of each function */
   Groups circles;
   uint32_t* first_arc; /* of each function, and the end */
   long double* costs;  /* the result; of a circle's function: what it costs
                           all calls, until it is solved */
   CircleRow* rows;     /* of each function */
   uint32_t* place;     /* in the row that is written, + 1, of each function */
   uint32_t* order;     /* in which a circle's functions are eliminated */
} Solving;

static void* solving_zeroes(Solving* s, size_t n, size_t size)
{
   void* found = cg2p_arena_add(s->arena, s->failure, n * size);
   return memset(found, 0, n * size);
}

static long double* costs_of(const Solving* s, uint32_t function)
{
   return s->costs + (size_t)function * s->side->n_events;
}

/* Adds `factor` times the cost of one function to that of another. */
static void
add_cost(const Solving* s, uint32_t to, long double factor, uint32_t from)
{
   long double *sum = costs_of(s, to), *cost = costs_of(s, from);
   for (uint32_t event = 0; event < s->side->n_events; event++)
      sum[event] += factor * cost[event];
}

static void divide_cost(const Solving* s, uint32_t function, long double by)
{
   long double* cost = costs_of(s, function);
   for (uint32_t event = 0; event < s->side->n_events; event++)
      cost[event] /= by;
}

/*--- The rows of a circle -----------------------------------------------*/

/* Arrays of rows grow in the arena: what is outgrown stays there. */
static void* grown(Solving* s, void* old, size_t n, size_t* room, size_t size)
{
   if (n < *room) return old;
   *room = *room ? 2 * *room : 4;
   void* made = cg2p_arena_add(s->arena, s->failure, *room * size);
   return n ? memcpy(made, old, n * size) : made;
}

static void
add_call_within(Solving* s, uint32_t caller, uint32_t callee, long double calls)
{
   CircleRow *row = &s->rows[caller], *called = &s->rows[callee];
   row->of = grown(s, row->of, row->n, &row->room, sizeof *row->of);
   row->of[row->n++] = (CircleCall){callee, calls};
   called->callers = grown(s, called->callers, called->n_callers,
                           &called->callers_room, sizeof *called->callers);
   called->callers[called->n_callers++] = caller;
}

/* Sets a function's row, and what all its calls cost, but for the circle's. */
static void set_row(Solving* s, uint32_t function)
{
   const Summands* side = s->side;
   long double* cost = costs_of(s, function);
   const uint64_t* self = side->self + (size_t)function * side->n_events;
   for (uint32_t event = 0; event < side->n_events; event++)
      cost[event] = (long double)self[event];
   for (uint32_t i = s->first_arc[function]; i < s->first_arc[function + 1];
        i++) {
      const cg2p_arc* arc = &side->arcs[i];
      if (s->circle[arc->callee] != s->circle[function])
         add_cost(s, function, (long double)arc->count, arc->callee);
      else if (arc->callee != function)
         add_call_within(s, function, arc->callee, (long double)arc->count);
   }
}

/*--- Elimination --------------------------------------------------------*/

/* How much of a row is not eliminated; drops what is. */
static size_t tidy(Solving* s, uint32_t function)
{
   CircleRow* row = &s->rows[function];
   size_t n = 0;
   for (size_t i = 0; i < row->n; i++)
      if (!s->rows[row->of[i].callee].is_eliminated) row->of[n++] = row->of[i];
   row->n = n;
   n = 0;
   for (size_t i = 0; i < row->n_callers; i++)
      if (!s->rows[row->callers[i]].is_eliminated)
         row->callers[n++] = row->callers[i];
   row->n_callers = n;
   return row->n * row->n_callers;
}

/* The one of which least follows. */
static uint32_t next_eliminated(Solving* s, const uint32_t* members, uint32_t n)
{
   uint32_t best = CG2P_NONE;
   size_t least = SIZE_MAX;
   for (uint32_t i = 0; i < n; i++) {
      const CircleRow* row = &s->rows[members[i]];
      size_t work = row->n * row->n_callers;
      if (!row->is_eliminated && (best == CG2P_NONE || work < least)) {
         best = members[i];
         least = work;
      }
   }
   return best;
}

/* How often a function is called by one whose row is at hand. */
static long double calls_by(const CircleRow* caller, uint32_t callee)
{
   for (size_t i = 0; i < caller->n; i++)
      if (caller->of[i].callee == callee) return caller->of[i].calls;
   return 0;
}

/* Lets `caller` call what `gone` calls, `share` of its calls, itself. */
static void
pass_on(Solving* s, uint32_t caller, uint32_t gone, long double share)
{
   CircleRow* row = &s->rows[caller];
   const CircleRow* through = &s->rows[gone];
   for (size_t i = 0; i < row->n; i++)
      s->place[row->of[i].callee] = (uint32_t)i + 1;
   for (size_t i = 0; i < through->n; i++) {
      uint32_t callee = through->of[i].callee, at = s->place[callee];
      long double calls = share * through->of[i].calls;
      if (at)
         row->of[at - 1].calls += calls;
      else if (callee != caller)
         add_call_within(s, caller, callee, calls);
   }
   for (size_t i = 0; i < row->n; i++)
      s->place[row->of[i].callee] = 0;
   add_cost(s, caller, share, gone);
}

static void eliminate(Solving* s, uint32_t gone)
{
   CircleRow* row = &s->rows[gone];
   tidy(s, gone);
   long double all = row->entered;
   for (size_t i = 0; i < row->n_callers; i++)
      all += calls_by(&s->rows[row->callers[i]], gone);
   divide_cost(s, gone, all);
   for (size_t i = 0; i < row->n; i++)
      row->of[i].calls /= all;
   for (size_t i = 0; i < row->n; i++)
      s->rows[row->of[i].callee].entered += row->entered * row->of[i].calls;
   row->is_eliminated = true;
   for (size_t i = 0; i < row->n_callers; i++) {
      uint32_t caller = row->callers[i];
      pass_on(s, caller, gone, calls_by(&s->rows[caller], gone));
      tidy(s, caller);
   }
   for (size_t i = 0; i < row->n; i++)
      tidy(s, row->of[i].callee);
}

static void solve_circle(Solving* s, const uint32_t* members, uint32_t n)
{
   for (uint32_t i = 0; i < n; i++)
      set_row(s, members[i]);
   for (uint32_t i = 0; i < n; i++) {
      s->order[i] = next_eliminated(s, members, n);
      eliminate(s, s->order[i]);
   }
   for (uint32_t i = n; i-- > 0;) {
      const CircleRow* row = &s->rows[s->order[i]];
      for (size_t j = 0; j < row->n; j++)
         add_cost(s, s->order[i], row->of[j].calls, row->of[j].callee);
   }
}

/*--- The operation ------------------------------------------------------*/

/* Notes where a function's arcs are, and the calls from outside its circle. */
static void note_arcs(Solving* s)
{
   const Summands* side = s->side;
   for (uint32_t i = 0; i < side->n; i++)
      s->rows[i].entered = (long double)side->begun[i];
   for (uint32_t i = 0; i < side->n_arcs; i++) {
      const cg2p_arc* arc = &side->arcs[i];
      s->first_arc[arc->caller + 1]++;
      if (s->circle[arc->caller] != s->circle[arc->callee])
         s->rows[arc->callee].entered += (long double)arc->count;
   }
   for (uint32_t i = 0; i < side->n; i++)
      s->first_arc[i + 1] += s->first_arc[i];
}

static uint32_t count_circles(const Solving* s)
{
   uint32_t n = 0;
   for (uint32_t i = 0; i < s->side->n; i++)
      if (s->circle[i] >= n) n = s->circle[i] + 1;
   return n;
}

/* A circle's number is higher than those of the circles that it calls. */
static void solve(Solving* s)
{
   uint32_t n_circles = count_circles(s);
   s->circles = cg2p_components_group(s->arena, s->failure, s->circle,
                                      s->side->n, n_circles);
   for (uint32_t i = 0; i < n_circles; i++) {
      const uint32_t* members = s->circles.items + s->circles.first[i];
      if (s->side->calls[*members])
         solve_circle(s, members,
                      s->circles.first[i + 1] - s->circles.first[i]);
   }
}

long double*
cg2p_percall_find(Arena* arena, Failure* failure, const Summands* side)
{
   size_t n = side->n;
   Solving s = {.arena = arena, .failure = failure, .side = side};
   s.circle =
      cg2p_components_find(arena, failure, side->n, side->arcs, side->n_arcs);
   s.first_arc = solving_zeroes(&s, n + 1, sizeof *s.first_arc);
   s.costs = solving_zeroes(&s, n * side->n_events, sizeof *s.costs);
   s.rows = solving_zeroes(&s, n, sizeof *s.rows);
   s.place = solving_zeroes(&s, n, sizeof *s.place);
   s.order = solving_zeroes(&s, n, sizeof *s.order);
   note_arcs(&s);
   solve(&s);
   return s.costs;
}
