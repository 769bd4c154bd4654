#include "reference.h"

#include <stdlib.h>
#include <string.h>

/*--- Chance -------------------------------------------------------------*/

/* Source: Marsaglia, Xorshift RNGs, 2003. */
ULong chance_next(Chance* chance)
{
   chance->state ^= chance->state << 13;
   chance->state ^= chance->state >> 7;
   chance->state ^= chance->state << 17;
   return chance->state;
}

ULong chance_below(Chance* chance, ULong n)
{
   return (chance_next(chance) >> 11) % n;
}

/*--- A cache ------------------------------------------------------------*/

void reference_cache_init(ReferenceCache* cache, const Geometry* geometry)
{
   cache->line_bytes = geometry->line;
   cache->n_ways = geometry->ways;
   cache->n_sets = geometry->size / geometry->line / geometry->ways;
   cache->ways = calloc(cache->n_sets * cache->n_ways, sizeof *cache->ways);
   cache->uses = calloc(cache->n_sets * cache->n_ways, sizeof *cache->uses);
   tl_assert(cache->ways && cache->uses);
   cache->now = 0;
}

void reference_cache_free(ReferenceCache* cache)
{
   free(cache->ways);
   free(cache->uses);
   cache->ways = NULL;
   cache->uses = NULL;
}

static ReferenceWay* set_of(const ReferenceCache* cache, UWord line)
{
   return cache->ways + line % cache->n_sets * cache->n_ways;
}

ReferenceWay* reference_cache_find(const ReferenceCache* cache, UWord line)
{
   ReferenceWay* set = set_of(cache, line);
   for (UInt i = 0; i < cache->n_ways; i++)
      if (set[i].last_touch > 0 && set[i].line == line) return &set[i];
   return NULL;
}

ReferenceWay* reference_cache_victim(const ReferenceCache* cache, UWord line)
{
   ReferenceWay* set = set_of(cache, line);
   ReferenceWay* victim = &set[0];
   for (UInt i = 1; i < cache->n_ways; i++)
      if (set[i].last_touch < victim->last_touch) victim = &set[i];
   return victim;
}

void reference_cache_touch(ReferenceCache* cache, ReferenceWay* way)
{
   way->last_touch = ++cache->now;
}

/*--- The hierarchy ------------------------------------------------------*/

static struct {
   ReferenceCache i1, d1, l2, ll;
   HierarchyConfig config;
   /* For all pages whose numbers have the same last three bits: */
   UWord last_line[8];
   Int run[8]; /* lines since the first of neighbours; negative downwards */
} machine;

void reference_init(const HierarchyConfig* config)
{
   memset(&machine, 0, sizeof machine);
   machine.config = *config;
   reference_cache_init(&machine.i1, &config->i1);
   reference_cache_init(&machine.d1, &config->d1);
   reference_cache_init(&machine.ll, &config->ll);
   if (config->l2.size) reference_cache_init(&machine.l2, &config->l2);
}

void reference_free(void)
{
   reference_cache_free(&machine.i1);
   reference_cache_free(&machine.d1);
   reference_cache_free(&machine.ll);
   if (machine.config.l2.size) reference_cache_free(&machine.l2);
}

/* Touches a line of a cache. True: it was not there; *was_dirty becomes True if
 * a dirty line went for it. */
static Bool
touch_line(ReferenceCache* cache, UWord line, Bool makes_dirty, Bool* was_dirty)
{
   ReferenceWay* way = reference_cache_find(cache, line);
   Bool is_miss = way == NULL;
   if (is_miss) {
      way = reference_cache_victim(cache, line);
      if (way->last_touch > 0 && way->is_dirty) *was_dirty = True;
      way->is_dirty = False;
      way->line = line;
   }
   if (makes_dirty) way->is_dirty = True;
   reference_cache_touch(cache, way);
   return is_miss;
}

/* Touches the lines of some bytes, in order. */
static Bool touch_bytes(ReferenceCache* cache,
                        Addr addr,
                        UInt size,
                        Bool makes_dirty,
                        Bool* was_dirty)
{
   Bool is_miss = False;
   UWord last = (addr + size - 1) / cache->line_bytes;
   for (UWord line = addr / cache->line_bytes; line <= last; line++)
      if (touch_line(cache, line, makes_dirty, was_dirty)) is_miss = True;
   return is_miss;
}

static void prefetch(Addr addr)
{
   Bool ignored;
   touch_line(&machine.ll, addr / machine.ll.line_bytes, False, &ignored);
}

static void follow_stream(Addr addr)
{
   UWord line = addr / machine.ll.line_bytes;
   UInt s = addr / 4096 % 8;
   UWord last = machine.last_line[s];
   if (line == last) return;
   machine.last_line[s] = line;
   if (line == last + 1 && machine.run[s] >= 0) {
      machine.run[s]++;
      if (machine.run[s] >= 2) prefetch(addr + 5 * machine.ll.line_bytes);
   } else if (line + 1 == last && machine.run[s] <= 0) {
      machine.run[s]--;
      if (machine.run[s] <= -2) prefetch(addr - 5 * machine.ll.line_bytes);
   } else
      machine.run[s] = 0;
}

UInt reference_access(AccessKind kind, Addr addr, UInt size)
{
   Bool ignored, was_dirty = False;
   Bool has_l2 = machine.config.l2.size > 0;
   Bool dirties = machine.config.writes_back && kind == ACCESS_WRITE;
   ReferenceCache* first = kind == ACCESS_FETCH ? &machine.i1 : &machine.d1;
   Bool l1_misses = touch_bytes(first, addr, size, False, &ignored);
   if (!l1_misses && !dirties) return 0;
   Bool l2_misses = False;
   if (has_l2) {
      l2_misses = touch_bytes(&machine.l2, addr, size, False, &ignored);
      if (!l2_misses && !dirties) return OUTCOME_L1_MISS;
   }
   if (machine.config.prefetches) follow_stream(addr);
   Bool ll_misses = touch_bytes(&machine.ll, addr, size, dirties, &was_dirty);
   if (!l1_misses) return 0;
   if (has_l2 && !l2_misses) return OUTCOME_L1_MISS;
   UInt outcome = OUTCOME_L1_MISS;
   if (has_l2) outcome += (machine.config.writes_back ? 8 : 4);
   if (ll_misses) outcome += OUTCOME_LL_MISS;
   if (machine.config.writes_back && was_dirty) outcome += OUTCOME_DIRTY;
   return outcome;
}

/*--- Cache use ----------------------------------------------------------*/

static struct {
   ReferenceCache i1, d1, ll;
   ReferenceCharge charge;
} use;

void reference_use_init(const HierarchyConfig* config, ReferenceCharge charge)
{
   reference_cache_init(&use.i1, &config->i1);
   reference_cache_init(&use.d1, &config->d1);
   reference_cache_init(&use.ll, &config->ll);
   use.charge = charge;
}

void reference_use_free(void)
{
   reference_cache_free(&use.i1);
   reference_cache_free(&use.d1);
   reference_cache_free(&use.ll);
}

static UInt sections_in(const ReferenceCache* cache)
{
   return cache->line_bytes < 32 ? cache->line_bytes : 32;
}

static ReferenceUse* use_of(const ReferenceCache* cache, ReferenceWay* way)
{
   return &cache->uses[way - cache->ways];
}

static void
charge_use(const ReferenceCache* cache, UInt level, const ReferenceUse* of)
{
   if (!of->loader || of->n_accesses == 0) return;
   ULong lost = 0;
   for (UInt i = 0; i < sections_in(cache); i++)
      if (!of->is_accessed[i]) lost += cache->line_bytes / sections_in(cache);
   use.charge(of->loader, level, 1000 / of->n_accesses, lost);
}

static void leave_first(const ReferenceCache* cache, const ReferenceUse* of)
{
   if (!of->loader) return;
   charge_use(cache, 1, of);
   of->below->n_accesses += of->n_accesses;
   for (UInt i = 0; i < 32; i++)
      if (of->is_accessed[i]) of->below->is_accessed[i] = True;
}

static void renew(ReferenceUse* of, void* loader)
{
   of->loader = loader;
   of->n_accesses = 0;
   memset(of->is_accessed, 0, sizeof of->is_accessed);
}

/* Touches a line of the last level; *of becomes its use. */
static UInt use_last(UWord line, void* loader, ReferenceUse** of)
{
   ReferenceWay* way = reference_cache_find(&use.ll, line);
   UInt outcome = way ? 0 : OUTCOME_LL_MISS;
   if (!way) {
      way = reference_cache_victim(&use.ll, line);
      charge_use(&use.ll, 2, use_of(&use.ll, way));
      renew(use_of(&use.ll, way), loader);
      way->line = line;
   }
   reference_cache_touch(&use.ll, way);
   *of = use_of(&use.ll, way);
   return outcome;
}

static UInt use_line(ReferenceCache* cache, Addr addr, UInt size, void* loader)
{
   UInt outcome = 0;
   UWord line = addr / cache->line_bytes;
   ReferenceWay* way = reference_cache_find(cache, line);
   if (!way) {
      way = reference_cache_victim(cache, line);
      ReferenceUse* of = use_of(cache, way);
      leave_first(cache, of);
      renew(of, loader);
      way->line = line;
      UWord last_line = line * cache->line_bytes / use.ll.line_bytes;
      outcome = OUTCOME_L1_MISS + use_last(last_line, loader, &of->below);
   }
   reference_cache_touch(cache, way);
   ReferenceUse* of = use_of(cache, way);
   of->n_accesses++;
   UInt section_bytes = cache->line_bytes / sections_in(cache);
   UInt offset = addr % cache->line_bytes;
   UInt last = (offset + size - 1) / section_bytes;
   for (UInt section = offset / section_bytes; section <= last; section++)
      of->is_accessed[section] = True;
   return outcome;
}

UInt reference_use_access(AccessKind kind, Addr addr, UInt size, void* loader)
{
   ReferenceCache* first = kind == ACCESS_FETCH ? &use.i1 : &use.d1;
   UInt outcome = 0;
   while (size) {
      UInt in_line = first->line_bytes - addr % first->line_bytes;
      if (in_line > size) in_line = size;
      outcome |= use_line(first, addr, in_line, loader);
      addr += in_line;
      size -= in_line;
   }
   return outcome;
}

static void forget_loaders(ReferenceCache* cache)
{
   for (UWord w = 0; w < cache->n_sets * cache->n_ways; w++)
      renew(&cache->uses[w], NULL);
}

void reference_use_finish(void)
{
   ReferenceCache* first[] = {&use.i1, &use.d1};
   for (UInt c = 0; c < 2; c++) {
      for (UWord w = 0; w < first[c]->n_sets * first[c]->n_ways; w++)
         leave_first(first[c], &first[c]->uses[w]);
      forget_loaders(first[c]);
   }
   for (UWord w = 0; w < use.ll.n_sets * use.ll.n_ways; w++)
      charge_use(&use.ll, 2, &use.ll.uses[w]);
   forget_loaders(&use.ll);
}

static void forget(ReferenceCache* cache)
{
   memset(cache->ways, 0, cache->n_sets * cache->n_ways * sizeof *cache->ways);
   memset(cache->uses, 0, cache->n_sets * cache->n_ways * sizeof *cache->uses);
}

void reference_use_clear(void)
{
   forget(&use.i1);
   forget(&use.d1);
   forget(&use.ll);
}

/*--- Branches -----------------------------------------------------------*/

Bool reference_conditional(Addr addr, Bool is_taken)
{
   enum { SURELY_NOT, PROBABLY_NOT, PROBABLY, SURELY };
   static Int state[128][2][2][2][2][2][2][2];
   static Bool past[7];
   Int* s = &state[addr % 128][past[0]][past[1]][past[2]][past[3]][past[4]]
                  [past[5]][past[6]];
   Bool is_predicted = *s == PROBABLY || *s == SURELY;
   if (is_taken && *s != SURELY) ++*s;
   if (!is_taken && *s != SURELY_NOT) --*s;
   memmove(&past[1], &past[0], sizeof past - sizeof past[0]);
   past[0] = is_taken;
   return is_predicted != is_taken;
}

Bool reference_indirect(Addr addr, Addr target)
{
   static Addr last[512];
   Bool is_wrong = last[addr % 512] != target;
   last[addr % 512] = target;
   return is_wrong;
}

/*--- Accesses -----------------------------------------------------------*/

UWord walk_next(Walk* walk)
{
   ULong step = walk->step++;
   switch (walk->kind) {
   case 0: /* anywhere in the span */
      return chance_below(&walk->chance, walk->span);
   case 1: /* around and around: the worst for what replaces the oldest */
      return step % walk->span;
   case 2: /* there and back */
      return step / walk->span % 2 ? walk->span - 1 - step % walk->span
                                   : step % walk->span;
   case 3: /* a few often, all sometimes */
      return chance_below(&walk->chance, 4)
                ? chance_below(&walk->chance, walk->span / 8 + 1)
                : chance_below(&walk->chance, walk->span);
   case 4: /* one set only */
      return 5 + walk->n_sets *
                    chance_below(&walk->chance, walk->span / walk->n_sets + 2);
   case 5: /* two columns of a matrix whose rows are all sets */
      return step % 2 + walk->n_sets * (step / 2 % 19);
   case 6: /* the end of the address space, and its start */
      return chance_below(&walk->chance, 2)
                ? chance_below(&walk->chance, walk->span)
                : (~(UWord)0 >> 12) - chance_below(&walk->chance, walk->span);
   default: /* the same line several times, then somewhere else */
      if (step % 5 == 0) walk->n_sets = chance_below(&walk->chance, walk->span);
      return walk->n_sets;
   }
}
