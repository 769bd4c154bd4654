/* The memory of described processors against the reference: each access has the
 * same outcome, in machines that are made up at random from all that may be
 * described. */
#include "check.h"
#include "reference_memory.h"

#include <stdio.h>

enum { MACHINES = 800, ACCESSES = 6250, CORES = 3, PAGE = 4096 };

/*--- Machines -----------------------------------------------------------*/

static UInt below(Chance* chance, UInt n)
{
   return chance_below(chance, n);
}

static Replacement any_replacement(Chance* chance)
{
   return below(chance, 3) ? REPLACE_LRU : (Replacement)below(chance, 5);
}

static Geometry any_geometry(Chance* chance, UInt line, UInt level)
{
   static const UInt ways[] = {1, 2, 4, 8, 3, 5, 16, 20, 32};
   UInt w = ways[below(chance, 9)];
   UInt sets = 1 + below(chance, 4 << 2 * level);
   if (below(chance, 2))
      while (sets & (sets - 1))
         sets--;
   return (Geometry){(ULong)w * sets * line, w, line};
}

/* Gives a first level as many sets as a page has lines, as then it may have
 * stamps although it has a prefetcher. */
static void widen(CacheConfig* c)
{
   Geometry* g = &c->geometry;
   g->size = (ULong)g->ways * PAGE;
}

static PrefetcherConfig any_prefetcher(Chance* chance)
{
   if (below(chance, 3)) return (PrefetcherConfig){0};
   return (PrefetcherConfig){.kind = 1 + below(chance, 4),
                             .degree = 1 + below(chance, 8),
                             .distance = 1 + below(chance, 5),
                             .entries = 1 << below(chance, 6)};
}

static CacheConfig any_cache(Chance* chance, UInt line, UInt level)
{
   CacheConfig c = {.geometry = any_geometry(chance, line, level),
                    .replacement = any_replacement(chance),
                    .seed = 1 + below(chance, 1000),
                    .writing = below(chance, 2),
                    .is_not_allocated = !below(chance, 4),
                    .prefetcher = any_prefetcher(chance)};
   if (level > 0) c.inclusion = below(chance, 3);
   if (c.inclusion == EXCLUSIVE)
      c.prefetcher = (PrefetcherConfig){0};
   else if (!below(chance, 4))
      c.victims = 1 + below(chance, 6);
   return c;
}

static void simplify(CacheConfig* c, Bool is_last)
{
   c->inclusion = NON_INCLUSIVE;
   c->victims = 0;
   c->is_not_allocated = False;
   c->prefetcher = (PrefetcherConfig){0};
   if (!is_last) c->writing = WRITE_THROUGH;
}

static CacheConfig any_tlb(Chance* chance, UInt level)
{
   CacheConfig c = {.geometry = any_geometry(chance, 1, level),
                    .replacement = any_replacement(chance),
                    .seed = 7};
   return c;
}

static void make_caches(Chance* chance, Processor* p)
{
   UInt line = 16 << below(chance, 3);
   Bool ignores_writes = !below(chance, 6);
   for (UInt i = 0; i <= p->n_levels; i++) {
      UInt level = i < 2 ? 0 : i - 1;
      if (i > 1 && !below(chance, 4)) line *= 2;
      CacheConfig* c = &p->caches[i];
      *c = any_cache(chance, line, level);
      if (level == 0 && !below(chance, 4)) widen(c);
      if (p->asks_for_whole) simplify(c, i == p->n_levels);
      if (ignores_writes) c->writing = WRITE_NONE;
      if (c->inclusion == EXCLUSIVE) {
         c->writing = p->caches[i - 1].writing;
         c->is_not_allocated = p->caches[i - 1].is_not_allocated;
      }
   }
}

/* A made-up processor that cg2_processor_check() accepts. */
static Processor any_processor(Chance* chance)
{
   HChar error[PROCESSOR_TEXT];
   UInt line;
   for (;;) {
      Processor p = {.n_levels = 1 + below(chance, 4),
                     .is_unified = !below(chance, 5),
                     .asks_for_whole = !below(chance, 8),
                     .page = PAGE};
      if (p.n_levels == 1 && !p.is_unified) continue;
      make_caches(chance, &p);
      UInt n_shared = below(chance, p.n_levels);
      for (UInt i = 0; i < n_shared; i++)
         p.caches[p.n_levels - i].is_shared = True;
      if (below(chance, 3)) {
         p.tlbs[TLB_CODE] = any_tlb(chance, 0);
         if (below(chance, 2)) p.tlbs[TLB_DATA] = any_tlb(chance, 0);
         if (below(chance, 2)) p.tlbs[TLB_SECOND] = any_tlb(chance, 1);
      }
      if (cg2_processor_check(&p, error, &line)) return p;
   }
}

/*--- Accesses -----------------------------------------------------------*/

static UInt now; /* the time of the access that was made last */

/* Touches what is known at the place of a line, as generated code does. */
static void touch(const KnownLines* known, UWord line, UInt time)
{
   const KnownLine* at = cg2_knownlines_at(known, line);
   cg2_knownlines_touch(known, at, time);
   *at->page = time;
}

/* Makes an access as generated code does. `was_known`: it called nothing. */
static UInt
make(AccessKind kind, Addr addr, UInt size, Addr instr, Bool* was_known)
{
   KnownLines known = cg2_memorysetup_known(kind);
   UWord line = addr >> known.line_bits;
   UWord last = (addr + size - 1) >> known.line_bits;
   Bool is_fetch = kind == ACCESS_FETCH;
   UInt outcome = 0;
   now += ACCESS_TICKS;
   Bool may_be_known =
      known.of && (is_fetch ? last <= line + 1 : size <= 1U << known.line_bits);
   *was_known = may_be_known && (line == last || is_fetch) &&
                cg2_knownlines_find(&known, line) &&
                cg2_knownlines_find(&known, last);
   if (!*was_known) outcome = cg2_memory_access(kind, addr, size, instr, now);
   if (may_be_known) touch(&known, line, now);
   if (may_be_known && is_fetch && line != last) touch(&known, last, now + 1);
   return outcome;
}

static ULong outcomes[3][32]; /* how often each bit was seen */
static ULong known_hits[3];   /* how often generated code would have known */

static void note_outcome(AccessKind kind, UInt outcome)
{
   for (UInt bit = 0; bit < 32; bit++)
      outcomes[kind][bit] += outcome >> bit & 1;
}

static Bool compare_access(Walk* walk, Bool is_generated)
{
   static const UInt sizes[] = {1, 2, 4, 4, 8, 8, 8, 16, 32, 10, 28, 64};
   Chance* chance = &walk->chance;
   AccessKind kind = below(chance, 3);
   UInt size = sizes[below(chance, 12)];
   Addr instr = 0x400000 + 4 * below(chance, 40);
   if (size > cg2_memorysetup_machine.data_max())
      size = cg2_memorysetup_machine.data_max();
   Addr addr = (1 << 20) + walk_next(walk) % (1 << 20) * 32 + below(chance, 32);
   if (below(chance, 4)) addr &= ~(Addr)7;
   /* Some lines need more than 32 bits. */
   if (sizeof addr > 4 && walk->kind == 1 && !below(chance, 4))
      addr += (ULong)1 << 44;
   UInt expected = reference_memory_access(kind, addr, size, instr);
   note_outcome(kind, expected);
   Bool was_known = False;
   UInt found;
   if (is_generated)
      found = make(kind, addr, size, instr, &was_known);
   else
      found = cg2_memory_access(kind, addr, size, instr, now += ACCESS_TICKS);
   known_hits[kind] += was_known;
   CHECK_EQ(found, expected);
   return found == expected;
}

/* A walk has phases: a test that is smaller has fewer of them, not shorter
 * ones. */
static UInt at_least(UInt n)
{
   UInt rounds = check_rounds(n);
   return rounds < n ? n : rounds;
}

static UInt at_most(UInt n)
{
   UInt rounds = check_rounds(n);
   return rounds > n ? n : rounds;
}

static Bool compare_walk(const Processor* p, UInt kind, Bool has_cores)
{
   ULong size = p->caches[p->n_levels].geometry.size;
   if (size < p->caches[1].geometry.size) size = p->caches[1].geometry.size;
   Walk walk = {{1 + size + kind}, kind, 0, PAGE / 32, 0};
   reference_memory_init(p, has_cores);
   cg2_memorysetup_machine.run_on(0);
   ULong spans[] = {size / 64 + 1, size / 32 + 7, 20, size / 8 + 3};
   Bool is_same = True;
   for (UInt i = 0; i < at_least(ACCESSES / WALKS) && is_same; i++) {
      if (i % 200 == 0) walk.span = spans[i / 200 % 4];
      if (has_cores && !below(&walk.chance, 20)) {
         UInt core = below(&walk.chance, CORES);
         reference_memory_run_on(core);
         cg2_memorysetup_machine.run_on(core);
      }
      if (!below(&walk.chance, 5000)) {
         cg2_memorysetup_machine.renumber();
         now = PROCESSOR_WAYS_MAX;
      }
      is_same = compare_access(&walk, i / 256 % 2);
   }
   reference_memory_free();
   cg2_memorysetup_machine.clear();
   return is_same;
}

static void describe(UInt machine, UInt kind, const Processor* p)
{
   printf("machine %u, walk %u: %u levels%s%s, page %u\n", machine, kind,
          p->n_levels, p->is_unified ? ", unified" : "",
          p->asks_for_whole ? ", whole" : "", p->page);
   for (UInt i = 0; i < 3; i++)
      if (p->tlbs[i].geometry.size)
         printf("  TLB %u: %llu entries, %u ways, replacement %d\n", i,
                p->tlbs[i].geometry.size, p->tlbs[i].geometry.ways,
                p->tlbs[i].replacement);
   for (UInt i = 0; i <= p->n_levels; i++) {
      const CacheConfig* c = &p->caches[i];
      printf("  %u: %llu,%u,%u replacement %d inclusion %d writing %d "
             "not allocated %d shared %d victims %u prefetcher %d,%u,%u,%u\n",
             i, c->geometry.size, c->geometry.ways, c->geometry.line,
             c->replacement, c->inclusion, c->writing, c->is_not_allocated,
             c->is_shared, c->victims, c->prefetcher.kind, c->prefetcher.degree,
             c->prefetcher.distance, c->prefetcher.entries);
   }
}

static void test_machines(void)
{
   for (UInt m = 0; m < at_most(MACHINES); m++) {
      Chance chance = {1000003 + 7919ULL * m};
      for (UInt i = 0; i < 10; i++)
         chance_next(&chance);
      Processor p = any_processor(&chance);
      Bool has_cores = !below(&chance, 3);
      cg2_memorysetup_init(&p, has_cores);
      for (UInt kind = 0; kind < WALKS; kind++) {
         if (compare_walk(&p, kind, has_cores)) continue;
         describe(m, kind, &p);
         return;
      }
   }
   /* Everything that may happen did happen. */
   for (UInt kind = 0; kind < 3; kind++) {
      for (UInt bit = 0; bit < 6; bit++)
         CHECK(outcomes[kind][bit] > at_most(100));
      CHECK(known_hits[kind] > at_most(10000));
   }
}

int main(int n, char** names)
{
   static const Test tests[] = {{"machines", test_machines}};
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
