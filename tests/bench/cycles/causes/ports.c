/* Bound by execution: PORTS 1 multiplications, 2 loads, 3 stores, 4 shuffles of
 * vectors; independent of each other. */
#include "bench.h"
enum { ROUNDS = 600 };
static uint64_t data[64];

void setup(void) {}

void bench(void)
{
   uint64_t a = 1, b = 3, c = 5, d = 7, *p = data;
   for (int i = 0; i < ROUNDS; i++) {
#if PORTS == 1
      __asm__ volatile(
         ".rept 150\n imul %0, %0\n imul %1, %1\n imul %2, %2\n"
         "imul %3, %3\n imul $7, %0, %%r8\n imul $9, %1, %%r9\n .endr"
         : "+r"(a), "+r"(b), "+r"(c), "+r"(d)
         :
         : "r8", "r9");
#elif PORTS == 2
      __asm__ volatile(
         ".rept 150\n mov (%4), %0\n mov 8(%4), %1\n mov 16(%4), %2\n"
         "mov 24(%4), %3\n mov 64(%4), %0\n mov 72(%4), %1\n .endr"
         : "+r"(a), "+r"(b), "+r"(c), "+r"(d)
         : "r"(p));
#elif PORTS == 3
      __asm__ volatile(
         ".rept 150\n mov %0, (%4)\n mov %1, 8(%4)\n mov %2, 16(%4)\n"
         "mov %3, 24(%4)\n mov %0, 64(%4)\n mov %1, 72(%4)\n .endr"
         :
         : "r"(a), "r"(b), "r"(c), "r"(d), "r"(p)
         : "memory");
#else
      __asm__ volatile(
         ".rept 150\n pshufd $1, %%xmm8, %%xmm0\n pshufd $2, %%xmm8, %%xmm1\n"
         "pshufd $3, %%xmm8, %%xmm2\n pshufd $4, %%xmm8, %%xmm3\n"
         "pshufd $5, %%xmm8, %%xmm4\n pshufd $6, %%xmm8, %%xmm5\n .endr"
         :
         :
         : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5");
#endif
   }
   KEEP(a + b + c + d);
   KEEP(p);
}
