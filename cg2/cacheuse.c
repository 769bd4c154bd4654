#include "cacheuse.h"

enum { SECTIONS_BITS = 5 };

/* Of the line in one slot. */
typedef struct Use {
   Loader loader; /* no place: the slot is empty */
   ULong n_accesses;
   UInt sections; /* a bit for each that was accessed */
   UInt below;    /* of the first level: the slot of the last level */
} Use;

typedef struct Level {
   Cache cache;
   UWord recent;      /* the line touched last, which is in cache.slot */
   UInt number;       /* 1 or 2 */
   UInt section_bits; /* of an offset in a line */
   UInt all_sections;
   Use* uses; /* of each slot */
} Level;

/* Reason for a mutable file-scope object: the caches of the process's machine.
 */
static struct {
   Level i1, d1, ll;
   CacheuseCharge charge;
} state;

/*--- Sections -----------------------------------------------------------*/

/* Those that `size` bytes at `addr`, in one line, lie in. */
static UInt sections_of(const Level* level, Addr addr, UInt size)
{
   UInt offset = addr & ((1U << level->cache.line_bits) - 1);
   UInt first = offset >> level->section_bits;
   UInt last = (offset + size - 1) >> level->section_bits;
   return (~0U << first) & (~0U >> (31 - last));
}

static ULong bytes_lost(const Level* level, const Use* use)
{
   UInt unused = level->all_sections & ~use->sections;
   return (ULong)__builtin_popcount(unused) << level->section_bits;
}

/*--- Loading and evicting -----------------------------------------------*/

static void charge(const Level* level, const Use* use)
{
   if (use->loader.place && use->n_accesses)
      state.charge(use->loader, level->number, 1000 / use->n_accesses,
                   bytes_lost(level, use));
}

static void evict_first(const Level* level, const Use* use)
{
   if (!use->loader.place) return;
   charge(level, use);
   Use* below = &state.ll.uses[use->below];
   below->n_accesses += use->n_accesses;
   below->sections |= use->sections;
}

/* The slot where the line is in the last level. */
static UInt load_last(Addr addr, Loader loader, UInt* outcome)
{
   Level* ll = &state.ll;
   if (!cg2_cache_touch(&ll->cache, cg2_cache_line(&ll->cache, addr))) {
      *outcome |= OUTCOME_LL_MISS;
      Use* use = &ll->uses[ll->cache.slot];
      charge(ll, use);
      *use = (Use){.loader = loader};
   }
   return ll->cache.slot;
}

/* True: the line is there. Most are the one of the access before. */
static inline Bool touch_cache(Level* level, UWord line)
{
   if (line == level->recent) return True;
   level->recent = line;
   return cg2_cache_touch(&level->cache, line);
}

static UInt touch_line(Level* level, Addr addr, UInt size, Loader loader)
{
   UInt outcome = 0;
   UWord line = cg2_cache_line(&level->cache, addr);
   Bool is_hit = touch_cache(level, line);
   Use* use = &level->uses[level->cache.slot];
   if (!is_hit) {
      outcome = OUTCOME_L1_MISS;
      evict_first(level, use);
      Addr start = line << level->cache.line_bits;
      *use =
         (Use){.loader = loader, .below = load_last(start, loader, &outcome)};
   }
   use->n_accesses++;
   use->sections |= sections_of(level, addr, size);
   return outcome;
}

static UInt touch(Level* level, Addr addr, UInt size, Loader loader)
{
   UInt line = 1U << level->cache.line_bits;
   UInt outcome = 0;
   while (size > 0) {
      UInt left = line - (addr & (line - 1));
      UInt here = size < left ? size : left;
      outcome |= touch_line(level, addr, here, loader);
      addr += here;
      size -= here;
   }
   return outcome;
}

/*--- Interface ----------------------------------------------------------*/

UInt cg2_cacheuse_fetch(Addr addr, UInt size, Loader loader)
{
   return touch(&state.i1, addr, size, loader);
}

UInt cg2_cacheuse_data(Addr addr, UInt size, Loader loader)
{
   return touch(&state.d1, addr, size, loader);
}

static void init_level(Level* level, UInt number, const Geometry* geometry)
{
   cg2_cache_init(&level->cache, geometry);
   level->recent = CACHE_NONE;
   UInt line_bits = level->cache.line_bits;
   level->number = number;
   level->section_bits =
      line_bits > SECTIONS_BITS ? line_bits - SECTIONS_BITS : 0;
   level->all_sections = ~0U >> (32 - (geometry->line >> level->section_bits));
   level->uses =
      VG_(calloc)("cg2.cacheuse", cg2_cache_slots(&level->cache), sizeof(Use));
}

void cg2_cacheuse_init(const HierarchyConfig* config, CacheuseCharge charge)
{
   tl_assert(!config->l2.size && !config->writes_back && !config->prefetches);
   init_level(&state.i1, 1, &config->i1);
   init_level(&state.d1, 1, &config->d1);
   init_level(&state.ll, 2, &config->ll);
   state.charge = charge;
}

static void clear_level(Level* level)
{
   UWord n = cg2_cache_slots(&level->cache);
   VG_(memset)(level->uses, 0, n * sizeof(Use));
   cg2_cache_clear(&level->cache);
   level->recent = CACHE_NONE;
}

void cg2_cacheuse_clear(void)
{
   clear_level(&state.i1);
   clear_level(&state.d1);
   clear_level(&state.ll);
}

void cg2_cacheuse_flush(void)
{
   const Level* first[] = {&state.i1, &state.d1};
   for (UInt i = 0; i < 2; i++)
      for (UWord slot = 0; slot < cg2_cache_slots(&first[i]->cache); slot++)
         evict_first(first[i], &first[i]->uses[slot]);
   for (UWord slot = 0; slot < cg2_cache_slots(&state.ll.cache); slot++)
      charge(&state.ll, &state.ll.uses[slot]);
   cg2_cacheuse_clear();
}
