/* UTF-8 to UTF-16, by the number of bytes of each character. */
#include "bench.h"
enum { N = 40000 };
static uint8_t in[N * 4 + 8];
static uint16_t out[N * 2 + 8];
static size_t length;

void setup(void) {}

static uint8_t* put(uint8_t* p, uint32_t c)
{
   if (c < 0x80) {
      *p++ = (uint8_t)c;
   } else if (c < 0x800) {
      *p++ = (uint8_t)(0xC0 | c >> 6);
      *p++ = (uint8_t)(0x80 | (c & 63));
   } else if (c < 0x10000) {
      *p++ = (uint8_t)(0xE0 | c >> 12);
      *p++ = (uint8_t)(0x80 | (c >> 6 & 63));
      *p++ = (uint8_t)(0x80 | (c & 63));
   } else {
      *p++ = (uint8_t)(0xF0 | c >> 18);
      *p++ = (uint8_t)(0x80 | (c >> 12 & 63));
      *p++ = (uint8_t)(0x80 | (c >> 6 & 63));
      *p++ = (uint8_t)(0x80 | (c & 63));
   }
   return p;
}

void prepare(void)
{
   uint8_t* p = in;
   for (int i = 0; i < N; i++) {
      uint64_t r = rnd();
      uint32_t c = (uint32_t)(r >> 32);
      p = put(p, r % 16 < 10   ? c % 96 + 32
                 : r % 16 < 13 ? c % 0x700 + 0x80
                 : r % 16 < 15 ? c % 0xC000 + 0x800
                               : c % 0xFFFF + 0x10000);
   }
   length = (size_t)(p - in);
}

void bench(void)
{
   const uint8_t *p = in, *end = in + length;
   uint16_t* q = out;
   while (p < end) {
      uint32_t c = *p++;
      if (c < 0x80) {
         *q++ = (uint16_t)c;
         continue;
      }
      if (c < 0xE0) {
         *q++ = (uint16_t)((c & 31) << 6 | (p[0] & 63));
         p += 1;
      } else if (c < 0xF0) {
         *q++ = (uint16_t)((c & 15) << 12 | (p[0] & 63) << 6 | (p[1] & 63));
         p += 2;
      } else {
         c = (c & 7) << 18 | (uint32_t)(p[0] & 63) << 12 |
             (uint32_t)(p[1] & 63) << 6 | (p[2] & 63);
         c -= 0x10000;
         *q++ = (uint16_t)(0xD800 | c >> 10);
         *q++ = (uint16_t)(0xDC00 | (c & 1023));
         p += 3;
      }
   }
   KEEP(q);
}
