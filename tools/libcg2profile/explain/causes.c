/* Pieces as causes.
 *
 * Each piece goes to the cause that it belongs to, which begins with its first
 * piece. Pieces come by function, so what a function has one of is remembered
 * until the next function. Then calls that went from one function to another
 * are joined, and causes that cost nothing are dropped. */
#include "base/numbermap.h"
#include "base/search.h"
#include "explain/explanation.h"

#include <stdlib.h>
#include <string.h>

enum { NEAR = 20 }; /* what is left of two joined causes: less than 1/NEAR */

struct cg2p_causes {
   Failure failure;
   Arena arena;
   uint32_t width; /* of a cost */
   cg2p_cause* of;
   int64_t* costs;
   size_t n;
};

/* Places of causes are + 1; 0: it is not begun. */
typedef struct CauseMaking {
   cg2p_causes* made;
   const cg2p_explanation* explanation;
   const cg2p_hints* hints;
   NumberMap inlined; /* by function and callee, the number of a hint + 1 */
   size_t *of_hint, *removed;        /* places, by hint and by function */
   uint32_t function;                /* of the last piece, */
   size_t of_kind[CG2P_CAUSE_KINDS]; /* and the places of what it has one of */
} CauseMaking;

static void* zeroes_for_causes(cg2p_causes* made, size_t n, size_t size)
{
   void* found = cg2p_arena_add(&made->arena, &made->failure, n * size);
   return memset(found, 0, n * size);
}

/*--- Inlined functions --------------------------------------------------*/

static uint64_t key_of_piece(uint32_t function, uint32_t callee)
{
   return (uint64_t)function << 32 | callee;
}

/* Has a piece belong to a hint, unless it belongs to one before. */
static void
claim(CauseMaking* m, uint32_t function, uint32_t callee, uint64_t hint)
{
   uint64_t key = key_of_piece(function, callee);
   if (!cg2p_numbermap_find(&m->inlined, key))
      cg2p_numbermap_set(&m->inlined, &m->made->failure, key, hint);
}

static bool is_only_in(const CauseMaking* m, int side, uint32_t function)
{
   return function != CG2P_NONE &&
          !m->explanation->sides[1 - side].calls[function];
}

/* The first arc of a caller, or where it would be. */
static const cg2p_arc* first_arc_of(const Summands* side, uint32_t caller)
{
   return side->arcs +
          cg2p_search_first(i, 0, side->n_arcs, side->arcs[i].caller < caller);
}

/* What the inlined function calls is called by its caller. */
static void
claim_callees(CauseMaking* m, const cg2p_inlined_call* inlined, uint64_t hint)
{
   for (int i = 0; i < 2; i++) {
      const Summands* side = &m->explanation->sides[i];
      const cg2p_arc* end = side->arcs + side->n_arcs;
      for (const cg2p_arc* arc = first_arc_of(side, inlined->callee);
           arc < end && arc->caller == inlined->callee; arc++) {
         claim(m, inlined->function, arc->callee, hint);
         if (is_only_in(m, 1, inlined->callee))
            claim(m, inlined->callee, arc->callee, hint);
      }
   }
}

static void claim_inlined(CauseMaking* m)
{
   for (uint32_t i = 0; i < m->hints->n_inlined; i++) {
      const cg2p_inlined_call* inlined = &m->hints->inlined[i];
      uint32_t outer = inlined->outer;
      uint64_t hint = outer && outer <= i ? outer : i + 1;
      claim(m, inlined->function, CG2P_NONE, hint);
      claim(m, inlined->function, inlined->callee, hint);
      claim_callees(m, inlined, hint);
      if (is_only_in(m, 1, inlined->callee))
         claim(m, inlined->callee, CG2P_NONE, hint);
   }
}

/*--- Kinds --------------------------------------------------------------*/

static bool is_told(const CauseMaking* m, uint32_t function, uint8_t what)
{
   return function != CG2P_NONE && m->hints->functions[function] == what;
}

static uint32_t
kind_of(const CauseMaking* m, const cg2p_piece* piece, const int64_t* cost)
{
   uint32_t instructions = m->hints->instructions;
   bool is_system = is_told(m, piece->function, CG2P_IS_SYSTEM);
   if (is_only_in(m, 0, piece->callee) && !is_system) return CG2P_CAUSE_REMOVED;
   if (is_system) return CG2P_CAUSE_SYSTEM;
   if (is_told(m, piece->function, CG2P_IS_REPLACED))
      return CG2P_CAUSE_REPLACED;
   if (instructions != CG2P_NONE && !cost[instructions])
      return CG2P_CAUSE_LAYOUT;
   if (piece->callee != CG2P_NONE) return CG2P_CAUSE_CALLS;
   return is_only_in(m, 1, piece->function) ? CG2P_CAUSE_ADDED : CG2P_CAUSE_OWN;
}

static size_t begin_cause(CauseMaking* m, cg2p_cause cause)
{
   m->made->of[m->made->n] = cause;
   return ++m->made->n;
}

/* The cause of a piece that belongs to a hint. */
static size_t place_of_hint(CauseMaking* m, uint64_t hint)
{
   const cg2p_inlined_call* told = &m->hints->inlined[hint - 1];
   size_t* place = &m->of_hint[hint - 1];
   if (!*place)
      *place = begin_cause(m, (cg2p_cause){told->kind, told->function,
                                           told->callee, CG2P_NONE, 0, 0});
   return *place;
}

/* The cause of a function that has several pieces of it. */
static size_t place_of_kind(CauseMaking* m, uint32_t kind, uint32_t function)
{
   size_t* place =
      kind == CG2P_CAUSE_REMOVED ? &m->removed[function] : &m->of_kind[kind];
   if (!*place)
      *place = begin_cause(
         m, (cg2p_cause){kind, function, CG2P_NONE, CG2P_NONE, 0, 0});
   return *place;
}

static size_t
place_of_cause(CauseMaking* m, const cg2p_piece* piece, const int64_t* cost)
{
   uint64_t key = key_of_piece(piece->function, piece->callee);
   uint64_t hint = cg2p_numbermap_find(&m->inlined, key);
   if (hint) return place_of_hint(m, hint);
   uint32_t kind = kind_of(m, piece, cost);
   if (kind == CG2P_CAUSE_REMOVED) return place_of_kind(m, kind, piece->callee);
   if (kind < CG2P_CAUSE_CALLS) return place_of_kind(m, kind, piece->function);
   return begin_cause(
      m, (cg2p_cause){kind, piece->function, piece->callee, CG2P_NONE, 0, 0});
}

/*--- Adding up ----------------------------------------------------------*/

static void add_cost(cg2p_causes* made, int64_t* sum, const int64_t* cost)
{
   for (uint32_t event = 0; event < made->width; event++)
      if (__builtin_add_overflow(sum[event], cost[event], &sum[event]))
         cg2p_failure_at(&made->failure, 0,
                         "a cause costs more than 63 bits can say; expected "
                         "less than 9223372036854775808");
}

static int64_t* cost_of_cause(const cg2p_causes* made, size_t cause)
{
   return made->costs + cause * made->width;
}

static bool costs_nothing(const cg2p_causes* made, const int64_t* cost)
{
   for (uint32_t event = 0; event < made->width; event++)
      if (cost[event]) return false;
   return true;
}

static void
add_piece(CauseMaking* m, const cg2p_piece* piece, const int64_t* cost)
{
   if (piece->function != m->function) {
      m->function = piece->function;
      memset(m->of_kind, 0, sizeof m->of_kind);
   }
   size_t place = place_of_cause(m, piece, cost) - 1;
   cg2p_cause* cause = &m->made->of[place];
   add_cost(m->made, cost_of_cause(m->made, place), cost);
   if (cause->kind != CG2P_CAUSE_CALLS && cause->kind != CG2P_CAUSE_REMOVED)
      return;
   cause->old_count += piece->old_count;
   cause->new_count += piece->new_count;
}

static void add_pieces(CauseMaking* m)
{
   const cg2p_explanation* all = m->explanation;
   for (size_t i = 0; i < all->n; i++) {
      const int64_t* cost = all->costs + i * all->n_events;
      if (!costs_nothing(m->made, cost)) add_piece(m, &all->pieces[i], cost);
   }
}

/*--- Calls that went to another function --------------------------------*/

/* Calls that one side has alone. */
typedef struct CallsAlone {
   uint32_t callee;
   int side;
   int64_t cost; /* of the first event */
   size_t cause;
} CallsAlone;

static uint64_t size_of_cost(int64_t cost)
{
   return cost < 0 ? -(uint64_t)cost : (uint64_t)cost;
}

/* By callee and side, dearest first. */
static int compare_calls(const void* a, const void* b)
{
   const CallsAlone *x = a, *y = b;
   uint64_t sizes[] = {size_of_cost(x->cost), size_of_cost(y->cost)};
   int order = (x->callee > y->callee) - (x->callee < y->callee);
   if (!order) order = x->side - y->side;
   if (!order) order = (sizes[1] > sizes[0]) - (sizes[1] < sizes[0]);
   return order ? order : (x->cause > y->cause) - (x->cause < y->cause);
}

static size_t find_calls_alone(const cg2p_causes* made, CallsAlone* found)
{
   size_t n = 0;
   for (size_t i = 0; i < made->n && made->width; i++) {
      const cg2p_cause* cause = &made->of[i];
      if (cause->kind == CG2P_CAUSE_CALLS && cause->function != CG2P_NONE &&
          !cause->old_count != !cause->new_count)
         found[n++] = (CallsAlone){cause->callee, cause->new_count != 0,
                                   *cost_of_cause(made, i), i};
   }
   if (n) qsort(found, n, sizeof *found, compare_calls);
   return n;
}

/* Whether little is left of two costs. */
static bool cancel_out(int64_t was, int64_t now)
{
   uint64_t sizes[] = {size_of_cost(was), size_of_cost(now)};
   __int128 both = (__int128)was + now;
   return (both < 0 ? -both : both) * NEAR <
          (sizes[0] < sizes[1] ? sizes[0] : sizes[1]);
}

/* Makes one cause of two, which stands where the second does. */
static void join(cg2p_causes* made, size_t gone, size_t come)
{
   made->of[come].was = made->of[gone].function;
   made->of[come].old_count = made->of[gone].old_count;
   add_cost(made, cost_of_cause(made, come), cost_of_cause(made, gone));
   memset(cost_of_cause(made, gone), 0, made->width * sizeof *made->costs);
}

/* Joins the calls of a callee; those of NEW begin at `middle`. */
static void join_callee(cg2p_causes* made,
                        const CallsAlone* first,
                        CallsAlone* middle,
                        const CallsAlone* end)
{
   for (const CallsAlone* gone = first; gone < middle; gone++)
      for (CallsAlone* come = middle; come < end; come++) {
         if (come->callee == CG2P_NONE || !cancel_out(gone->cost, come->cost))
            continue;
         join(made, gone->cause, come->cause);
         come->callee = CG2P_NONE;
         break;
      }
}

static void join_calls(cg2p_causes* made)
{
   CallsAlone* all = zeroes_for_causes(made, made->n, sizeof *all);
   CallsAlone *at = all, *end = all + find_calls_alone(made, all);
   while (at < end) {
      CallsAlone *first = at, *middle;
      uint32_t callee = at->callee;
      while (at < end && at->callee == callee && !at->side)
         at++;
      middle = at;
      while (at < end && at->callee == callee)
         at++;
      join_callee(made, first, middle, at);
   }
}

/* Drops causes that cost nothing. */
static void drop_causes(cg2p_causes* made)
{
   size_t kept = 0;
   for (size_t i = 0; i < made->n; i++) {
      const int64_t* cost = cost_of_cause(made, i);
      if (costs_nothing(made, cost)) continue;
      made->of[kept] = made->of[i];
      memmove(cost_of_cause(made, kept++), cost, made->width * sizeof *cost);
   }
   made->n = kept;
}

/*--- The operation ------------------------------------------------------*/

/* False: it failed. */
static bool make_causes(CauseMaking* m)
{
   cg2p_causes* made = m->made;
   if (setjmp(made->failure.caught)) return false;
   size_t n = m->explanation->n;
   made->of = zeroes_for_causes(made, n, sizeof *made->of);
   made->costs = zeroes_for_causes(made, n * made->width, sizeof *made->costs);
   m->of_hint =
      zeroes_for_causes(made, m->hints->n_inlined, sizeof *m->of_hint);
   m->removed =
      zeroes_for_causes(made, m->explanation->sides[0].n, sizeof *m->removed);
   claim_inlined(m);
   add_pieces(m);
   join_calls(made);
   drop_causes(made);
   return true;
}

cg2p_causes* cg2p_causes_new(const cg2p_explanation* explanation,
                             const cg2p_hints* hints,
                             cg2p_error* error)
{
   cg2p_causes* made = calloc(1, sizeof *made);
   if (!made) {
      cg2p_failure_say_no_memory(error, "the causes");
      return NULL;
   }
   made->failure = (Failure){.path = "the causes", .error = error};
   made->width = explanation->n_events;
   CauseMaking making = {
      .made = made, .explanation = explanation, .hints = hints};
   bool is_made = make_causes(&making);
   cg2p_numbermap_free(&making.inlined);
   if (is_made) return made;
   cg2p_causes_free(made);
   return NULL;
}

size_t cg2p_causes_count(const cg2p_causes* causes)
{
   return causes->n;
}

const cg2p_cause* cg2p_causes_all(const cg2p_causes* causes)
{
   return causes->of;
}

const int64_t* cg2p_causes_costs(const cg2p_causes* causes)
{
   return causes->costs;
}

void cg2p_causes_free(cg2p_causes* causes)
{
   if (!causes) return;
   cg2p_arena_free(&causes->arena);
   free(causes);
}
