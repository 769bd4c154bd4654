#include "model/described/tage.h"

/* The entries of a branch: one in each table. */
typedef struct Match {
   TrailWords places; /* in Tage.entries */
   TrailWords tags;
   Int longest, next; /* the last two tables that match, or -1 */
} Match;

/* The last of some tables, each of which has the bit 2 << table; -1: there is
 * none. */
static inline Int last_of(UInt tables)
{
   return 30 - __builtin_clz(tables | 1);
}

/* Finds the entries of a branch. Without branches of its own, which the host
 * would mispredict as often as not. */
static inline void
find_match(const Tage* tage, const Trail* trail, Addr addr, Match* m)
{
   UInt matches = 0;
   TrailWords seen = cg2_trail_seen(trail, addr);
   for (UInt i = 0; i < TRAIL_LANES; i++) {
      m->places.lanes[i] =
         seen.lanes[i] >> (32 - tage->bits) | tage->tables.lanes[i];
      m->tags.lanes[i] = (seen.lanes[i] >> TRAIL_TAG_SHIFT & 0xffff) | 1;
   }
#pragma GCC unroll 8
   for (UInt table = 0; table < TRAIL_LENGTHS; table++)
      matches |=
         (UInt)(tage->entries[m->places.of[table]].tag == m->tags.of[table])
         << table;
   m->longest = last_of(matches << 1);
   m->next = last_of(matches << 1 & ~(1U << (m->longest + 1)));
}

static inline void move_base(UChar* counter, Bool is_taken)
{
   if (is_taken)
      *counter += *counter < 3;
   else
      *counter -= *counter > 0;
}

static inline void move_entry(TageEntry* e, Bool is_taken)
{
   if (is_taken)
      e->counter += e->counter < 3;
   else
      e->counter -= e->counter > -4;
}

/* Whether an entry has not shown yet what it is worth. */
static inline Bool is_new(const TageEntry* e)
{
   return e->useful == 0 && (e->counter == 0 || e->counter == -1);
}

/* Lets an entry learn that predicted by itself `is_predicted`. `by_next` is
 * what is predicted without it. */
static inline void
learn(TageEntry* e, Bool is_predicted, Bool by_next, Bool is_taken)
{
   move_entry(e, is_taken);
   if (is_predicted == by_next) return;
   if (is_predicted == is_taken)
      e->useful += e->useful < TAGE_USEFUL_MAX;
   else
      e->useful -= e->useful > 0;
}

/* Gives a branch that was mispredicted an entry in a longer table. */
static void allocate(Tage* tage, const Match* m, Bool is_taken)
{
   Int first = m->longest + 1;
   if (tage->n_missed++ % 2 && first < TRAIL_LENGTHS - 1) first++;
   for (Int table = first; table < TRAIL_LENGTHS; table++) {
      TageEntry* e = &tage->entries[m->places.of[table]];
      if (e->useful) continue;
      *e = (TageEntry){.tag = m->tags.of[table], .counter = is_taken ? 0 : -1};
      return;
   }
   for (Int table = first; table < TRAIL_LENGTHS; table++)
      tage->entries[m->places.of[table]].useful--;
}

/* Makes all entries half as useful. */
static void fade(Tage* tage)
{
   for (UWord i = 0; i < (UWord)TRAIL_LENGTHS << tage->bits; i++)
      tage->entries[i].useful /= 2;
}

/* What the longest match predicts for a branch, with all that learns from it.
 */
static inline Bool
predict_by(Tage* tage, const Match* m, UChar* base, Bool is_taken)
{
   Bool by_base = *base >= 2;
   if (m->longest < 0) {
      move_base(base, is_taken);
      return by_base;
   }
   TageEntry* e = &tage->entries[m->places.of[m->longest]];
   Bool by_next =
      m->next < 0 ? by_base : tage->entries[m->places.of[m->next]].counter >= 0;
   Bool by_entry = e->counter >= 0;
   Bool is_predicted = is_new(e) ? by_next : by_entry;
   learn(e, by_entry, by_next, is_taken);
   if (e->useful == 0 && m->next < 0) move_base(base, is_taken);
   return is_predicted;
}

Bool cg2_tage_predict(Tage* tage, Trail* trail, Addr addr, Bool is_taken)
{
   Match m;
   UWord mask = ((UWord)1 << (tage->bits + TAGE_BASE_BITS)) - 1;
   find_match(tage, trail, addr, &m);
   Bool is_predicted =
      predict_by(tage, &m, &tage->counters[addr & mask], is_taken);
   if (is_predicted != is_taken) allocate(tage, &m, is_taken);
   cg2_trail_add(trail, cg2_trail_mixed(addr << 1 | is_taken));
   if (trail->n_branches % (1 << TAGE_FADE_BITS) == 0) fade(tage);
   return is_predicted != is_taken;
}

void cg2_tage_init(Tage* tage, UInt bits)
{
   UWord n = (UWord)1 << bits;
   *tage = (Tage){.bits = bits};
   for (UInt table = 0; table < TRAIL_LENGTHS; table++)
      tage->tables.of[table] = table << bits;
   tage->entries =
      VG_(calloc)("cg2.predictor", TRAIL_LENGTHS * n, sizeof(TageEntry));
   tage->counters = VG_(calloc)("cg2.predictor", n << TAGE_BASE_BITS, 1);
}

void cg2_tage_clear(Tage* tage)
{
   UWord n = (UWord)1 << tage->bits;
   tage->n_missed = 0;
   VG_(memset)(tage->entries, 0, TRAIL_LENGTHS * n * sizeof(TageEntry));
   VG_(memset)(tage->counters, 0, n << TAGE_BASE_BITS);
}
