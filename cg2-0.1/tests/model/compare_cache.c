/* The cache against the reference: each touch has the same outcome, evicts the
 * same line, and lines stay where they are. */
#include "cache.h"
#include "check.h"
#include "reference.h"

#include <stdlib.h>

/* Powers of two and others, 1 to 64 sets or more, 1 to 640 ways; what real
 * processors have, at their size; every size of line once. */
static const Geometry geometries[] = {
   {32, 1, 32},           {64, 2, 32},           {512, 16, 32},
   {544, 17, 32},         {2048, 1, 32},         {4096, 2, 64},
   {16384, 4, 64},        {32768, 8, 64},        {49152, 12, 64},
   {65536, 16, 64},       {96, 1, 32},           {7 * 5 * 64, 5, 64},
   {100 * 3 * 16, 3, 16}, {3 * 20 * 64, 20, 64}, {24 * 11 * 128, 11, 128},
   {40960, 640, 64},      {16 * 100, 100, 16},   {1 << 20, 16, 256},
   {5 << 20, 20, 64},     {12 << 20, 24, 64},    {36 << 20, 12, 64},
   {36 << 20, 18, 64},    {4096 * 9, 3, 4096},   {2048 * 64, 32, 2048},
   {1024 * 60, 15, 1024}, {512 * 14, 7, 512},
};
enum { GEOMETRIES = sizeof geometries / sizeof *geometries };

/* 5 million touches at size 1. */
enum { TOUCHES = 5000000 / GEOMETRIES / WALKS };

static UWord mru[CACHE_MRU_SETS];

static void
compare_touch(Cache* cache, ReferenceCache* reference, UWord* lines, UWord line)
{
   UWord index = line & (CACHE_MRU_SETS - 1) & cache->set_mask;
   Bool is_known = cache->mru && mru[index] == line << cache->line_bits;
   ReferenceWay* way = reference_cache_find(reference, line);
   Bool is_hit = way != NULL;
   CHECK_EQ(cg2_cache_has(cache, line), is_hit);
   CHECK_EQ(cg2_cache_touch(cache, line), is_hit);
   CHECK(is_hit || !is_known);
   CHECK(cache->slot < cg2_cache_slots(cache));
   if (is_hit)
      CHECK_EQ(lines[cache->slot], line);
   else {
      way = reference_cache_victim(reference, line);
      UWord evicted = way->last_touch ? way->line : CACHE_NONE;
      CHECK_EQ(cache->evicted, evicted);
      CHECK_EQ(lines[cache->slot], evicted);
      lines[cache->slot] = way->line = line;
   }
   reference_cache_touch(reference, way);
   if (cache->mru) CHECK_EQ(mru[index], line << cache->line_bits);
}

/* The cache is empty when this begins, and when it ends. */
static void compare_walk(Cache* cache, const Geometry* geometry, UInt kind)
{
   ReferenceCache reference;
   reference_cache_init(&reference, geometry);
   UWord n = cg2_cache_slots(cache);
   UWord* lines = malloc(n * sizeof *lines);
   for (UWord slot = 0; slot < n; slot++)
      lines[slot] = CACHE_NONE;
   /* Spans that fit, that just do not, and that are much too large. */
   ULong spans[] = {n, n + 1, n / 2 + 1, 3 * n};
   Walk walk = {{geometry->size + 977 * kind}, kind, 0, cache->n_sets, 0};
   for (UInt i = 0; i < TOUCHES * check_size(); i++) {
      if (i % (TOUCHES / 4) == 0) walk.span = spans[i / (TOUCHES / 4) % 4];
      compare_touch(cache, &reference, lines, walk_next(&walk));
   }
   cg2_cache_clear(cache);
   for (UWord slot = 0; slot < n; slot++)
      if (lines[slot] != CACHE_NONE) CHECK(!cg2_cache_has(cache, lines[slot]));
   free(lines);
   reference_cache_free(&reference);
}

static void compare(const Geometry* geometry)
{
   Cache cache;
   HChar error[GEOMETRY_TEXT];
   CHECK(cg2_geometry_check(geometry, error));
   cg2_cache_init(&cache, geometry);
   UWord n = cg2_cache_slots(&cache);
   CHECK_EQ(n, geometry->size / geometry->line);
   UWord sets = n / geometry->ways;
   CHECK_EQ(cg2_cache_keep_mru(&cache, mru),
            (sets & (sets - 1)) == 0 && sets <= CACHE_MRU_SETS);
   for (UInt kind = 0; kind < WALKS; kind++)
      compare_walk(&cache, geometry, kind);
}

static void test_caches(void)
{
   for (UInt g = 0; g < GEOMETRIES; g++)
      compare(&geometries[g]);
}

int main(int n, char** names)
{
   static const Test tests[] = {{"caches", test_caches}};
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
