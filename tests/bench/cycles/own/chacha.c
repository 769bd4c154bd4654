/* ChaCha20: blocks of a key stream, XORed into a message. */
#include "bench.h"
enum { BYTES = 131072 };
static uint32_t message[BYTES / 4];
static uint32_t state[16];

void setup(void)
{
   for (int i = 0; i < 16; i++)
      state[i] = (uint32_t)rnd();
}

#define ROTATE(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define QUARTER(a, b, c, d)                                                    \
   x[a] += x[b], x[d] = ROTATE(x[d] ^ x[a], 16);                               \
   x[c] += x[d], x[b] = ROTATE(x[b] ^ x[c], 12);                               \
   x[a] += x[b], x[d] = ROTATE(x[d] ^ x[a], 8);                                \
   x[c] += x[d], x[b] = ROTATE(x[b] ^ x[c], 7);

static NI void block(uint32_t* out)
{
   uint32_t x[16];
   memcpy(x, state, sizeof x);
   for (int i = 0; i < 10; i++) {
      QUARTER(0, 4, 8, 12)
      QUARTER(1, 5, 9, 13)
      QUARTER(2, 6, 10, 14)
      QUARTER(3, 7, 11, 15)
      QUARTER(0, 5, 10, 15)
      QUARTER(1, 6, 11, 12)
      QUARTER(2, 7, 8, 13)
      QUARTER(3, 4, 9, 14)
   }
   for (int i = 0; i < 16; i++)
      out[i] ^= x[i] + state[i];
   state[12]++;
}

void bench(void)
{
   for (int i = 0; i < BYTES / 4; i += 16)
      block(message + i);
   KEEP(message);
}
