/* Numbers of 1 to 5 bytes of 7 bits: written as differences, and read again. */
#include "bench.h"
enum { N = 20000 };
static uint32_t numbers[N], again[N];
static uint8_t bytes[N * 5];

void setup(void) {}

void prepare(void)
{
   uint32_t value = 0;
   for (int i = 0; i < N; i++) {
      uint64_t r = rnd();
      value += (uint32_t)(r >> 32) >> (r % 4 * 7 + 8);
      numbers[i] = value;
   }
}

static NI size_t encode(void)
{
   uint8_t* p = bytes;
   uint32_t before = 0;
   for (int i = 0; i < N; i++) {
      uint32_t left = numbers[i] - before;
      before = numbers[i];
      while (left >= 128) {
         *p++ = (uint8_t)(left | 128);
         left >>= 7;
      }
      *p++ = (uint8_t)left;
   }
   return (size_t)(p - bytes);
}

static NI void decode(void)
{
   const uint8_t* p = bytes;
   uint32_t value = 0;
   for (int i = 0; i < N; i++) {
      uint32_t part = 0, shift = 0;
      while (*p & 128) {
         part |= (uint32_t)(*p++ & 127) << shift;
         shift += 7;
      }
      part |= (uint32_t)*p++ << shift;
      value += part;
      again[i] = value;
   }
}

void bench(void)
{
   size_t n = encode();
   decode();
   KEEP(n);
   KEEP(again);
}
