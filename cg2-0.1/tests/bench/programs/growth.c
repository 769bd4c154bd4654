/* Calls each of the COUNT functions of growth.S in turn, through one call
   site, as many times over as the argument says.  */

#include <stdio.h>
#include <stdlib.h>

extern unsigned (*const table[COUNT])(unsigned);

int main(int argc, char** argv)
{
   int rounds = argc > 1 ? atoi(argv[1]) : 1;
   unsigned sum = 0;
   for (int round = 0; round < rounds; round++)
      for (unsigned i = 0; i < COUNT; i++)
         sum = table[i](sum);
   printf("%u\n", sum);
   return 0;
}
