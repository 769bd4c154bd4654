#include "model/cache/cache.h"

#include "base/table.h"

/*--- Rings and a hash ---------------------------------------------------*/

static inline UInt* bucket_of(const Cache* cache, UWord line)
{
   ULong hash = cg2_hash_word(0, line);
   return &cache->rings.buckets[hash & (cache->rings.n_buckets - 1)];
}

/* The slot of a line plus 1, or 0. */
static UInt find_slot(const Cache* cache, UWord line)
{
   UInt entry = *bucket_of(cache, line);
   while (entry && cache->rings.lines[entry - 1] != line)
      entry = cache->rings.chained[entry - 1];
   return entry;
}

/* Takes the line of a slot out of the hash. */
static void unchain(Cache* cache, UInt slot)
{
   UInt* entry = bucket_of(cache, cache->rings.lines[slot]);
   while (*entry != slot + 1)
      entry = &cache->rings.chained[*entry - 1];
   *entry = cache->rings.chained[slot];
}

/* Puts the line of a slot into the hash. */
static void chain(Cache* cache, UInt slot)
{
   UInt* bucket = bucket_of(cache, cache->rings.lines[slot]);
   cache->rings.chained[slot] = *bucket;
   *bucket = slot + 1;
}

/* Puts `slot` in front of `newest` in their ring. */
static void move_to_front(CacheRings* rings, UInt slot, UInt newest)
{
   rings->older[rings->newer[slot]] = rings->older[slot];
   rings->newer[rings->older[slot]] = rings->newer[slot];
   UInt oldest = rings->newer[newest];
   rings->older[oldest] = rings->newer[newest] = slot;
   rings->older[slot] = newest;
   rings->newer[slot] = oldest;
}

Bool cg2_cache_touch_ring(Cache* cache, UWord line)
{
   UWord set = cg2_tags_seat(&cache->tags, line).set;
   CacheRings* rings = &cache->rings;
   UInt newest = rings->newest[set];
   UInt found =
      cache->rings.lines[newest] == line ? newest + 1 : find_slot(cache, line);
   if (found) {
      UInt slot = found - 1;
      cache->slot = slot;
      if (slot != newest) move_to_front(rings, slot, newest);
      rings->newest[set] = slot;
      return True;
   }
   UInt slot = rings->newer[newest]; /* the oldest; the ring turns by one */
   cache->slot = slot;
   cache->evicted = cache->rings.lines[slot];
   if (cache->evicted != CACHE_NONE) unchain(cache, slot);
   cache->rings.lines[slot] = line;
   chain(cache, slot);
   rings->newest[set] = slot;
   return False;
}

/* Empties a slot, which becomes the oldest of its set. */
static void remove_from_ring(Cache* cache, UWord set, UInt slot)
{
   CacheRings* rings = &cache->rings;
   unchain(cache, slot);
   rings->lines[slot] = CACHE_NONE;
   UInt newest = rings->newest[set];
   if (slot != newest) move_to_front(rings, slot, newest);
   /* The slot in front of the newest one is the oldest. */
   rings->newest[set] = rings->older[slot];
}

/*--- Tags and order words -----------------------------------------------*/

/* Gives a set its tags and order word. Its top, if it has one, gets the last
 * way. */
static void lay_out_set(Cache* cache, UWord set)
{
   UInt top = cache->tops[set], way = cache->ways - 1;
   cg2_tags_clear_set(&cache->tags, set);
   cache->orders[set] = ORDER_START;
   if (top == TAG_NONE) return;
   cg2_tags_put(&cache->tags, (Seat){set, top & ~TOP_ALONE}, way);
   cache->orders[set] = cg2_order_to_front(ORDER_START, 4 * way, way);
}

void cg2_cache_lay_out(Cache* cache)
{
   if (!cache->tops) return;
   for (UWord set = 0; set < cache->tags.n_sets; set++)
      if (!cg2_cache_is_laid_out(cache, set)) lay_out_set(cache, set);
   cache->tops = NULL;
}

Bool cg2_cache_begin_second(Cache* cache, Seat seat)
{
   UInt* top = &cache->tops[seat.set];
   if (*top == TAG_NONE) {
      *top = seat.tag | TOP_ALONE;
      cache->evicted = CACHE_NONE;
      return True;
   }
   lay_out_set(cache, seat.set);
   *top = seat.tag;
   return False;
}

/* Whether a line is in its set, which is not laid out. */
static Bool is_alone(const Cache* cache, Seat seat)
{
   return cache->tops[seat.set] != TAG_NONE && cg2_cache_is_top(cache, seat);
}

/* A line that is not plain cannot be a top, so that no set may have one. */
Bool cg2_cache_touch_tags(Cache* cache, UWord line)
{
   Tags* tags = &cache->tags;
   if (!cg2_tags_is_plain(tags, line)) cg2_cache_lay_out(cache);
   Seat seat = cg2_tags_seat(tags, line);
   ULong* order = &cache->orders[seat.set];
   UInt way = cg2_tags_find(tags, seat);
   Bool is_hit = way != NO_WAY;
   UInt place = is_hit ? cg2_order_find(*order, way) : 4 * (cache->ways - 1);
   if (!is_hit) {
      way = cg2_order_at(*order, place);
      cache->evicted = cg2_tags_line(tags, seat.set, way);
      cg2_tags_put(tags, seat, way);
   }
   *order = cg2_order_to_front(*order, place, way);
   cache->slot = seat.set * cache->ways + way;
   return is_hit;
}

/*--- Caches of either kind ----------------------------------------------*/

static void clear_rings(Cache* cache)
{
   CacheRings* rings = &cache->rings;
   for (UWord slot = 0; slot < cg2_cache_slots(cache); slot++)
      rings->lines[slot] = CACHE_NONE;
   VG_(memset)(rings->buckets, 0, rings->n_buckets * sizeof(UInt));
   for (UWord set = 0; set < cache->tags.n_sets; set++) {
      UInt first = set * cache->ways;
      rings->newest[set] = first;
      for (UInt way = 0; way < cache->ways; way++) {
         rings->older[first + way] = first + (way + 1) % cache->ways;
         rings->newer[first + (way + 1) % cache->ways] = first + way;
      }
   }
}

static void init_rings(Cache* cache)
{
   CacheRings* rings = &cache->rings;
   UWord n = cg2_cache_slots(cache);
   rings->n_buckets = 1;
   while (rings->n_buckets < n)
      rings->n_buckets *= 2;
   rings->lines = VG_(calloc)("cg2.cache", n, sizeof(UWord));
   rings->newest = VG_(calloc)("cg2.cache", cache->tags.n_sets, sizeof(UInt));
   rings->older = VG_(calloc)("cg2.cache", n, sizeof(UInt));
   rings->newer = VG_(calloc)("cg2.cache", n, sizeof(UInt));
   rings->chained = VG_(calloc)("cg2.cache", n, sizeof(UInt));
   rings->buckets = VG_(calloc)("cg2.cache", rings->n_buckets, sizeof(UInt));
}

/* The number of sets from which on tops pay: with 16 ways this is 16 MB. */
enum { TOPS_SETS = 16384 };

static void begin_tops(Cache* cache)
{
   Tags* tags = &cache->tags;
   cache->tops = cg2_tags_room(tags->n_sets);
   UInt end = TAG_NONE & ~TOP_ALONE;
   if (tags->n_sets <= ~(UWord)0 / end) tags->plain_end = tags->n_sets * end;
}

void cg2_cache_init(Cache* cache, const Geometry* geometry)
{
   *cache = (Cache){.line_bits = __builtin_ctz(geometry->line),
                    .ways = geometry->ways};
   cg2_tags_init(&cache->tags, cg2_geometry_sets(geometry), geometry->ways);
   if (cache->ways > ORDER_WAYS)
      init_rings(cache);
   else {
      UWord n_sets = cache->tags.n_sets;
      cg2_tags_allocate(&cache->tags);
      cache->orders = VG_(malloc)("cg2.cache", n_sets * sizeof(ULong));
      if (n_sets >= TOPS_SETS) begin_tops(cache);
   }
   cg2_cache_clear(cache);
}

UWord cg2_cache_newest(const Cache* cache, UWord line)
{
   UWord set = cg2_tags_seat(&cache->tags, line).set;
   if (!cache->orders) return cache->rings.lines[cache->rings.newest[set]];
   const Tags* tags = &cache->tags;
   if (cg2_cache_is_laid_out(cache, set))
      return cg2_tags_line(tags, set, cg2_order_at(cache->orders[set], 0));
   UInt top = cache->tops[set];
   return top == TAG_NONE ? CACHE_NONE
                          : cg2_tags_plain_line(tags, set, top & ~TOP_ALONE);
}

Bool cg2_cache_hit(Cache* cache, UWord line)
{
   if (!cache->orders)
      return find_slot(cache, line) && cg2_cache_touch_ring(cache, line);
   Seat seat = cg2_tags_seat(&cache->tags, line);
   if (!cg2_cache_is_laid_out(cache, seat.set)) {
      if (!is_alone(cache, seat)) return False;
      cache->slot = cg2_cache_top_slot(cache, seat.set);
      return True;
   }
   UInt way = cg2_tags_find(&cache->tags, seat);
   if (way == NO_WAY) return False;
   if (cache->tops) cache->tops[seat.set] = seat.tag;
   ULong* order = &cache->orders[seat.set];
   *order = cg2_order_to_front(*order, cg2_order_find(*order, way), way);
   cache->slot = seat.set * cache->ways + way;
   return True;
}

UWord cg2_cache_find(const Cache* cache, UWord line)
{
   if (!cache->orders) {
      UInt entry = find_slot(cache, line);
      return entry ? entry - 1 : CACHE_NONE;
   }
   const Tags* tags = &cache->tags;
   Seat seat = cg2_tags_seat(tags, line);
   if (!cg2_cache_is_laid_out(cache, seat.set))
      return is_alone(cache, seat) ? cg2_cache_top_slot(cache, seat.set)
                                   : CACHE_NONE;
   UInt way = cg2_tags_find(tags, seat);
   return way == NO_WAY ? CACHE_NONE : seat.set * cache->ways + way;
}

void cg2_cache_remove(Cache* cache, UWord line, UWord slot)
{
   UWord set = cg2_tags_seat(&cache->tags, line).set;
   if (!cache->orders) {
      remove_from_ring(cache, set, slot);
      return;
   }
   if (!cg2_cache_is_laid_out(cache, set)) {
      cache->tops[set] = TAG_NONE;
      return;
   }
   UInt way = slot - set * cache->ways;
   ULong* order = &cache->orders[set];
   *order = cg2_order_move_back(*order, cg2_order_find(*order, way),
                                4 * (cache->ways - 1));
   cg2_tags_remove(&cache->tags, set, way);
   if (!cache->tops) return;
   UWord first = set * cache->tags.stride;
   cache->tops[set] = cache->tags.low[first + cg2_order_at(*order, 0)];
}

void cg2_cache_clear(Cache* cache)
{
   if (!cache->orders) {
      clear_rings(cache);
      return;
   }
   if (cache->tops) {
      VG_(memset)(cache->tops, 0xff, cache->tags.n_sets * sizeof *cache->tops);
      return;
   }
   cg2_tags_clear(&cache->tags);
   for (UWord set = 0; set < cache->tags.n_sets; set++)
      cache->orders[set] = ORDER_START;
}
