/* Bound by loads of what was just stored: FORWARD 1 of two stores each, which
 * no processor forwards, 2 a counter in memory by another register each time, 3
 * bytes of one wide store into one load behind it. */
#include "bench.h"
enum { N = 60000 };
static uint64_t cells[4];

void setup(void) {}

void bench(void)
{
   uint64_t x = 1, *p = cells, *q = cells;
   __asm__("" : "+r"(q)); /* else they share a register */
   for (int i = 0; i < N; i++) {
#if FORWARD == 1
      __asm__ volatile("movl %k0, (%1)\n movl %k0, 4(%1)\n movq (%1), %0"
                       : "+r"(x)
                       : "r"(p)
                       : "memory");
#elif FORWARD == 2
      __asm__ volatile("movq (%1), %0\n movq %0, (%2)"
                       : "=r"(x)
                       : "r"(p), "r"(q)
                       : "memory");
#else
      __asm__ volatile("movb %b0, (%1)\n movzwl (%1), %k0"
                       : "+r"(x)
                       : "r"(p)
                       : "memory");
#endif
   }
   KEEP(x);
   KEEP(q);
}
