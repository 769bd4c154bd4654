/* The cache against the reference: each touch has the same outcome, evicts the
 * same line, and lines stay where they are. The same holds for a marked cache,
 * in which lines with a mark are touched as generated code does. */
#include "arch/cpuid.h"
#include "check.h"
#include "model/cache/marked.h"
#include "reference.h"

#include <stdlib.h>

/* Geometries: powers of two and others, 1 to 64 sets or more, 1 to 640 ways;
 * what real processors have, at their size; every size of line once; so many
 * sets that the cache knows their tops. */
static const Geometry geometries[] = {
   {32, 1, 32},           {64, 2, 32},           {512, 16, 32},
   {544, 17, 32},         {2048, 1, 32},         {4096, 2, 64},
   {16384, 4, 64},        {32768, 8, 64},        {49152, 12, 64},
   {65536, 16, 64},       {96, 1, 32},           {7 * 5 * 64, 5, 64},
   {100 * 3 * 16, 3, 16}, {3 * 20 * 64, 20, 64}, {24 * 11 * 128, 11, 128},
   {40960, 640, 64},      {16 * 100, 100, 16},   {1 << 20, 16, 256},
   {5 << 20, 20, 64},     {12 << 20, 24, 64},    {36 << 20, 12, 64},
   {36 << 20, 18, 64},    {4096 * 9, 3, 4096},   {2048 * 64, 32, 2048},
   {1024 * 60, 15, 1024}, {512 * 14, 7, 512},    {16384 * 16, 1, 16},
   {16384 * 32, 2, 16},   {16400 * 80, 5, 16},   {16384 * 256, 16, 16},
};
enum { GEOMETRIES = sizeof geometries / sizeof *geometries };

/* Touches of a walk: 5 million of all walks at size 1. */
enum { TOUCHES = 5000000 / GEOMETRIES / WALKS };

/* Towards the end of the last walk some addresses are far up: their tags have
 * more than 32 bits, and from then on all tags of the cache may. */
static UWord next_line(Walk* walk, UInt i, UInt touches)
{
   UWord line = walk_next(walk);
   Bool is_far =
      walk->kind == WALKS - 1 && i > touches / 8 * 7 && line % 3 == 0;
   return is_far ? line | (UWord)1 << (8 * sizeof line - 13) : line;
}

static void
compare_touch(Cache* cache, ReferenceCache* reference, UWord* lines, UWord line)
{
   ReferenceWay* way = reference_cache_find(reference, line);
   Bool is_hit = way != NULL;
   CHECK_EQ(cg2_cache_has(cache, line), is_hit);
   CHECK_EQ(cg2_cache_touch(cache, line), is_hit);
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
}

/* Touches a line as a described level does: only if it is there. */
static void
compare_hit(Cache* cache, ReferenceCache* reference, UWord* lines, UWord line)
{
   ReferenceWay* way = reference_cache_find(reference, line);
   CHECK_EQ(cg2_cache_hit(cache, line), way != NULL);
   if (!way) return;
   CHECK_EQ(lines[cache->slot], line);
   reference_cache_touch(reference, way);
}

static void compare_remove(Cache* cache,
                           ReferenceCache* reference,
                           UWord* lines,
                           UWord line)
{
   ReferenceWay* way = reference_cache_find(reference, line);
   UWord slot = cg2_cache_find(cache, line);
   CHECK_EQ(slot != CACHE_NONE, way != NULL);
   if (!way) return;
   CHECK_EQ(lines[slot], line);
   cg2_cache_remove(cache, line, slot);
   lines[slot] = CACHE_NONE;
   *way = (ReferenceWay){.last_touch = 0};
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
   Walk walk = {{geometry->size + 977 * kind}, kind, 0, cache->tags.n_sets, 0};
   UInt touches = check_rounds(TOUCHES);
   for (UInt i = 0; i < touches; i++) {
      if (i % (touches / 4) == 0) walk.span = spans[i / (touches / 4) % 4];
      UWord line = next_line(&walk, i, touches);
      if (i % 7 == 3)
         compare_hit(cache, &reference, lines, line);
      else if (i % 29 == 5)
         compare_remove(cache, &reference, lines, line);
      else
         compare_touch(cache, &reference, lines, line);
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
   for (UInt kind = 0; kind < WALKS; kind++)
      compare_walk(&cache, geometry, kind);
}

static void test_caches(void)
{
   for (UInt g = 0; g < GEOMETRIES; g++)
      compare(&geometries[g]);
}

/*--- Marked caches ------------------------------------------------------*/

enum { MARKS = 4096 };
static Mark marks[MARKS];

/* Touches a line if generated code would do so itself. True: that is done. */
static Bool touch_mark(const MarkedCache* m, UWord line, ULong now)
{
   const Mark* mark = cg2_marked_mark(m, line);
   if (mark->line != line << m->cache.line_bits) return False;
   *mark->stamp = now;
   return True;
}

static void compare_marked_touch(MarkedCache* m,
                                 ReferenceCache* reference,
                                 UWord line,
                                 ULong now)
{
   ReferenceWay* way = reference_cache_find(reference, line);
   Bool is_hit = way != NULL;
   if (now % 5 != 0 && touch_mark(m, line, now))
      CHECK(is_hit);
   else {
      CHECK_EQ(cg2_marked_touch(m, line), is_hit);
      if (now % 4 != 0) CHECK(touch_mark(m, line, now));
   }
   if (!is_hit) {
      way = reference_cache_victim(reference, line);
      way->line = line;
   }
   reference_cache_touch(reference, way);
}

static void
compare_marked_walk(MarkedCache* m, const Geometry* geometry, UInt kind)
{
   ReferenceCache reference;
   reference_cache_init(&reference, geometry);
   UWord n = geometry->size / geometry->line;
   ULong spans[] = {n, n + 1, n / 2 + 1, 3 * n};
   Walk walk = {{geometry->size + 11 * kind}, kind, 0, n / geometry->ways, 0};
   UInt touches = check_rounds(TOUCHES);
   for (UInt i = 0; i < touches; i++) {
      if (i % (touches / 4) == 0) walk.span = spans[i / (touches / 4) % 4];
      compare_marked_touch(m, &reference, next_line(&walk, i, touches),
                           3 * i + 1);
   }
   cg2_marked_clear(m);
   for (UInt i = 0; i < MARKS; i++)
      CHECK_EQ(marks[i].line, CACHE_NONE);
   reference_cache_free(&reference);
}

static void test_marked(void)
{
   for (UInt g = 0; g < GEOMETRIES; g++) {
      MarkedCache m;
      cg2_marked_init(&m, &geometries[g], (Marks){marks, MARKS});
      Bool has_min = cg2_cpuid_has_sse41;
      for (UInt kind = 0; kind < WALKS; kind++) {
         cg2_cpuid_has_sse41 = has_min && (g + kind) % 2;
         compare_marked_walk(&m, &geometries[g], kind);
      }
   }
}

int main(int n, char** names)
{
   static const Test tests[] = {{"caches", test_caches},
                                {"marked", test_marked}};
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
