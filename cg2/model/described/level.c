#include "model/described/level.h"

/*--- Slots --------------------------------------------------------------*/

static UWord n_slots(const CacheLevel* level)
{
   return level->n_sets * level->ways;
}

/* Which slots of the row from `first` on have such a lower half: a bit for
 * each. */
static inline UInt find_alike(const CacheLevel* level, UWord first, UInt low)
{
   return level->row == 1 ? level->low[first] == low
                          : cg2_simd_equal(level->low + first, level->row, low);
}

/* The slot of any line in the set that begins at slot `first`, or CACHE_NONE.
 * The line may be CACHE_NONE: the first slot that is empty. */
static UWord find_from(const CacheLevel* level, UWord first, UWord line)
{
   UWord end = first + level->ways;
   for (; first < end; first += level->row) {
      UInt alike = find_alike(level, first, line);
      for (; alike; alike &= alike - 1) {
         UWord slot = first + __builtin_ctz(alike);
         if (cg2_level_line(level, slot) == line) return slot;
      }
   }
   return CACHE_NONE;
}

UWord cg2_level_find_any(const CacheLevel* level, UWord line)
{
   if (!level->low) return cg2_cache_find(&level->cache, line);
   return find_from(level, cg2_level_set(level, line) * level->ways, line);
}

/* Gives all lines an upper half. */
static void add_upper_halves(CacheLevel* level)
{
   UWord n = n_slots(level);
   level->plain_end = 0;
   level->high = cg2_tags_room(n);
   for (UWord slot = 0; slot < n; slot++)
      level->high[slot] = level->low[slot] == TAG_NONE ? TAG_NONE : 0;
}

/* Puts a line, or CACHE_NONE, into a slot of a level that has lines. */
static inline void put(CacheLevel* level, UWord slot, UWord line)
{
   if (__builtin_expect(line >= TAG_NONE && line != CACHE_NONE, 0) &&
       !level->high)
      add_upper_halves(level);
   level->low[slot] = line;
   if (level->high) level->high[slot] = (ULong)line >> 32;
}

/*--- Replacement --------------------------------------------------------*/

/* PLRU: which bits a touch of `way` leaves alone, and which it sets: all nodes
 * above it point to the other half. */
static void find_pointing(UInt ways, UInt way, ULong* kept, ULong* pointing)
{
   *kept = ~0ULL;
   *pointing = 0;
   for (UInt node = ways + way; node > 1; node /= 2) {
      ULong bit = 1ULL << node / 2;
      *kept &= ~bit;
      if (!(node & 1)) *pointing |= bit;
   }
}

/* PLRU: the way that a tree points to. */
static UInt follow(ULong tree, UInt ways)
{
   UInt node = 1;
   while (node < ways)
      node = 2 * node + (tree >> node & 1);
   return node - ways;
}

/* SRRIP: the way that is needed last. If there is none yet, all are needed
 * later than before. */
static UInt needed_last(UChar* distance, UInt ways)
{
   for (;;) {
      for (UInt way = 0; way < ways; way++)
         if (distance[way] == NEEDED_LAST) return way;
      for (UInt way = 0; way < ways; way++)
         distance[way]++;
   }
}

/* LRU: the way whose line was touched first. */
static UInt touched_first(const CacheLevel* level, const UInt* stamps)
{
   UInt first = 0, row = level->row;
   for (UInt way = 0; way < level->ways; way += row) {
      UInt of_row = row == 1 ? way : way + cg2_simd_lowest(stamps + way, row);
      if (stamps[of_row] < stamps[first]) first = of_row;
   }
   return first;
}

/* FIFO: the way whose line was loaded first. */
static UInt loaded_first(const ULong* loaded, UInt ways)
{
   UInt first = 0;
   for (UInt way = 1; way < ways; way++)
      if (loaded[way] < loaded[first]) first = way;
   return first;
}

/* A number below n from the upper half of the generator's state. Source:
 * Marsaglia, Xorshift RNGs, 2003. */
static UInt draw(ULong* state, UInt n)
{
   *state ^= *state << 13;
   *state ^= *state >> 7;
   *state ^= *state << 17;
   return (*state >> 32) % n;
}

/* The way to replace in a full set. */
static UInt choose_full(CacheLevel* level, UWord set)
{
   switch (level->replacement) {
   case REPLACE_LRU:
      return touched_first(level, level->stamps + set * level->ways);
   case REPLACE_PLRU:
      return follow(level->trees[set], level->ways);
   case REPLACE_FIFO:
      return loaded_first(level->loaded + set * level->ways, level->ways);
   case REPLACE_SRRIP:
      return needed_last(level->distance + set * level->ways, level->ways);
   default:
      return draw(&level->chance, level->ways);
   }
}

/* The first empty slot of the set that begins at slot `first`, or CACHE_NONE.
 */
static UWord find_empty(const CacheLevel* level, UWord first)
{
   return level->plain_end ? cg2_level_find_half(level, first, TAG_NONE)
                           : find_from(level, first, CACHE_NONE);
}

/* The way that the next line of a set gets: an empty one, or one to replace. */
static UInt choose(CacheLevel* level, UWord set)
{
   UWord first = set * level->ways;
   UWord empty = level->n_empty ? find_empty(level, first) : CACHE_NONE;
   return empty == CACHE_NONE ? choose_full(level, set) : empty - first;
}

/* Notes for the policy that a line was loaded into a way. */
static inline void learn_load(CacheLevel* level, UWord set, UInt way)
{
   UWord slot = set * level->ways + way;
   if (level->replacement == REPLACE_PLRU)
      cg2_level_point_away(level, set, way);
   else if (level->replacement == REPLACE_LRU)
      level->stamps[slot] = level->now;
   else if (level->replacement == REPLACE_SRRIP)
      level->distance[slot] = NEEDED_LATE;
   else if (level->replacement == REPLACE_FIFO)
      level->loaded[slot] = ++level->n_loaded;
}

/* cg2_level_load() of a level that has lines. */
static void load_here(CacheLevel* level, UWord line)
{
   UWord set = cg2_level_set(level, line);
   UInt way = choose(level, set);
   level->slot = set * level->ways + way;
   level->evicted = cg2_level_line(level, level->slot);
   level->n_empty -= level->evicted == CACHE_NONE;
   put(level, level->slot, line);
   learn_load(level, set, way);
}

/*--- Verbs --------------------------------------------------------------*/

Bool cg2_level_hit_any(CacheLevel* level, UWord line)
{
   if (!level->low) {
      Bool is_hit = cg2_cache_hit(&level->cache, line);
      if (is_hit) level->slot = level->cache.slot;
      return is_hit;
   }
   UWord set = cg2_level_set(level, line);
   UWord slot = find_from(level, set * level->ways, line);
   if (slot == CACHE_NONE) return False;
   cg2_level_note_hit(level, set, slot);
   return True;
}

void cg2_level_load(CacheLevel* level, UWord line)
{
   if (level->low)
      load_here(level, line);
   else {
      cg2_cache_touch(&level->cache, line);
      level->slot = level->cache.slot;
      level->evicted = level->cache.evicted;
   }
   level->evicted_marks = level->marks[level->slot];
   level->marks[level->slot] = 0;
}

UChar cg2_level_remove(CacheLevel* level, UWord line, UWord slot)
{
   if (level->low) {
      put(level, slot, CACHE_NONE);
      level->n_empty++;
   } else
      cg2_cache_remove(&level->cache, line, slot);
   UChar marks = level->marks[slot];
   level->marks[slot] = 0;
   return marks;
}

void cg2_level_clear(CacheLevel* level)
{
   UWord n = n_slots(level);
   VG_(memset)(level->marks, 0, n);
   level->chance = level->seed;
   if (!level->low) {
      cg2_cache_clear(&level->cache);
      return;
   }
   VG_(memset)(level->low, 0xff, n * sizeof *level->low);
   if (level->high) VG_(memset)(level->high, 0xff, n * sizeof *level->high);
   level->n_empty = n;
   if (level->stamps) VG_(memset)(level->stamps, 0, n * sizeof *level->stamps);
   if (level->distance) VG_(memset)(level->distance, NEEDED_LAST, n);
   if (level->trees)
      VG_(memset)(level->trees, 0, level->n_sets * sizeof *level->trees);
}

static void init_trees(CacheLevel* level)
{
   level->trees = VG_(calloc)("cg2.level", level->n_sets, sizeof *level->trees);
   level->kept = VG_(calloc)("cg2.level", level->ways, sizeof *level->kept);
   level->pointing =
      VG_(calloc)("cg2.level", level->ways, sizeof *level->pointing);
   for (UInt way = 0; way < level->ways; way++)
      find_pointing(level->ways, way, &level->kept[way], &level->pointing[way]);
}

/* The largest row of simd.h of which so many ways are a whole number, or 1. */
static UInt row_of(UInt ways)
{
   for (UInt row = 16; row >= 4; row /= 2)
      if (ways % row == 0) return row;
   return 1;
}

void cg2_level_init(CacheLevel* level,
                    const CacheConfig* config,
                    Bool is_stamped)
{
   *level = (CacheLevel){.replacement = config->replacement,
                         .ways = config->geometry.ways,
                         .row = row_of(config->geometry.ways),
                         .n_sets = cg2_geometry_sets(&config->geometry),
                         .seed = config->seed};
   UWord n = n_slots(level);
   level->marks = VG_(calloc)("cg2.level", n, 1);
   if (level->replacement == REPLACE_LRU && !is_stamped)
      cg2_cache_init(&level->cache, &config->geometry);
   else {
      level->low = cg2_tags_room(n);
      Bool is_row = level->row > 1 && level->row == level->ways;
      level->plain_end = is_row ? TAG_NONE : 0;
   }
   if (level->replacement == REPLACE_LRU && is_stamped)
      level->stamps = cg2_tags_room(n);
   if (level->replacement == REPLACE_PLRU) init_trees(level);
   if (level->replacement == REPLACE_FIFO)
      level->loaded = VG_(calloc)("cg2.level", n, sizeof *level->loaded);
   if (level->replacement == REPLACE_SRRIP) /* of whole words: TouchBits */
      level->distance = VG_(calloc)("cg2.level", n + sizeof(UInt), 1);
   cg2_level_clear(level);
}

/*--- Touches ------------------------------------------------------------*/

Touching cg2_level_touching(const CacheLevel* level)
{
   enum { TREE_BITS = 32 };
   if (!level->low) return TOUCH_UNKNOWN;
   if (level->stamps) return TOUCH_STAMP;
   if (level->trees)
      return level->ways <= TREE_BITS ? TOUCH_BITS : TOUCH_UNKNOWN;
   return level->distance ? TOUCH_BITS : TOUCH_NOTHING;
}

TouchBits cg2_level_distance_bits(const CacheLevel* level, UWord slot)
{
   UInt at = 8 * (slot % sizeof(UInt));
   return (TouchBits){(UInt*)level->distance + slot / sizeof(UInt),
                      ~(0xffU << at), (UInt)NEEDED_SOON << at};
}

/* Gives the ways of a set that were touched the times from 1 on, in the order
 * of their touches; a time for each way that was not touched is below these. */
static void renumber_set(UInt* stamps, UInt* ranks, UInt ways)
{
   for (UInt way = 0; way < ways; way++) {
      ranks[way] = 1;
      for (UInt other = 0; other < ways; other++)
         ranks[way] += stamps[other] < stamps[way];
   }
   VG_(memcpy)(stamps, ranks, ways * sizeof *stamps);
}

void cg2_level_renumber(CacheLevel* level)
{
   UInt ranks[PROCESSOR_WAYS_MAX];
   if (!level->stamps) return;
   tl_assert(level->ways <= PROCESSOR_WAYS_MAX);
   for (UWord set = 0; set < level->n_sets; set++)
      renumber_set(level->stamps + set * level->ways, ranks, level->ways);
}
