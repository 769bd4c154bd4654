/* Writes into the tool's memory: `turns` goes round 987,653 times, and `spoil`
   makes each word that says so say 30 less. Only the count of the loop does. The
   number itself is nowhere else in memory. */

#include "counted.h"
#include <stdint.h>
#include <stdio.h>

/* Where Valgrind has its memory, on processors of 64 bits. Source: Valgrind's
   address space manager, up to version 3.27. */
#define VALGRIND_START 0x1000000000UL
#define VALGRIND_END   0x2000000000UL

enum { TURNS = 987653, MASK = 0x5a5a5a5a, LESS = 30 };

COUNTED void turns(unsigned masked)
{
   for (unsigned i = masked ^ MASK; i; i--)
      OPAQUE(i);
}

/* How many words of a region said so. */
COUNTED int spoil(volatile uint64_t* from, volatile uint64_t* end)
{
   int n = 0;
   for (; from < end; from++)
      if ((*from ^ MASK) == (TURNS ^ MASK)) {
         *from -= LESS;
         n++;
      }
   return n;
}

int main(void)
{
   char line[512];
   int n = 0;
   turns(TURNS ^ MASK);
   FILE* maps = fopen("/proc/self/maps", "r");
   while (maps && fgets(line, sizeof line, maps)) {
      unsigned long start, end;
      char rights[5];
      if (sscanf(line, "%lx-%lx %4s", &start, &end, rights) != 3) continue;
      if (start >= VALGRIND_START && end <= VALGRIND_END && rights[1] == 'w')
         n += spoil((uint64_t*)start, (uint64_t*)end);
   }
   printf("%d\n", n);
   return 0;
}
