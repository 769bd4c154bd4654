/* 1,000 records of 24 to 120 bytes, one behind the other in one block, which
   is walked 10 times; and 1,000 records of 16 bytes in an array, walked 10
   times. */

#include <stdlib.h>
#include <string.h>

struct record {
   unsigned size, kind;
   long value;
   char text[1];
};

struct pair {
   long first, second;
};

enum { N = 1000, TIMES = 10 };

__attribute__((noinline)) void fill(char* arena)
{
   for (int i = 0; i < N; i++) {
      struct record* r = (struct record*)arena;
      r->size = 24 + 8 * (i * 7 % 13);
      r->kind = i & 3;
      r->value = i;
      arena += r->size;
   }
}

__attribute__((noinline)) long walk(char* arena)
{
   long sum = 0;
   for (int i = 0; i < N; i++) {
      struct record* r = (struct record*)arena;
      sum += r->value;
      arena += r->size;
   }
   return sum;
}

__attribute__((noinline)) long add(struct pair* pairs)
{
   long sum = 0;
   for (int i = 0; i < N; i++)
      sum += pairs[i].second;
   return sum;
}

int main(void)
{
   char* arena = malloc(N * 120);
   struct pair* pairs = malloc(N * sizeof *pairs);
   long sum = 0;
   memset(pairs, 0, N * sizeof *pairs);
   fill(arena);
   for (int i = 0; i < TIMES; i++) {
      sum += walk(arena) + add(pairs);
      __asm__ volatile("" ::: "memory"); /* walk it again */
   }
   return sum == 0;
}
