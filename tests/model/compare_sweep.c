/* Sweeps against the reference: an access misses in each size as it would in
 * that cache alone, whether sets or ways are fixed. */
#include "check.h"
#include "model/sweep/sweep.h"
#include "reference.h"

#include <stdlib.h>

static const HChar* const sweeps[] = {
   "D:64..1k,ways=1",           "D:128..16k,ways=2",
   "D:1k..64k,ways=4,line=32",  "D:1536..96k,ways=24",
   "D:8k..1m,ways=8",           "D:4k..64k,sets=16",
   "D:8k..1m,sets=128,line=32", "D:320..3200,step=320,sets=5",
   "D:1k..16k,line=16",
};
enum { SWEEPS = sizeof sweeps / sizeof *sweeps, BYTES_MAX = 80 };

/* Accesses of a walk: 5 million of all walks at size 1. */
enum { ACCESSES = 5000000 / SWEEPS / WALKS };

/* Touches all lines of some bytes in one cache of the reference. True: one of
 * them missed. */
static Bool misses(ReferenceCache* cache, Addr addr, UInt size)
{
   Bool is_miss = False;
   UWord line = addr / cache->line_bytes;
   for (; line <= (addr + size - 1) / cache->line_bytes; line++) {
      ReferenceWay* way = reference_cache_find(cache, line);
      if (!way) {
         is_miss = True;
         way = reference_cache_victim(cache, line);
         way->line = line;
      }
      reference_cache_touch(cache, way);
   }
   return is_miss;
}

static void compare_walk(Sweep* sweep, UInt kind)
{
   ReferenceCache caches[SWEEP_SIZES_MAX];
   for (UInt i = 0; i < sweep->n; i++)
      reference_cache_init(&caches[i], &sweep->of[i]);
   const Geometry* largest = &sweep->of[sweep->n - 1];
   ULong lines = largest->size / largest->line;
   ULong spans[] = {lines, lines + 1, lines / 3 + 1, 2 * lines};
   Walk walk = {{lines + 977 * kind}, kind, 0, cg2_geometry_sets(largest), 0};
   UInt accesses = check_rounds(ACCESSES);
   for (UInt i = 0; i < accesses; i++) {
      if (i % (accesses / 4) == 0) walk.span = spans[i / (accesses / 4) % 4];
      UInt offset = chance_below(&walk.chance, largest->line);
      UInt size = 1 + chance_below(&walk.chance, BYTES_MAX), missing = 0;
      Addr addr = walk_next(&walk) * largest->line + offset;
      for (UInt c = 0; c < sweep->n; c++)
         if (misses(&caches[c], addr, size)) missing |= 1U << c;
      CHECK_EQ(cg2_sweep_access(sweep, addr, size), missing);
   }
   cg2_sweep_clear(sweep);
   for (UInt i = 0; i < sweep->n; i++)
      reference_cache_free(&caches[i]);
}

static void test_sweeps(void)
{
   for (UInt s = 0; s < SWEEPS; s++) {
      Sweep sweep;
      HChar error[SWEEP_TEXT];
      CHECK(cg2_sweep_parse(sweeps[s], &sweep, error));
      cg2_sweep_init(&sweep);
      for (UInt kind = 0; kind < WALKS; kind++)
         compare_walk(&sweep, kind);
   }
}

int main(int n, char** names)
{
   static const Test tests[] = {{"sweeps", test_sweeps}};
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
