#include "model/sweep/lru.h"

#include "base/table.h"

static const UWord NO_LINE = ~(UWord)0;

static inline UWord set_of(const Lru* lru, UWord line)
{
   return lru->set_mask || lru->n_sets == 1 ? line & lru->set_mask
                                            : line % lru->n_sets;
}

/*--- Finding lines ------------------------------------------------------*/

/* Neighbouring lines have neighbouring buckets, as they are touched together.
 */
enum { NEIGHBOUR_BITS = 3 };

static inline UInt* bucket_of(const Lru* lru, UWord line)
{
   UWord near = line & ((1 << NEIGHBOUR_BITS) - 1);
   UWord hash = cg2_hash_word(0, line >> NEIGHBOUR_BITS);
   return &lru->buckets[(hash << NEIGHBOUR_BITS | near) & (lru->n_buckets - 1)];
}

/* The place of a line plus 1, or 0. */
static inline UInt find(const Lru* lru, UWord line)
{
   UInt entry = *bucket_of(lru, line);
   while (entry && lru->places[entry - 1].line != line)
      entry = lru->places[entry - 1].chained;
   return entry;
}

/* Takes the line of a place out of the hash. */
static void forget(Lru* lru, UInt place)
{
   UInt* entry = bucket_of(lru, lru->places[place].line);
   while (*entry != place + 1)
      entry = &lru->places[*entry - 1].chained;
   *entry = lru->places[place].chained;
}

/* Puts a line in a place, where another line may be. */
static void replace(Lru* lru, UInt place, UWord line)
{
   if (lru->places[place].line != NO_LINE) forget(lru, place);
   UInt* bucket = bucket_of(lru, line);
   lru->places[place].line = line;
   lru->places[place].chained = *bucket;
   *bucket = place + 1;
}

/*--- Touching -----------------------------------------------------------*/

/* Makes two places neighbours. */
static inline void link_places(Lru* lru, UInt newer, UInt older)
{
   lru->places[newer].older = older;
   lru->places[older].newer = newer;
}

/* Puts `place` on top of `newest`. The oldest place is there already, as the
 * ends of a stack are neighbours. */
static inline void put_on_top(Lru* lru, UInt place, UInt newest)
{
   UInt oldest = lru->places[newest].newer;
   if (place == oldest) return;
   link_places(lru, lru->places[place].newer, lru->places[place].older);
   link_places(lru, oldest, place);
   link_places(lru, place, newest);
}

/* Completes that `place` was put on top, from below `before`: each cache that
 * did not have it loses its last place to the next larger cache. */
static inline void push_out(Lru* lru, UInt* lasts, UInt place, UInt before)
{
   UInt smallest = lru->places[place].smallest;
   for (UInt i = 0; i < smallest; i++) {
      LruPlace* last = &lru->places[lasts[i]];
      last->smallest = i + 1;
      lasts[i] = last->newer;
   }
   if (lasts[smallest] == place) lasts[smallest] = before;
   lru->places[place].smallest = 0;
}

UInt cg2_lru_touch(Lru* lru, UWord line)
{
   UWord set = set_of(lru, line);
   UInt newest = lru->newest[set], n_missing;
   if (lru->places[newest].line == line) return 0;
   UInt found = find(lru, line), place;
   if (found) {
      place = found - 1;
      n_missing = lru->places[place].smallest;
   } else {
      place = lru->places[newest].newer; /* the oldest */
      n_missing = lru->n;
      replace(lru, place, line);
   }
   UInt before = lru->places[place].newer;
   put_on_top(lru, place, newest);
   lru->newest[set] = place;
   push_out(lru, lru->lasts + set * lru->n, place, before);
   return n_missing;
}

/*--- Configuration ------------------------------------------------------*/

void cg2_lru_init(Lru* lru, UWord n_sets, const UInt* ways, UInt n)
{
   tl_assert(n > 0 && n_sets > 0 && ways[0] > 0);
   *lru = (Lru){.n = n, .n_sets = n_sets, .ways = ways[n - 1]};
   if (!(n_sets & (n_sets - 1))) lru->set_mask = n_sets - 1;
   UWord n_places = n_sets * lru->ways;
   lru->n_buckets = 1 << NEIGHBOUR_BITS;
   while (lru->n_buckets < 2 * n_places)
      lru->n_buckets *= 2;
   lru->places = VG_(calloc)("cg2.lru", n_places, sizeof *lru->places);
   lru->newest = VG_(calloc)("cg2.lru", n_sets, sizeof(UInt));
   lru->lasts = VG_(calloc)("cg2.lru", n_sets * n, sizeof(UInt));
   lru->ends = VG_(calloc)("cg2.lru", n, sizeof(UInt));
   lru->buckets = VG_(calloc)("cg2.lru", lru->n_buckets, sizeof(UInt));
   for (UInt i = 0; i < n; i++) {
      tl_assert(i == 0 || ways[i] > ways[i - 1]);
      lru->ends[i] = ways[i] - 1;
   }
   cg2_lru_clear(lru);
}

static void clear_set(Lru* lru, UWord set)
{
   UInt first = set * lru->ways, cache = 0;
   for (UInt way = 0; way < lru->ways; way++) {
      lru->places[first + way].line = NO_LINE;
      lru->places[first + way].smallest = cache;
      link_places(lru, first + way, first + (way + 1) % lru->ways);
      if (way == lru->ends[cache])
         lru->lasts[set * lru->n + cache++] = first + way;
   }
   lru->newest[set] = first;
}

void cg2_lru_clear(Lru* lru)
{
   VG_(memset)(lru->buckets, 0, lru->n_buckets * sizeof(UInt));
   for (UWord set = 0; set < lru->n_sets; set++)
      clear_set(lru, set);
}
