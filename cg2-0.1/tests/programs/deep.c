/* Recursion 100,000 frames deep: `descend` returns through them all, `dive`
   leaves them all by longjmp. main -> descend once, 99,999 calls of itself;
   main -> rescue once -> dive once, 99,999 of itself; then after. */

#include "counted.h"
#include <setjmp.h>

#define FRAMES 100000

static jmp_buf surface;
static volatile long state;

COUNTED long descend(long n)
{
   return n == 1 ? 1 : 1 + descend(n - 1);
}

COUNTED long dive(long n)
{
   if (n == 0) return 0; // never reached
   if (n == 1) longjmp(surface, 1);
   return 1 + dive(n - 1);
}

COUNTED long rescue(void)
{
   if (setjmp(surface) == 0) return dive(FRAMES);
   return 5;
}

COUNTED void after(void)
{
   state++;
}

int main(void)
{
   long frames = descend(FRAMES);
   after();
   long rescued = rescue();
   after();
   return frames == FRAMES && rescued == 5 ? 0 : 1;
}
