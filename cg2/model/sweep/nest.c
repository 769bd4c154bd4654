#include "model/sweep/nest.h"

static const UWord NO_LINE = ~(UWord)0;

/* The number of sets of a cache. */
static UWord count_sets(const Nest* nest, UInt cache)
{
   return nest->n_sets >> (nest->n - 1 - cache);
}

static inline UWord set_of(const Nest* nest, UInt cache, UWord line)
{
   UWord n = count_sets(nest, cache);
   return nest->has_mask ? line & (n - 1) : line % n;
}

/*--- Touching -----------------------------------------------------------*/

/* The older of two places. Without a branch, as nothing foretells which one it
 * is, and a branch that is guessed wrong costs more than all else. */
static inline UInt older(const ULong* times, UInt one, UInt other)
{
   UInt mask = -(UInt)(times[other] < times[one]);
   return one ^ ((one ^ other) & mask);
}

/* Puts the line of `place` into a smaller cache, for the oldest line of its
 * set. */
static inline void load(Nest* nest, UInt cache, UInt place, UWord line)
{
   UInt* members =
      nest->members[cache] + set_of(nest, cache, line) * nest->ways;
   const ULong* times = nest->times;
   UInt way = 0;
   ULong oldest = times[members[0]];
   for (UInt w = 1; w < nest->ways; w++) {
      ULong time = times[members[w]];
      UInt mask = -(UInt)(time < oldest);
      way ^= (way ^ w) & mask;
      oldest = time < oldest ? time : oldest;
   }
   nest->smallest[members[way]] = cache + 1;
   members[way] = place;
}

UInt cg2_nest_touch(Nest* nest, UWord line)
{
   UInt first = 1 + set_of(nest, nest->n - 1, line) * nest->ways;
   UInt place = first, end = first + nest->ways, n_missing;
   while (place < end && nest->lines[place] != line)
      place++;
   if (place < end)
      n_missing = nest->smallest[place];
   else {
      place = first;
      for (UInt p = first + 1; p < end; p++)
         place = older(nest->times, place, p);
      n_missing = nest->n;
   }
   /* The smaller caches come first, as long as the place has its old line: a
      line that the largest cache loses goes from all. */
   for (UInt cache = 0; cache < n_missing && cache < nest->n - 1; cache++)
      load(nest, cache, place, line);
   nest->lines[place] = line;
   nest->times[place] = ++nest->now;
   nest->smallest[place] = 0;
   return n_missing;
}

/*--- Configuration ------------------------------------------------------*/

void cg2_nest_init(Nest* nest, UWord n_sets, UInt ways, UInt n)
{
   tl_assert(n > 0 && n <= NEST_MAX && n_sets > 0 && ways > 0);
   *nest = (Nest){.n = n, .ways = ways, .n_sets = n_sets << (n - 1)};
   nest->has_mask = !(n_sets & (n_sets - 1));
   UWord n_places = 1 + nest->n_sets * ways;
   nest->lines = VG_(calloc)("cg2.nest", n_places, sizeof(UWord));
   nest->times = VG_(calloc)("cg2.nest", n_places, sizeof(ULong));
   nest->smallest = VG_(calloc)("cg2.nest", n_places, sizeof(UChar));
   for (UInt cache = 0; cache < n - 1; cache++)
      nest->members[cache] =
         VG_(calloc)("cg2.nest", count_sets(nest, cache) * ways, sizeof(UInt));
   cg2_nest_clear(nest);
}

void cg2_nest_clear(Nest* nest)
{
   UWord n_places = 1 + nest->n_sets * nest->ways;
   for (UWord place = 0; place < n_places; place++)
      nest->lines[place] = NO_LINE;
   VG_(memset)(nest->times, 0, n_places * sizeof(ULong));
   for (UInt cache = 0; cache < nest->n - 1; cache++)
      VG_(memset)(nest->members[cache], 0,
                  count_sets(nest, cache) * nest->ways * sizeof(UInt));
   nest->now = 0;
}
