/* Loops of AVX-512: vectors KIND ROUNDS. Prints what they computed. */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4096 };

static float a[N], b[N], c[N];
static uint8_t text[N];
static uint32_t places[N];

/* A loop of nothing, and the same with one instruction by itself. */
#define LOOP(instruction)                                                      \
   for (int i = 0; i < N; i++)                                                 \
   __asm__ volatile(instruction : : : "xmm1")

static uint64_t nothing(void)
{
   LOOP("nop");
   return 0;
}

static uint64_t alone(void)
{
   LOOP("vpaddd %%zmm1, %%zmm1, %%zmm1");
   return 0;
}

static uint64_t multiply(void)
{
   for (int i = 0; i < N; i++)
      c[i] = c[i] * 0.5f + a[i] * b[i];
   return (uint64_t)c[7];
}

/* How many bytes are spaces. */
static uint64_t count(void)
{
   unsigned n = 0;
   for (int i = 0; i < N; i++)
      n += text[i] == ' ';
   return n;
}

static uint64_t equal(__m512i bytes, char byte)
{
   return _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(byte));
}

/* Where the structure of JSON is, outside of strings, as simdjson finds it: 64
 * bytes at a time, by masks. */
static uint64_t find(void)
{
   uint64_t inside = 0, n = 0;
   for (int i = 0; i < N; i += 64) {
      __m512i bytes = _mm512_loadu_si512(text + i);
      uint64_t quotes = equal(bytes, '"');
      uint64_t strings = quotes;
      for (int by = 1; by < 64; by *= 2)
         strings ^= strings << by;
      strings ^= inside;
      inside = (uint64_t)((int64_t)strings >> 63);
      uint64_t marks = equal(bytes, '{') | equal(bytes, '}') |
                       equal(bytes, ':') | equal(bytes, ',') |
                       equal(bytes, '[') | equal(bytes, ']');
      for (marks &= ~strings; marks; marks &= marks - 1)
         places[n++] = i + (uint32_t)__builtin_ctzll(marks);
   }
   return n + places[n / 2];
}

static const struct {
   const char* name;
   uint64_t (*work)(void);
} kinds[] = {{"nothing", nothing},
             {"alone", alone},
             {"multiply", multiply},
             {"count", count},
             {"find", find}};

int main(int argc, char** argv)
{
   static const char json[] = "{\"name\": \"a, b\", \"list\": [1, 22, 333]}, ";
   uint64_t sum = 0;
   for (int i = 0; i < N; i++) {
      a[i] = i % 7, b[i] = i % 11;
      text[i] = json[i % (sizeof json - 1)];
   }
   for (size_t k = 0; argc == 3 && k < sizeof kinds / sizeof *kinds; k++)
      if (strcmp(argv[1], kinds[k].name) == 0)
         for (long i = atol(argv[2]); i > 0; i--)
            sum += kinds[k].work();
   printf("%lu\n", sum);
   return 0;
}
