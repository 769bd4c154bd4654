/* Why the total of one side differs from that of another.
 *
 * Pieces are found as fractions and then rounded down; what is missing to the
 * difference is given to those that lost most, 1 to each. */
#include "explain/explanation.h"
#include "explain/percall.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct cg2p_explanation Explanation;

/* Pieces as they are found. */
typedef struct Finding {
   Explanation* made;
   const Summands *old, *new;
   long double* exact; /* costs of the pieces */
} Finding;

/*--- Finding pieces -----------------------------------------------------*/

static void add_piece(Finding* f, cg2p_piece piece, const long double* cost)
{
   Explanation* made = f->made;
   bool is_one_sided = !piece.old_count != !piece.new_count;
   for (uint32_t event = 0; event < made->n_events; event++)
      is_one_sided |= cost[event] != 0;
   if (!is_one_sided) return;
   memcpy(f->exact + made->n * made->n_events, cost,
          made->n_events * sizeof *cost);
   made->pieces[made->n++] = piece;
}

/* How much more `now`, of all calls of a function by NEW, is than `before`, of
 * all by OLD, would be in as many calls. Nothing is lost where the two are
 * nearly the same, as products have 128 bits. */
static long double how_much_more(const Finding* f,
                                 uint32_t function,
                                 uint64_t before,
                                 uint64_t now)
{
   uint64_t old = f->old->calls[function], new = f->new->calls[function];
   if (!old || !new) return (long double)now;
   unsigned __int128 up = (unsigned __int128)now * old;
   unsigned __int128 down = (unsigned __int128)before * new;
   return (up < down ? -(long double)(down - up) : (long double)(up - down)) /
          (long double)old;
}

static void find_own(Finding* f, uint32_t function, long double* cost)
{
   uint32_t width = f->made->n_events;
   const uint64_t* before = f->old->self + (size_t)function * width;
   const uint64_t* now = f->new->self + (size_t)function* width;
   for (uint32_t event = 0; event < width; event++)
      cost[event] = how_much_more(f, function, before[event], now[event]);
   add_piece(f, (cg2p_piece){function, CG2P_NONE, 0, 0}, cost);
}

static void
find_calls(Finding* f, cg2p_piece piece, long double more, long double* cost)
{
   uint32_t width = f->made->n_events;
   const long double* one = f->made->per_call + (size_t)piece.callee * width;
   for (uint32_t event = 0; event < width; event++)
      cost[event] = more * one[event];
   add_piece(f, piece, cost);
}

/* The next callee of a function in either side; `at` is where each is. */
static cg2p_piece next_callee(const Finding* f, uint32_t function, uint32_t* at)
{
   const Summands* sides[] = {f->old, f->new};
   uint64_t counts[2] = {0, 0};
   uint32_t callee = CG2P_NONE;
   for (int i = 0; i < 2; i++) {
      const cg2p_arc* arc = &sides[i]->arcs[at[i]];
      if (at[i] < sides[i]->n_arcs && arc->caller == function &&
          arc->callee < callee)
         callee = arc->callee;
   }
   for (int i = 0; i < 2; i++) {
      const cg2p_arc* arc = &sides[i]->arcs[at[i]];
      if (at[i] < sides[i]->n_arcs && arc->caller == function &&
          arc->callee == callee) {
         counts[i] = arc->count;
         at[i]++;
      }
   }
   return (cg2p_piece){function, callee, counts[0], counts[1]};
}

static void find_pieces(Finding* f)
{
   uint32_t n = f->old->n, at[2] = {0, 0};
   size_t bytes = (f->made->n_events + 1ul) * sizeof(long double);
   long double* cost =
      cg2p_arena_add(&f->made->arena, &f->made->failure, bytes);
   for (uint32_t i = 0; i < n; i++) {
      find_own(f, i, cost);
      for (;;) {
         cg2p_piece piece = next_callee(f, i, at);
         if (piece.callee == CG2P_NONE) break;
         if (f->new->calls[i])
            find_calls(f, piece,
                       how_much_more(f, i, piece.old_count, piece.new_count),
                       cost);
      }
   }
   for (uint32_t i = 0; i < n; i++) {
      cg2p_piece piece = {CG2P_NONE, i, f->old->begun[i], f->new->begun[i]};
      if (piece.old_count != piece.new_count)
         find_calls(f, piece,
                    (long double)piece.new_count - (long double)piece.old_count,
                    cost);
   }
}

/*--- Rounding -----------------------------------------------------------*/

typedef struct Fraction {
   long double lost;
   size_t piece;
} Fraction;

static int compare_fractions(const void* a, const void* b)
{
   const Fraction *x = a, *y = b;
   int order = (y->lost > x->lost) - (y->lost < x->lost);
   return order ? order : (x->piece > y->piece) - (x->piece < y->piece);
}

static __int128 difference_of(const Finding* f, uint32_t event)
{
   __int128 sum = 0;
   for (uint32_t i = 0; i < f->old->n; i++) {
      size_t place = (size_t)i * f->made->n_events + event;
      sum += (__int128)f->new->self[place] - (__int128)f->old->self[place];
   }
   return sum;
}

/* Rounds a cost down, and notes what it loses. */
static int64_t
round_down(Finding* f, long double exact, Fraction* lost, size_t* n, size_t i)
{
   long double whole = floorl(exact);
   if (!(fabsl(whole) < 0x1p62L))
      cg2p_failure_at(&f->made->failure, 0,
                      "a cause costs more than 62 bits can say; expected less "
                      "than 4611686018427387904");
   if (exact > whole) lost[(*n)++] = (Fraction){exact - whole, i};
   return (int64_t)whole;
}

static void round_event(Finding* f, uint32_t event, Fraction* lost)
{
   Explanation* made = f->made;
   uint32_t width = made->n_events;
   __int128 missing = difference_of(f, event);
   size_t n = 0, largest = 0;
   for (size_t i = 0; i < made->n; i++) {
      long double exact = f->exact[i * width + event];
      made->costs[i * width + event] = round_down(f, exact, lost, &n, i);
      missing -= made->costs[i * width + event];
      if (fabsl(exact) > fabsl(f->exact[largest * width + event])) largest = i;
   }
   if (n) qsort(lost, n, sizeof *lost, compare_fractions);
   for (size_t i = 0; i < n && missing > 0; i++, missing--)
      made->costs[lost[i].piece * width + event]++;
   /* What numbers of 64 bits were not exact enough for, if there is any. */
   if (made->n) made->costs[largest * width + event] += (int64_t)missing;
}

static void round_pieces(Finding* f)
{
   Explanation* made = f->made;
   Fraction* lost =
      cg2p_arena_add(&made->arena, &made->failure, made->n * sizeof *lost);
   made->costs = cg2p_arena_add(&made->arena, &made->failure,
                                made->n * made->n_events * sizeof *made->costs);
   for (uint32_t event = 0; event < made->n_events; event++)
      round_event(f, event, lost);
}

/*--- The operation ------------------------------------------------------*/

/* False: it failed. */
static bool explain(Explanation* made,
                    uint32_t n_functions,
                    const cg2p_explained* const* sides)
{
   Finding f = {made, &made->sides[0], &made->sides[1], NULL};
   if (setjmp(made->failure.caught)) return false;
   for (int i = 0; i < 2; i++)
      made->sides[i] = cg2p_summands_add_up(
         &made->arena, &made->failure, sides[i], n_functions, made->n_events);
   size_t most = 2ul * f.old->n + f.old->n_arcs + f.new->n_arcs;
   made->per_call = cg2p_percall_find(&made->arena, &made->failure, f.old);
   made->pieces =
      cg2p_arena_add(&made->arena, &made->failure, most * sizeof *made->pieces);
   f.exact = cg2p_arena_add(&made->arena, &made->failure,
                            most * made->n_events * sizeof *f.exact);
   find_pieces(&f);
   round_pieces(&f);
   return true;
}

cg2p_explanation* cg2p_explanation_new(uint32_t n_functions,
                                       uint32_t n_events,
                                       const cg2p_explained* old_side,
                                       const cg2p_explained* new_side,
                                       cg2p_error* error)
{
   const cg2p_explained* sides[] = {old_side, new_side};
   Explanation* made = calloc(1, sizeof *made);
   if (!made) {
      cg2p_failure_say_no_memory(error, "the explanation");
      return NULL;
   }
   made->failure = (Failure){.path = "the explanation", .error = error};
   made->n_events = n_events;
   if (explain(made, n_functions, sides)) return made;
   cg2p_explanation_free(made);
   return NULL;
}

size_t cg2p_explanation_piece_count(const cg2p_explanation* explanation)
{
   return explanation->n;
}

const cg2p_piece* cg2p_explanation_pieces(const cg2p_explanation* explanation)
{
   return explanation->pieces;
}

const int64_t* cg2p_explanation_costs(const cg2p_explanation* explanation)
{
   return explanation->costs;
}

const uint64_t* cg2p_explanation_calls(const cg2p_explanation* explanation,
                                       int is_new)
{
   return explanation->sides[is_new != 0].calls;
}

const uint64_t* cg2p_explanation_self_costs(const cg2p_explanation* explanation,
                                            int is_new)
{
   return explanation->sides[is_new != 0].self;
}

uint64_t cg2p_explanation_uncounted(const cg2p_explanation* explanation,
                                    int is_new)
{
   return explanation->sides[is_new != 0].n_uncounted;
}

void cg2p_explanation_free(cg2p_explanation* explanation)
{
   if (!explanation) return;
   cg2p_arena_free(&explanation->arena);
   free(explanation);
}
