/* Runs a kernel. Natively, for so many milliseconds (first argument): prints
 * the least and the median ticks of a call, the least ticks of a core cycle, by
 * a chain of multiplications of 3 cycles each beside each call, and the number
 * of calls. With ROUNDS=N in the environment: N calls, of which timed() is the
 * last, for a profile of it alone. What a processor has learned of branches is
 * scrambled before each call, unless SCRAMBLE=0. */
#include "bench.h"
#include <x86intrin.h>

enum { CALLS_MAX = 100000, SCRAMBLED = 25000 };
#define CHAIN_CYCLES (300 * 50 * 3.0)

void __attribute__((weak)) prepare(void) {}

static NI double ticks_per_cycle(void)
{
   uint64_t x = 3, t = __rdtsc();
   for (int i = 0; i < 300; i++)
      __asm__ volatile(".rept 50\n imul %0,%0\n .endr" : "+r"(x));
   return (double)(__rdtsc() - t) / CHAIN_CYCLES;
}

#define FLIP(n)                                                                \
   if (bits >> (n)&1)                                                          \
      __asm__ volatile("nop");                                                 \
   else                                                                        \
      __asm__ volatile("nopw 0(%rax,%rax,1)");
#define CASE(n)                                                                \
   case n:                                                                     \
      FLIP((n) % 5 + 11)                                                       \
      FLIP((n) % 7 + 20)                                                       \
      FLIP((n) % 11 + 30)                                                      \
      FLIP((n) % 3 + 50)                                                       \
      break;
#define CASES(n)                                                               \
   CASE(n)                                                                     \
   CASE(n + 1)                                                                 \
   CASE(n + 2) CASE(n + 3) CASE(n + 4) CASE(n + 5) CASE(n + 6) CASE(n + 7)

/* Four random branches behind each of many random computed jumps. */
static NI void scramble(void)
{
   static uint64_t bits = 0x9E3779B97F4A7C15ull;
   for (int i = 0; i < SCRAMBLED; i++) {
      bits ^= bits << 13;
      bits ^= bits >> 7;
      bits ^= bits << 17;
      switch (bits & 63) {
         CASES(0)
         CASES(8)
         CASES(16)
         CASES(24)
         CASES(32)
         CASES(40)
         CASES(48)
         CASES(56)
      }
   }
}

/* All that a profile is of. */
NI void timed(void)
{
   bench();
   __asm__ volatile("");
}

static int by_value(const void* a, const void* b)
{
   uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
   return x < y ? -1 : x > y;
}

static void measure(double milliseconds, int scrambles)
{
   static uint64_t ticks[CALLS_MAX];
   double limit = milliseconds * 2.1e6, least = 1e9, sum = 0;
   int n = 0;
   prepare();
   bench();
   do {
      prepare();
      if (scrambles) scramble();
      double clock = ticks_per_cycle();
      least = clock < least ? clock : least;
      uint64_t t = __rdtsc();
      timed();
      ticks[n] = __rdtsc() - t;
      sum += (double)ticks[n++];
   } while ((sum < limit || n < 5) && n < CALLS_MAX);
   qsort(ticks, n, sizeof *ticks, by_value);
   printf("%llu,%llu,%.6f,%d\n", (unsigned long long)ticks[0],
          (unsigned long long)ticks[n / 2], least, n);
}

int main(int argc, char** argv)
{
   const char *rounds = getenv("ROUNDS"), *scramble_word = getenv("SCRAMBLE");
   int scrambles = !scramble_word || *scramble_word != '0';
   setup();
   if (!rounds) {
      measure(argc > 1 ? atof(argv[1]) : 60, scrambles);
      return 0;
   }
   for (int i = atoi(rounds); i > 1; i--) {
      prepare();
      bench();
   }
   prepare();
   if (scrambles) scramble();
   timed();
   return 0;
}
