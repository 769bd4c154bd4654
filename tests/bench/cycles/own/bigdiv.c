/* Numbers of 64 words: the digits of a factorial, by multiplications and
 * divisions of the whole number by a word. */
#include "bench.h"
enum { WORDS = 64 };
static uint64_t number[WORDS];
static uint32_t digits[WORDS * 8];

void setup(void) {}

static NI void multiply(uint64_t by)
{
   uint64_t carry = 0;
   for (int i = 0; i < WORDS; i++) {
      unsigned __int128 product = (unsigned __int128)number[i] * by + carry;
      number[i] = (uint64_t)product;
      carry = (uint64_t)(product >> 64);
   }
}

static NI uint64_t divide(uint64_t by)
{
   uint64_t rest = 0;
   for (int i = WORDS; i-- > 0;) {
      uint64_t quotient;
      __asm__("divq %4"
              : "=a"(quotient), "=d"(rest)
              : "0"(number[i]), "1"(rest), "r"(by)
              : "cc");
      number[i] = quotient;
   }
   return rest;
}

void bench(void)
{
   memset(number, 0, sizeof number);
   number[0] = 1;
   for (uint64_t n = 2; n < 450; n++)
      multiply(n);
   for (int i = 0; i < 200; i++)
      digits[i] = (uint32_t)divide(1000000000);
   KEEP(digits);
}
