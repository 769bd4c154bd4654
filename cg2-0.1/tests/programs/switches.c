/* Jumps by tables, in two contexts: chosen() runs as chosen and as chosen'2, and
   half of it is in another file. */

#include "counted.h"
#include <string.h>

static volatile int sink;

COUNTED int chosen(int n, int depth)
{
   switch (n) {
   case 0: sink += 3; break;
   case 1: sink ^= 5; break;
   case 2: sink -= 7; break;
   case 3: sink *= 9; break;
   case 4: sink |= 11; break;
   case 5: sink &= 13; break;
   }
   if (depth) return chosen(n, depth - 1);
   return n;
}

int main(void)
{
   int sum = 0;
   for (int i = 0; i < 60; i++)
      sum += chosen(i % 6, i % 3 == 0);
   return sum == 150 ? 0 : 1;
}
