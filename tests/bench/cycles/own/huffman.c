/* Decodes a canonical Huffman code, a symbol at a time, from a buffer of bits.
 */
#include "bench.h"
enum { SYMBOLS = 60000, LONGEST = 8 };
static const uint8_t lengths[12] = {2, 2, 3, 3, 4, 5, 6, 6, 7, 8, 8, 7};
static uint8_t bytes[SYMBOLS + 16], out[SYMBOLS];
static uint16_t codes[12], table[1 << LONGEST];

void setup(void)
{
   uint32_t code = 0;
   for (uint32_t length = 1; length <= LONGEST; length++, code <<= 1)
      for (uint32_t symbol = 0; symbol < 12; symbol++)
         if (lengths[symbol] == length) {
            uint32_t mirrored = 0;
            for (uint32_t bit = 0; bit < length; bit++)
               mirrored |= (code >> bit & 1) << (length - 1 - bit);
            codes[symbol] = (uint16_t)mirrored;
            for (uint32_t i = mirrored; i < 1 << LONGEST; i += 1u << length)
               table[i] = (uint16_t)(symbol << 4 | length);
            code++;
         }
}

void prepare(void)
{
   memset(bytes, 0, sizeof bytes);
   for (uint32_t i = 0, at = 0; i < SYMBOLS; i++) {
      uint64_t r = rnd() >> 20;
      uint32_t symbol = (uint32_t)__builtin_ctzll(r | 1 << 11);
      for (uint32_t bit = 0; bit < lengths[symbol]; bit++, at++)
         bytes[at >> 3] |= (codes[symbol] >> bit & 1) << (at & 7);
   }
}

void bench(void)
{
   uint64_t bits = 0;
   uint32_t held = 0;
   const uint8_t* p = bytes;
   for (int i = 0; i < SYMBOLS; i++) {
      while (held < LONGEST) {
         bits |= (uint64_t)*p++ << held;
         held += 8;
      }
      uint32_t entry = table[bits & ((1 << LONGEST) - 1)];
      out[i] = (uint8_t)(entry >> 4);
      bits >>= entry & 15;
      held -= entry & 15;
   }
   KEEP(out);
}
