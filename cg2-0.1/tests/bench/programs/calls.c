/* Calls and little else: Takeuchi's function, mutual recursion, and calls
   through a table of function pointers.  */

#include <stdio.h>
#include <stdlib.h>

typedef unsigned (*Step)(unsigned);

__attribute__((noipa)) static int tak(int x, int y, int z)
{
   if (y >= x)
      return z;
   return tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y));
}

static unsigned odd(unsigned n);

__attribute__((noipa)) static unsigned even(unsigned n)
{
   return n == 0 ? 1 : odd(n - 1) + 1;
}

__attribute__((noipa)) static unsigned odd(unsigned n)
{
   return n == 0 ? 0 : even(n - 1) + 2;
}

__attribute__((noipa)) static unsigned add(unsigned n) { return n + 3; }
__attribute__((noipa)) static unsigned twist(unsigned n) { return n ^ n >> 5; }
__attribute__((noipa)) static unsigned scale(unsigned n) { return n * 5; }
__attribute__((noipa)) static unsigned turn(unsigned n) { return n << 7 | n >> 25; }

int main(int argc, char** argv)
{
   static const Step steps[] = {add, twist, scale, turn};
   int rounds = argc > 1 ? atoi(argv[1]) : 1;
   unsigned sum = 0;
   for (int round = 0; round < rounds; round++) {
      sum += tak(18, 12, 6);
      for (unsigned n = 0; n < 100; n++)
         sum += even(n % 50);
      for (unsigned n = 0; n < 60000; n++)
         sum = steps[sum >> 3 & 3](sum);
   }
   printf("%u\n", sum);
   return 0;
}
