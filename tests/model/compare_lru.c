/* LRU stacks against the reference: a touch tells for each of several caches
 * whether it misses, as it would in that cache alone. */
#include "check.h"
#include "model/sweep/lru.h"
#include "reference.h"

#include <stdlib.h>

enum { CACHES_MAX = 24, LINE = 64 };

typedef struct Shape {
   UWord n_sets;
   UInt n, ways[CACHES_MAX];
} Shape;

/* Stacks of one cache and of many; sizes that double, that are neighbours, from
 * one line on; numbers of sets that are powers of two and others. */
static const Shape shapes[] = {
   {1, 1, {1}},
   {1, 1, {17}},
   {1, 2, {1, 2}},
   {1, 5, {1, 2, 3, 4, 5}},
   {1, 3, {1, 7, 8}},
   {1, 8, {8, 16, 32, 64, 128, 256, 512, 1024}},
   {1, 4, {100, 101, 300, 301}},
   {2, 4, {1, 2, 4, 8}},
   {3, 3, {2, 3, 20}},
   {64, 8, {1, 2, 4, 8, 16, 32, 64, 128}},
   {60, 6, {3, 6, 9, 12, 15, 18}},
   {1024, 3, {2, 8, 16}},
   {4096, 1, {1}},
   {16, 24, {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
             13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24}},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Touches of a walk: 5 million of all walks at size 1. */
enum { TOUCHES = 5000000 / SHAPES / WALKS };

/* Touches a line in one cache of the reference. True: it missed. */
static Bool misses(ReferenceCache* cache, UWord line)
{
   ReferenceWay* way = reference_cache_find(cache, line);
   Bool is_miss = way == NULL;
   if (is_miss) {
      way = reference_cache_victim(cache, line);
      way->line = line;
   }
   reference_cache_touch(cache, way);
   return is_miss;
}

/* Touches a line in all caches of the reference. Returns the bits of those that
 * missed. */
static UInt missing(ReferenceCache* caches, UInt n, UWord line)
{
   UInt bits = 0;
   for (UInt i = 0; i < n; i++)
      if (misses(&caches[i], line)) bits |= 1U << i;
   return bits;
}

static void compare_touch(Lru* lru, ReferenceCache* caches, UWord line)
{
   UInt n = cg2_lru_touch(lru, line);
   CHECK_EQ((1U << n) - 1, missing(caches, lru->n, line));
}

/* The stacks are empty when this begins, and when it ends. */
static void compare_walk(Lru* lru, const Shape* shape, UInt kind)
{
   ReferenceCache caches[CACHES_MAX];
   for (UInt i = 0; i < shape->n; i++) {
      UInt ways = shape->ways[i];
      Geometry geometry = {shape->n_sets * ways * LINE, ways, LINE};
      reference_cache_init(&caches[i], &geometry);
   }
   /* Spans that just fit, that do not, and that fit the smaller ones. */
   ULong lines = shape->n_sets * shape->ways[shape->n - 1];
   ULong spans[] = {lines, lines + 1, lines / 3 + 1, 2 * lines};
   Walk walk = {{lines + 977 * kind}, kind, 0, shape->n_sets, 0};
   UInt touches = check_rounds(TOUCHES);
   for (UInt i = 0; i < touches; i++) {
      if (i % (touches / 4) == 0) walk.span = spans[i / (touches / 4) % 4];
      compare_touch(lru, caches, walk_next(&walk));
   }
   cg2_lru_clear(lru);
   for (UInt i = 0; i < shape->n; i++)
      reference_cache_free(&caches[i]);
}

static void test_stacks(void)
{
   for (UInt s = 0; s < SHAPES; s++) {
      Lru lru;
      cg2_lru_init(&lru, shapes[s].n_sets, shapes[s].ways, shapes[s].n);
      for (UInt kind = 0; kind < WALKS; kind++)
         compare_walk(&lru, &shapes[s], kind);
   }
}

/* A program goes around N lines: they fit only in the caches of N ways. */
static void test_rounds(void)
{
   static const UInt ways[] = {1, 9, 10, 11, 4096};
   Lru lru;
   cg2_lru_init(&lru, 1, ways, 5);
   for (UWord i = 0; i < 100; i++)
      CHECK_EQ(cg2_lru_touch(&lru, i % 10), i < 10 ? 5 : 2);
   for (UWord i = 0; i < 4096 - 10; i++)
      CHECK_EQ(cg2_lru_touch(&lru, 10 + i), 5);
   CHECK_EQ(cg2_lru_touch(&lru, 0), 4);
   CHECK_EQ(cg2_lru_touch(&lru, 4096), 5);
   CHECK_EQ(cg2_lru_touch(&lru, 1), 5);
}

int main(int n, char** names)
{
   static const Test tests[] = {{"stacks", test_stacks},
                                {"rounds", test_rounds}};
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
