#include "base/utf8.h"

/* The bytes that may follow a first byte: how many, and the bounds of the
 * first of them. */
typedef struct Rest {
   uint32_t n;
   unsigned char least, most;
} Rest;

static Rest rest_of(unsigned char first)
{
   uint32_t n = first < 0xc2   ? 0
                : first < 0xe0 ? 1
                : first < 0xf0 ? 2
                : first < 0xf5 ? 3
                               : 0;
   Rest rest = {n, 0x80, 0xbf};
   if (first == 0xe0) rest.least = 0xa0; /* less fits into fewer bytes */
   if (first == 0xf0) rest.least = 0x90;
   if (first == 0xed) rest.most = 0x9f; /* more are surrogates */
   if (first == 0xf4) rest.most = 0x8f; /* more is above U+10FFFF */
   return rest;
}

bool cg2p_utf8_is_ascii(const char* text, size_t length)
{
   char all = 0;
   for (size_t i = 0; i < length; i++)
      all |= text[i];
   return !(all & 0x80);
}

Character cg2p_utf8_first(const char* text, size_t length)
{
   const unsigned char* bytes = (const unsigned char*)text;
   if (bytes[0] < 0x80) return (Character){bytes[0], 1, false};
   Rest rest = rest_of(bytes[0]);
   uint32_t code = bytes[0] & (0x3f >> rest.n);
   for (uint32_t i = 1; i <= rest.n; i++) {
      if (i == length || bytes[i] < rest.least || bytes[i] > rest.most)
         return (Character){UTF8_REPLACEMENT, i, true};
      code = code << 6 | (bytes[i] & 0x3f);
      rest.least = 0x80;
      rest.most = 0xbf;
   }
   return rest.n ? (Character){code, rest.n + 1, false}
                 : (Character){UTF8_REPLACEMENT, 1, true};
}
