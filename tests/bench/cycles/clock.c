/* Prints cycles of the core a second: the most of 40 times that a chain of
 * multiplications of 3 cycles each took. */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

static double now(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(void)
{
   double most = 0;
   uint64_t x = 3;
   for (int i = 0; i < 40; i++) {
      double begun = now();
      for (int k = 0; k < 2000; k++)
         __asm__ volatile(".rept 50\n imul %0,%0\n .endr" : "+r"(x));
      double clock = 2000 * 50 * 3.0 / (now() - begun);
      most = clock > most ? clock : most;
   }
   printf("%.0f\n", most);
   return 0;
}
