/* usage: live KIND N
 *    together   N blocks that live until the end, each written once
 *    in-turn    N blocks, of which 64 live at a time
 *    at-random  N blocks that live, and as many reads of blocks at random */
#include <stdlib.h>

enum { AT_A_TIME = 64 };

static char* block(long i)
{
   char* made = malloc(16 + (i & 1) * 16);
   if (!made) exit(1);
   *made = 1;
   return made;
}

static void in_turn(long n)
{
   char* living[AT_A_TIME] = {0};
   for (long i = 0; i < n; i++) {
      free(living[i % AT_A_TIME]);
      living[i % AT_A_TIME] = block(i);
   }
}

int main(int argc, char** argv)
{
   if (argc != 3) return 2;
   long n = atol(argv[2]), sum = 0;
   if (argv[1][0] == 'i') {
      in_turn(n);
      return 0;
   }
   char** living = malloc(n * sizeof *living);
   for (long i = 0; i < n; i++)
      living[i] = block(i);
   unsigned long at = 1;
   for (long i = 0; argv[1][0] == 'a' && i < n; i++) {
      at = at * 6364136223846793005UL + 1442695040888963407UL;
      sum += *living[(at >> 33) % n];
   }
   return argv[1][0] == 'a' && sum != n;
}
