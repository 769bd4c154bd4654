/* Bound by latency: CHAIN 1 multiplications of integers, 2 additions of
 * doubles, 3 rotations and additions, 4 multiply-adds of doubles. 1000 in turn.
 */
#include "bench.h"
enum { ROUNDS = 400 };

void setup(void) {}

void bench(void)
{
   uint64_t x = 3, y = 5;
   double d = 1.5, e = 0.5;
   for (int i = 0; i < ROUNDS; i++) {
#if CHAIN == 1
      __asm__ volatile(".rept 1000\n imul %1, %0\n .endr" : "+r"(x) : "r"(y));
#elif CHAIN == 2
      __asm__ volatile(".rept 1000\n addsd %1, %0\n .endr" : "+x"(d) : "x"(e));
#elif CHAIN == 3
      __asm__ volatile(".rept 500\n rol $7, %0\n add %1, %0\n .endr"
                       : "+r"(x)
                       : "r"(y));
#else
      __asm__ volatile(".rept 1000\n mulsd %1, %0\n .endr" : "+x"(d) : "x"(e));
#endif
   }
   KEEP(x);
   KEEP(y);
   KEEP(d + e);
}
