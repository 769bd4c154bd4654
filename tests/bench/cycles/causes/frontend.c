/* Bound by the front end: FRONT 1 code of some 200 KB in a line, which no first
 * level holds, 2 jumps to the next line, 3 calls of many small functions whose
 * code is 128 KB. */
#include "bench.h"

void setup(void) {}

#if FRONT == 3
#define BODY(n)                                                                \
   static NI uint64_t body##n(uint64_t x)                                      \
   {                                                                           \
      __asm__ volatile("jmp 1f\n .skip 400, 0xCC\n 1: add $3, %0" : "+r"(x));  \
      return x;                                                                \
   }
#define BODIES(n)                                                              \
   BODY(n##0)                                                                  \
   BODY(n##1) BODY(n##2) BODY(n##3) BODY(n##4) BODY(n##5) BODY(n##6) BODY(n##7)
#define ALL                                                                    \
   X(10)                                                                       \
   X(11)                                                                       \
   X(12)                                                                       \
   X(13)                                                                       \
   X(14)                                                                       \
   X(15) X(16) X(17) X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(30)     \
      X(31) X(32) X(33) X(34) X(35) X(36) X(37)
#define X(n) BODIES(n)
ALL
#undef X
#define CALL(n) x = body##n(x);
#define X(n)                                                                   \
   CALL(n##0)                                                                  \
   CALL(n##1) CALL(n##2) CALL(n##3) CALL(n##4) CALL(n##5) CALL(n##6) CALL(n##7)
#endif

   void
   bench(void)
{
   uint64_t x = 1, y = 2, z = 3;
#if FRONT == 1
   for (int i = 0; i < 12; i++)
      __asm__ volatile(".rept 7000\n add $0x1234567, %0\n add $0x1234567, %1\n"
                       "add $0x1234567, %2\n xor $0x1234567, %k0\n .endr"
                       : "+r"(x), "+r"(y), "+r"(z));
#elif FRONT == 2
   for (int i = 0; i < 2000; i++)
      __asm__ volatile(
         ".rept 200\n jmp 1f\n .balign 64\n 1: mov $1, %k0\n .endr"
         : "+r"(x));
#else
   for (int i = 0; i < 150; i++) {
      ALL
   }
#endif
   KEEP(x);
   KEEP(y);
   KEEP(z);
}
