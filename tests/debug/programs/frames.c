/* Variables in frames: the program says where each is, behind its function's
 * canonical frame address. */

#include <stdio.h>

#define APART __attribute__((noinline))

struct range {
   long low, high;
};

APART static void tell(const char* name, void* variable, void* frame)
{
   printf("%s %ld\n", name, (long)((char*)variable - (char*)frame));
}

#define TELL(name) tell(#name, (void*)&name, __builtin_dwarf_cfa())

APART static int plain(int n)
{
   int numbers[20];
   struct range range = {n, n + 20};
   volatile char mark = 'a';
   TELL(numbers);
   TELL(range);
   TELL(mark);
   for (int i = 0; i < 20; i++)
      numbers[i] = n * i;
   return numbers[n] + range.low + mark;
}

static inline __attribute__((always_inline)) long within(long n)
{
   struct range inner[3] = {{n, n}, {n, n}, {n, n}};
   TELL(inner);
   return inner[n % 3].low;
}

APART static long outside(long n)
{
   long own[5] = {n, n, n, n, n};
   TELL(own);
   return within(n) + own[n % 5];
}

int main(int argc, char** argv)
{
   (void)argv;
   return plain(argc) + outside(argc) == 0;
}
