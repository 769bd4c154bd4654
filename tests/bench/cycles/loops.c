/* Times loops of loops.h: loops ROUNDS prints for each the least cycles of the
 * core that an iteration took in so many rounds, by the first, a chain of CHAIN
 * cycles; 0 of one that a signal ends. */
#include "loops.h"

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <x86intrin.h>

static sigjmp_buf back;

static void go_back(int number)
{
   siglongjmp(back, number);
}

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
   static bool fails[N_LOOPS];
   static int i; /* what a signal leaves alone */
   int rounds = argc > 1 ? atoi(argv[1]) : 1;
   for (int number = SIGILL; number <= SIGSEGV; number++)
      signal(number, go_back);
   for (int round = 0; round < rounds; round++)
      for (i = 0; i < N_LOOPS; i++) {
         if (fails[i]) continue;
         fails[i] = sigsetjmp(back, 1);
         uint64_t ticks = fails[i] ? 0 : ticks_of(loops[i]);
         if (!least[i] || ticks < least[i]) least[i] = ticks;
      }
   for (i = 1; i < N_LOOPS; i++)
      printf("%.3f\n", (double)CHAIN * least[i] / least[0]);
   return 0;
}
