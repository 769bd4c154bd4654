#include "data/counting/visits.h"

#include "data/counting/pairs.h"
#include "engine/thread.h"

enum { SEEN_BITS = 64, SEEN_WORDS = VISIT_BYTES / SEEN_BITS };

/* What is visited: a block, or an element of an array. */
typedef struct Visited {
   Addr start;   /* of the block, or the element */
   ULong stride; /* from element to element; 0: a block */
   DataObject* object;
   UInt separation; /* the thread, if threads are kept apart, or 0 */
} Visited;

typedef struct Visit {
   Visited what;
   UInt n;
   UShort offsets[VISIT_OFFSETS]; /* n of them, in the order of accesses */
   ULong seen[SEEN_WORDS];        /* a bit for each of these offsets */
} Visit;

/* The visits of a thread, the one that was come to last first. */
typedef struct Visits {
   Visit* of[VISITS];
   UInt n;
} Visits;

/* By number of a thread. Reason for a mutable file-scope object: it grows with
 * them. */
static struct {
   Visits** of;
   UInt n;
} threads;

static Visits* visits_of(UInt tid)
{
   if (tid >= threads.n) {
      UInt n = 2 * tid + 16;
      threads.of =
         VG_(realloc)("cg2.visits", threads.of, n * sizeof *threads.of);
      VG_(memset)(threads.of + threads.n, 0,
                  (n - threads.n) * sizeof *threads.of);
      threads.n = n;
   }
   if (!threads.of[tid])
      threads.of[tid] = VG_(calloc)("cg2.visits", 1, sizeof *threads.of[tid]);
   return threads.of[tid];
}

/*--- The end of a visit -------------------------------------------------*/

static void count_pair(const PairPlace* a, const PairPlace* b)
{
   if (a->offset <= b->offset)
      cg2_pairs_count(PAIR_TOGETHER, a, b);
   else
      cg2_pairs_count(PAIR_TOGETHER, b, a);
}

/* The place of an offset in what is visited: in a block, or in any element. */
static ULong place_of(const Visited* what, UInt offset)
{
   return what->stride ? PAIR_FOLDED(what->stride, offset) : offset;
}

static void end(Visit* v)
{
   const PairPlace* places[VISIT_OFFSETS];
   for (UInt i = 0; i < v->n; i++) {
      places[i] = cg2_pairs_place(
         v->what.object, place_of(&v->what, v->offsets[i]), v->what.separation);
      for (UInt j = 0; j <= i; j++)
         count_pair(places[j], places[i]);
   }
}

void cg2_visits_forget(void)
{
   for (UInt tid = 0; tid < threads.n; tid++) {
      Visits* all = threads.of[tid];
      if (!all) continue;
      for (UInt i = 0; i < all->n; i++)
         VG_(free)(all->of[i]);
      all->n = 0;
   }
}

void cg2_visits_end(void)
{
   for (UInt tid = 0; tid < threads.n; tid++)
      for (UInt i = 0; threads.of[tid] && i < threads.of[tid]->n; i++)
         end(threads.of[tid]->of[i]);
   cg2_visits_forget();
}

/*--- Accesses -----------------------------------------------------------*/

static inline Bool is_of(const Visit* v, const Visited* what)
{
   return v->what.start == what->start && v->what.object == what->object &&
          v->what.stride == what->stride &&
          v->what.separation == what->separation;
}

/* Lets visit number `i` be the first. */
static void come_first(Visits* all, UInt i)
{
   Visit* v = all->of[i];
   for (; i; i--)
      all->of[i] = all->of[i - 1];
   all->of[0] = v;
}

/* Begins a visit, and ends another one if there are many. */
static void begin(Visits* all, const Visited* what)
{
   if (all->n == VISITS)
      end(all->of[VISITS - 1]);
   else
      all->of[all->n++] = VG_(malloc)("cg2.visits", sizeof(Visit));
   come_first(all, all->n - 1);
   VG_(memset)(all->of[0], 0, sizeof(Visit));
   all->of[0]->what = *what;
}

/* The running thread's visit of `what`. */
static Visit* visit(const Visited* what)
{
   Visits* all = visits_of(cg2_now.tid);
   if (all->n && is_of(all->of[0], what)) return all->of[0];
   for (UInt i = 1; i < all->n; i++)
      if (is_of(all->of[i], what)) {
         come_first(all, i);
         return all->of[0];
      }
   begin(all, what);
   return all->of[0];
}

static void come_to(Visit* v, UInt offset)
{
   ULong bit = 1ULL << offset % SEEN_BITS;
   ULong* seen = &v->seen[offset / SEEN_BITS];
   if ((*seen & bit) || v->n == VISIT_OFFSETS) return;
   *seen |= bit;
   v->offsets[v->n++] = offset;
}

/* Whether an access is to a part of an element of an array: the instruction
 * comes to many places at equal distances, and accesses less than lies between
 * two. */
static Bool is_in_element(const Touch* t, const Toucher* by)
{
   return t->stride > by->size && t->stride <= VISIT_BYTES;
}

VG_REGPARM(2) void cg2_visits_touch(Addr address, Toucher* by)
{
   cg2_touches_make(address, by);
   const Touch* t = by->recent;
   const Separation* separation = cg2_now.current->context->separation;
   if (t->object->kind != DATA_HEAP && t->object->kind != DATA_STATIC) return;
   if (separation->is_off) return;
   Visited what = {.start = t->origin,
                   .object = t->object,
                   .separation = separation->thread};
   if (t->start + t->length - t->origin > VISIT_BYTES) {
      if (!is_in_element(t, by)) return;
      what.stride = t->stride;
      what.start = address - (address - t->origin) % t->stride;
   }
   come_to(visit(&what), address - what.start);
}
