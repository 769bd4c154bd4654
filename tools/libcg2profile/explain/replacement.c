/* What took the place of functions that only OLD has.
 *
 * What is called by the counterpart of a caller may be the counterpart of what
 * that called; what nothing calls but itself, of what calls a counterpart of
 * what that called. Each such pair has a score; those of enough score are made
 * counterparts, the highest first, each function once. That says more of those
 * that they call and that call them, which are then judged again. */
#include "explain/likenames.h"
#include "explain/neighbours.h"

#include <stdlib.h>
#include <string.h>

enum { ENOUGH = 5, HIGHEST = 9 }; /* of scores */

/* The functions that one side has alone, and what is known of them. */
typedef struct LoneSide {
   uint32_t *alone, n; /* in the order of the graphs */
   uint64_t* costs;    /* of each function, of the first event */
   Neighbours callers, callees;
} LoneSide;

typedef struct LikelyPair {
   uint32_t was, now, score;
} LikelyPair;

typedef struct LikelyPairs {
   LikelyPair* of;
   size_t n, room;
} LikelyPairs;

/* Functions that are in a list. */
typedef struct MarkedFunctions {
   uint32_t* mark;  /* of each function: `current`, if it is in the list, */
   uint64_t* count; /* and then how often it is there */
   uint32_t current;
} MarkedFunctions;

typedef struct Replacing {
   Failure failure;
   Arena arena;
   const cg2p_matching* matching;
   uint32_t n; /* functions */
   uint32_t* counterparts;
   uint8_t *is_taken, *is_due; /* of each function; due: to be judged */
   LoneSide sides[2];
   /* What each function calls, and what calls it, of what only NEW has. */
   Neighbours called, calling;
   MarkedFunctions met, listed;
   LikelyPairs pairs;
   LikeNames names;
} Replacing;

static void* zeroes_for_replacing(Replacing* r, size_t n, size_t size)
{
   void* found = cg2p_arena_add(&r->arena, &r->failure, n * size);
   return memset(found, 0, n * size);
}

/*--- Functions of one side alone ----------------------------------------*/

static void find_alone(Replacing* r,
                       LoneSide* side,
                       const cg2p_explained* graphs,
                       uint8_t in)
{
   const uint8_t* sides = cg2p_matching_sides(r->matching);
   uint8_t* is_met = zeroes_for_replacing(r, r->n, sizeof *is_met);
   side->alone = zeroes_for_replacing(r, r->n, sizeof *side->alone);
   side->costs = zeroes_for_replacing(r, r->n, sizeof *side->costs);
   for (size_t i = 0; i < graphs->n_graphs; i++) {
      const cg2p_graph* graph = graphs->graphs[i];
      for (uint32_t node = 0; node < graph->n_nodes; node++) {
         uint32_t function = graphs->functions[i][node];
         if (sides[function] != in) continue;
         if (!is_met[function]) side->alone[side->n++] = function;
         is_met[function] = 1;
         if (graph->n_events)
            side->costs[function] +=
               graph->self[(size_t)node * graph->n_events];
      }
   }
}

static void look_at_side(Replacing* r,
                         LoneSide* side,
                         const cg2p_explained* graphs,
                         uint8_t in)
{
   NeighbourQuestion asked = {r->n, cg2p_matching_sides(r->matching), in};
   find_alone(r, side, graphs, in);
   side->callers =
      cg2p_neighbours_of(&r->arena, &r->failure, graphs, &asked, false);
   side->callees =
      cg2p_neighbours_of(&r->arena, &r->failure, graphs, &asked, true);
}

/* The function of NEW that one of OLD is; CG2P_NONE: NEW does not have it. */
static uint32_t in_new(const Replacing* r, uint32_t function)
{
   uint32_t other = r->counterparts[function];
   if (other != CG2P_NONE) return other;
   return cg2p_matching_sides(r->matching)[function] & CG2P_IN_NEW ? function
                                                                   : CG2P_NONE;
}

/*--- What speaks for a pair ---------------------------------------------*/

/* Whether two lists have the same functions, and as often. */
typedef struct SameLists {
   bool are_same, are_as_often;
   uint32_t n; /* of those of OLD */
} SameLists;

static void mark_list(Replacing* r, const Neighbour* of, uint32_t n)
{
   r->listed.current++;
   for (uint32_t i = 0; i < n; i++) {
      r->listed.mark[of[i].function] = r->listed.current;
      r->listed.count[of[i].function] = of[i].count;
   }
}

/* Compares the lists of a pair, without the functions themselves. */
static SameLists compare_lists(Replacing* r,
                               const LikelyPair* pair,
                               const Neighbours* old_lists,
                               const Neighbours* new_lists)
{
   const Neighbour* were = old_lists->of + old_lists->first[pair->was];
   uint32_t n_now = new_lists->n[pair->now];
   SameLists found = {true, true, 0};
   mark_list(r, new_lists->of + new_lists->first[pair->now], n_now);
   if (r->listed.mark[pair->now] == r->listed.current) {
      r->listed.mark[pair->now] = 0;
      n_now--;
   }
   for (uint32_t i = 0; i < old_lists->n[pair->was]; i++) {
      if (were[i].function == pair->was) continue;
      uint32_t now = in_new(r, were[i].function);
      found.n++;
      if (now == CG2P_NONE || r->listed.mark[now] != r->listed.current)
         return (SameLists){false, false, found.n};
      if (r->listed.count[now] != were[i].count) found.are_as_often = false;
   }
   if (found.n != n_now) found.are_same = found.are_as_often = false;
   return found;
}

static Text name_text(const Replacing* r, uint32_t function)
{
   uint32_t name = cg2p_matching_functions(r->matching)[function].name;
   size_t length;
   const char* text = cg2p_matching_name(r->matching, name, &length);
   return (Text){text, text + length};
}

static bool are_in_one_place(const Replacing* r, const LikelyPair* pair)
{
   const cg2p_function* functions = cg2p_matching_functions(r->matching);
   const cg2p_function *was = &functions[pair->was],
                       *now = &functions[pair->now];
   return was->file == now->file && was->object == now->object;
}

/* How much speaks for two functions being one. */
static uint32_t score_of(Replacing* r, const LikelyPair* pair)
{
   uint64_t was = r->sides[0].costs[pair->was];
   uint64_t now = r->sides[1].costs[pair->now];
   uint64_t more = was > now ? was : now, less = was > now ? now : was;
   bool has_like_cost = more - less <= more / 5;
   bool has_like_name = cg2p_likenames_are(
      &r->names, &r->failure, name_text(r, pair->was), name_text(r, pair->now));
   SameLists callers =
      compare_lists(r, pair, &r->sides[0].callers, &r->sides[1].callers);
   SameLists callees =
      compare_lists(r, pair, &r->sides[0].callees, &r->sides[1].callees);
   bool is_between_the_same =
      callers.are_as_often && callees.are_same && callees.n > 1;
   if (!has_like_cost && !has_like_name && !is_between_the_same) return 0;
   int score = callers.n ? 2 * callers.are_same + callers.are_as_often
                         : callers.are_same;
   score += callees.are_same ? 2 * (callees.n != 0) : -2;
   score += are_in_one_place(r, pair);
   score += has_like_cost + (was == now) + has_like_name;
   return score < 0 ? 0 : score;
}

/*--- Pairs --------------------------------------------------------------*/

/* Judges a pair, unless that is done, or NEW's function is another's. */
static void judge(Replacing* r, uint32_t was, uint32_t now)
{
   LikelyPair pair = {was, now, 0};
   if (r->is_taken[now] || r->met.mark[now] == r->met.current) return;
   r->met.mark[now] = r->met.current;
   pair.score = score_of(r, &pair);
   if (pair.score < ENOUGH) return;
   LikelyPairs* pairs = &r->pairs;
   pairs->of = cg2p_memory_grow(&r->failure, pairs->of, &pairs->room,
                                pairs->n + 1, sizeof pair);
   pairs->of[pairs->n++] = pair;
}

/* Judges what the counterparts of a function's callers call. */
static void judge_called(Replacing* r, uint32_t was)
{
   const Neighbours* callers = &r->sides[0].callers;
   for (uint32_t i = 0; i < callers->n[was]; i++) {
      uint32_t caller =
         in_new(r, callers->of[callers->first[was] + i].function);
      if (caller == CG2P_NONE) continue;
      const Neighbour* called = r->called.of + r->called.first[caller];
      for (uint32_t k = 0; k < r->called.n[caller]; k++)
         judge(r, was, called[k].function);
   }
}

/* Whether nothing calls a function but itself. */
static bool is_root(const LoneSide* side, uint32_t function)
{
   const Neighbours* callers = &side->callers;
   uint32_t n = callers->n[function];
   return !n || (n == 1 &&
                 callers->of[callers->first[function]].function == function);
}

/* Judges the roots that call the same functions as a root: they are among those
 * that call the one of these that fewest call. */
static void judge_root(Replacing* r, uint32_t was)
{
   const Neighbours* callees = &r->sides[0].callees;
   uint32_t rarest = CG2P_NONE;
   for (uint32_t i = 0; i < callees->n[was]; i++) {
      uint32_t callee = callees->of[callees->first[was] + i].function;
      if (callee == was) continue;
      uint32_t now = in_new(r, callee);
      if (now == CG2P_NONE) return;
      if (rarest == CG2P_NONE || r->calling.n[now] < r->calling.n[rarest])
         rarest = now;
   }
   if (rarest == CG2P_NONE) return;
   const Neighbour* calling = r->calling.of + r->calling.first[rarest];
   for (uint32_t i = 0; i < r->calling.n[rarest]; i++)
      if (is_root(&r->sides[1], calling[i].function))
         judge(r, was, calling[i].function);
}

static void judge_function(Replacing* r, uint32_t was)
{
   r->met.current++;
   if (is_root(&r->sides[0], was))
      judge_root(r, was);
   else
      judge_called(r, was);
}

/* Has the functions of a list judged again. */
static void have_judged(Replacing* r, const Neighbours* lists, uint32_t of)
{
   for (uint32_t i = 0; i < lists->n[of]; i++)
      r->is_due[lists->of[lists->first[of] + i].function] = 1;
}

static void take_pair(Replacing* r, const LikelyPair* pair)
{
   r->counterparts[pair->was] = pair->now;
   r->is_taken[pair->now] = 1;
   have_judged(r, &r->sides[0].callers, pair->was);
   have_judged(r, &r->sides[0].callees, pair->was);
}

/* Makes the pairs counterparts; whether there is any. */
static bool take_pairs(Replacing* r)
{
   for (uint32_t score = HIGHEST; score >= ENOUGH; score--)
      for (size_t i = 0; i < r->pairs.n; i++) {
         const LikelyPair* pair = &r->pairs.of[i];
         if (pair->score != score || r->is_taken[pair->now] ||
             r->counterparts[pair->was] != CG2P_NONE)
            continue;
         take_pair(r, pair);
      }
   return r->pairs.n != 0;
}

/* Looks for counterparts once; whether any was found. */
static bool find_more(Replacing* r)
{
   r->pairs.n = 0;
   for (uint32_t i = 0; i < r->sides[0].n; i++) {
      uint32_t was = r->sides[0].alone[i];
      if (r->counterparts[was] == CG2P_NONE && r->is_due[was])
         judge_function(r, was);
      r->is_due[was] = 0;
   }
   return take_pairs(r);
}

/*--- The operation ------------------------------------------------------*/

static MarkedFunctions no_marks(Replacing* r)
{
   return (MarkedFunctions){
      zeroes_for_replacing(r, r->n, sizeof(uint32_t)),
      zeroes_for_replacing(r, r->n, sizeof(uint64_t)),
      0,
   };
}

static void find_replacements(Replacing* r,
                              const cg2p_explained* old_side,
                              const cg2p_explained* new_side)
{
   look_at_side(r, &r->sides[0], old_side, CG2P_IN_OLD);
   look_at_side(r, &r->sides[1], new_side, CG2P_IN_NEW);
   r->called =
      cg2p_neighbours_turned(&r->arena, &r->failure, &r->sides[1].callers, r->n,
                             r->sides[1].alone, r->sides[1].n);
   r->calling =
      cg2p_neighbours_turned(&r->arena, &r->failure, &r->sides[1].callees, r->n,
                             r->sides[1].alone, r->sides[1].n);
   r->is_taken = zeroes_for_replacing(r, r->n, sizeof *r->is_taken);
   r->is_due = zeroes_for_replacing(r, r->n, sizeof *r->is_due);
   memset(r->is_due, 1, r->n);
   for (uint32_t i = 0; i < r->n; i++)
      if (r->counterparts[i] != CG2P_NONE) r->is_taken[r->counterparts[i]] = 1;
   r->met = no_marks(r);
   r->listed = no_marks(r);
   while (find_more(r))
      ;
}

/* Whether it is done; if not, the error says why. */
static bool try_to_find(Replacing* r,
                        const cg2p_explained* old_side,
                        const cg2p_explained* new_side)
{
   if (setjmp(r->failure.caught)) return false;
   find_replacements(r, old_side, new_side);
   return true;
}

int cg2p_replacement_find(const cg2p_matching* matching,
                          const cg2p_explained* old_side,
                          const cg2p_explained* new_side,
                          uint32_t* counterparts,
                          cg2p_error* error)
{
   Replacing r = {
      .failure = {.path = "the replacements", .error = error},
      .matching = matching,
      .n = cg2p_matching_count(matching),
      .counterparts = counterparts,
   };
   bool is_done = try_to_find(&r, old_side, new_side);
   cg2p_likenames_free(&r.names);
   free(r.pairs.of);
   cg2p_arena_free(&r.arena);
   return is_done;
}
