/* Times loops of loops.py: loops ROUNDS prints for each the least cycles of the
 * core that an iteration took in so many rounds, by a chain of additions. */
#include "loops.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <x86intrin.h>

static uint64_t ticks_of(void (*run)(void))
{
   uint64_t begun = __rdtsc();
   _mm_lfence();
   run();
   _mm_lfence();
   return __rdtsc() - begun;
}

int main(int argc, char** argv)
{
   static uint64_t least[N_LOOPS];
   int rounds = argc > 1 ? atoi(argv[1]) : 1;
   for (int round = 0; round < rounds; round++)
      for (int i = 0; i < N_LOOPS; i++) {
         uint64_t ticks = ticks_of(loops[i]);
         if (!least[i] || ticks < least[i]) least[i] = ticks;
      }
   for (int i = 1; i < N_LOOPS; i++)
      printf("%.2f\n", (double)CHAIN * least[i] / least[0]);
   return 0;
}
