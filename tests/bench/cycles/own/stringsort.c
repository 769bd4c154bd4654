/* Sorts pointers to strings by qsort and strcmp of libc. */
#include "bench.h"
enum { N = 2500 };
static char text[N][20];
static const char* pointers[N];

void setup(void)
{
   for (int i = 0; i < N; i++) {
      strcpy(text[i], "name-");
      for (int k = 5; k < 16; k++)
         text[i][k] = (char)('a' + rnd() % 6);
   }
}

void prepare(void)
{
   static uint32_t order[N];
   shuffle(order, N);
   for (int i = 0; i < N; i++)
      pointers[i] = text[order[i]];
}

static int compare(const void* a, const void* b)
{
   return strcmp(*(const char* const*)a, *(const char* const*)b);
}

void bench(void)
{
   qsort(pointers, N, sizeof *pointers, compare);
   KEEP(pointers);
}
