/* Numbers to decimal digits, by divisions by 10, and back. */
#include "bench.h"
enum { N = 12000 };
static uint32_t numbers[N];
static char text[N * 12];

void setup(void) {}

void prepare(void)
{
   for (int i = 0; i < N; i++) {
      uint64_t r = rnd();
      numbers[i] = (uint32_t)(r >> 32) >> r % 28;
   }
}

static NI char* print(char* p, uint32_t n)
{
   char digits[12];
   int used = 0;
   do {
      digits[used++] = (char)('0' + n % 10);
      n /= 10;
   } while (n);
   while (used)
      *p++ = digits[--used];
   *p++ = ' ';
   return p;
}

void bench(void)
{
   char* p = text;
   uint32_t sum = 0;
   for (int i = 0; i < N; i++)
      p = print(p, numbers[i]);
   for (const char* q = text; q < p; q++) {
      uint32_t n = 0;
      for (; *q != ' '; q++)
         n = n * 10 + (uint32_t)(*q - '0');
      sum ^= n;
   }
   KEEP(sum);
}
