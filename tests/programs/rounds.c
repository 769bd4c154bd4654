/* rounds WHAT N: N rounds of a loop, which is one block, or one with a read, a
 * write, or a call in it. What a round takes is the difference of two runs. */
#include <stdlib.h>

static volatile long word;

__attribute__((noinline)) static void leaf(void)
{
   __asm__ volatile("");
}

int main(int n, char** words)
{
   long rounds = n > 2 ? atol(words[2]) : 0;
   switch (*words[1]) {
   case 'b':
      for (long i = 0; i < rounds; i++)
         __asm__ volatile("");
      break;
   case 'r':
      for (long i = 0; i < rounds; i++)
         __asm__ volatile("" : : "r"(word));
      break;
   case 'w':
      for (long i = 0; i < rounds; i++)
         word = 0;
      break;
   case 'c':
      for (long i = 0; i < rounds; i++)
         leaf();
      break;
   }
   return 0;
}
