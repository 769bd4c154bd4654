/* Bound by loads that span two stores in front of them, which no processor
 * forwards: FORWARD 1 two of four bytes, 2 two of eight into a vector, 3 one
 * byte and what was there before. */
#include "bench.h"
enum { N = 60000 };
static uint64_t cells[4];

void setup(void) {}

void bench(void)
{
   uint64_t x = 1, *p = cells;
   for (int i = 0; i < N; i++) {
#if FORWARD == 1
      __asm__ volatile("movl %k0, (%1)\n movl %k0, 4(%1)\n movq (%1), %0"
                       : "+r"(x)
                       : "r"(p)
                       : "memory");
#elif FORWARD == 2
      __asm__ volatile("movq %0, (%1)\n movq %0, 8(%1)\n movups (%1), %%xmm0\n"
                       "movq %%xmm0, %0"
                       : "+r"(x)
                       : "r"(p)
                       : "memory", "xmm0");
#else
      __asm__ volatile("movb %b0, (%1)\n movzwl (%1), %k0"
                       : "+r"(x)
                       : "r"(p)
                       : "memory");
#endif
   }
   KEEP(x);
   KEEP(p);
}
