/* bits.c: integer work: hashes, bits, big numbers, tables. */
#include "bench.h"
#if defined(CRC) /* 1 bit by bit, 2 table, 3 slicing by 4, 4 crc32 instruction \
                    (crc32c) */
static uint8_t d[8192];
static uint32_t T[4][256];
void setup(void)
{
   for (int i = 0; i < 8192; i++)
      d[i] = rnd();
   for (int i = 0; i < 256; i++) {
      uint32_t c = i;
      for (int k = 0; k < 8; k++)
         c = c & 1 ? c >> 1 ^ 0xEDB88320 : c >> 1;
      T[0][i] = c;
   }
   for (int k = 1; k < 4; k++)
      for (int i = 0; i < 256; i++)
         T[k][i] = T[k - 1][i] >> 8 ^ T[0][T[k - 1][i] & 255];
}
#ifndef RP
#define RP 20
#endif
void bench(void)
{
   uint32_t c = ~0u;
   for (int r = 0; r < RP; r++) {
#if CRC == 1
      for (int i = 0; i < 8192; i++) {
         c ^= d[i];
         for (int k = 0; k < 8; k++)
            c = c >> 1 ^ (0xEDB88320 & -(c & 1));
      }
#elif CRC == 2
      for (int i = 0; i < 8192; i++)
         c = c >> 8 ^ T[0][(c ^ d[i]) & 255];
#elif CRC == 3
      for (int i = 0; i < 8192; i += 4) {
         c ^= *(uint32_t*)(d + i);
         c = T[3][c & 255] ^ T[2][c >> 8 & 255] ^ T[1][c >> 16 & 255] ^
             T[0][c >> 24];
      }
#else
      uint64_t q = c;
      for (int i = 0; i < 8192; i += 8)
         q = __builtin_ia32_crc32di(q, *(uint64_t*)(d + i));
      c = q;
#endif
   }
   KEEP(c);
}
#elif defined(SHA)
static uint32_t k[64], w[64], st[8];
static uint8_t d[4096];
void setup(void)
{
   for (int i = 0; i < 64; i++)
      k[i] = rnd();
   for (int i = 0; i < 4096; i++)
      d[i] = rnd();
   for (int i = 0; i < 8; i++)
      st[i] = rnd();
}
#define R(x, n) ((x) >> (n) | (x) << (32 - (n)))
void bench(void)
{
   for (int r = 0; r < 6; r++)
      for (int b = 0; b < 64; b++) {
         for (int i = 0; i < 16; i++)
            w[i] = __builtin_bswap32(((uint32_t*)d)[b * 16 + i]);
         for (int i = 16; i < 64; i++) {
            uint32_t s0 = R(w[i - 15], 7) ^ R(w[i - 15], 18) ^ w[i - 15] >> 3,
                     s1 = R(w[i - 2], 17) ^ R(w[i - 2], 19) ^ w[i - 2] >> 10;
            w[i] = w[i - 16] + s0 + w[i - 7] + s1;
         }
         uint32_t a = st[0], B = st[1], c = st[2], D = st[3], e = st[4],
                  f = st[5], g = st[6], h = st[7];
         for (int i = 0; i < 64; i++) {
            uint32_t t1 = h + (R(e, 6) ^ R(e, 11) ^ R(e, 25)) +
                          ((e & f) ^ (~e & g)) + k[i] + w[i],
                     t2 = (R(a, 2) ^ R(a, 13) ^ R(a, 22)) +
                          ((a & B) ^ (a & c) ^ (B & c));
            h = g;
            g = f;
            f = e;
            e = D + t1;
            D = c;
            c = B;
            B = a;
            a = t1 + t2;
         }
         st[0] += a;
         st[1] += B;
         st[2] += c;
         st[3] += D;
         st[4] += e;
         st[5] += f;
         st[6] += g;
         st[7] += h;
      }
   KEEP(st);
}
#elif defined(                                                                 \
   POPC) /* 1 bit by bit (Kernighan), 2 SWAR, 3 table, 4 popcnt by flags */
static uint64_t d[4096];
static uint8_t T[256];
void setup(void)
{
   for (int i = 0; i < 4096; i++)
      d[i] = rnd();
   for (int i = 0; i < 256; i++)
      T[i] = __builtin_popcount(i);
}
#ifndef RP
#define RP 30
#endif
void bench(void)
{
   uint64_t s = 0;
   for (int r = 0; r < RP; r++)
      for (int i = 0; i < 4096; i++) {
         uint64_t x = d[i];
#if POPC == 1
         while (x) {
            x &= x - 1;
            s++;
         }
#elif POPC == 2
         x -= x >> 1 & 0x5555555555555555;
         x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
         x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
         s += x * 0x0101010101010101 >> 56;
         KEEP(s);
#elif POPC == 3
         for (int k = 0; k < 64; k += 8)
            s += T[x >> k & 255];
#else
         s += __builtin_popcountll(x);
         KEEP(s);
#endif
      }
   KEEP(s);
}
#elif defined(BIGMUL) /* 1 32-bit limbs, 2 64-bit limbs by __int128 */
#define L 64
static uint64_t a[L], b[L], c[2 * L];
void setup(void)
{
   for (int i = 0; i < L; i++)
      a[i] = rnd(), b[i] = rnd();
}
void bench(void)
{
   for (int r = 0; r < 60; r++) {
      memset(c, 0, sizeof c);
#if BIGMUL == 1
      uint32_t *x = (uint32_t*)a, *y = (uint32_t*)b, *z = (uint32_t*)c;
      for (int i = 0; i < 2 * L; i++) {
         uint64_t cy = 0;
         for (int j = 0; j < 2 * L; j++) {
            cy += (uint64_t)x[i] * y[j] + z[i + j];
            z[i + j] = cy;
            cy >>= 32;
         }
         z[i + 2 * L] = cy;
      }
#else
      for (int i = 0; i < L; i++) {
         uint64_t cy = 0;
         for (int j = 0; j < L; j++) {
            unsigned __int128 t =
               (unsigned __int128)a[i] * b[j] + c[i + j] + cy;
            c[i + j] = t;
            cy = t >> 64;
         }
         c[i + L] = cy;
      }
#endif
      KEEP(c);
   }
}
#elif defined(ADC)
#define L 1024
static uint64_t a[L], b[L];
void setup(void)
{
   for (int i = 0; i < L; i++)
      a[i] = rnd(), b[i] = rnd();
}
void bench(void)
{
   for (int r = 0; r < 400; r++) {
      unsigned char cy = 0;
      for (int i = 0; i < L; i += 4) {
         for (int k = 0; k < 4; k++)
            cy = __builtin_ia32_addcarryx_u64(cy, a[i + k], b[i + k],
                                              (unsigned long long*)a + i + k);
      }
      KEEP(a);
   }
}
#elif defined(XORSH) /* random numbers: 1 xorshift, 2 LCG 64, 3 splitmix, 4    \
                        random mod by division, 5 by multiplication */
static volatile uint32_t lim = 1000;
void setup(void) {}
void bench(void)
{
   uint64_t s = 1, t = 0;
   uint32_t m = lim;
   for (int i = 0; i < 200000; i++) {
#if XORSH == 1
      s ^= s << 13;
      s ^= s >> 7;
      s ^= s << 17;
      t += s;
#elif XORSH == 2
      s = s * 6364136223846793005ull + 1442695040888963407ull;
      t += s >> 32;
#elif XORSH == 3
      uint64_t z = s += 0x9e3779b97f4a7c15;
      z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
      z = (z ^ z >> 27) * 0x94d049bb133111eb;
      t += z ^ z >> 31;
#elif XORSH == 4
      s = s * 6364136223846793005ull + 1442695040888963407ull;
      t += (uint32_t)(s >> 32) % m;
#else
      s = s * 6364136223846793005ull + 1442695040888963407ull;
      t += (uint64_t)(uint32_t)(s >> 32) * m >> 32;
#endif
   }
   KEEP(t);
   (void)m;
}
#elif defined(                                                                 \
   LUT) /* gamma of bytes: 1 table, 2 compute by integer polynomial */
static uint8_t d[16384], o[16384], T[256];
static inline uint8_t g(uint32_t x)
{
   return (x * x * 3 + x * 255 + (x ^ x >> 3)) >> 10;
}
void setup(void)
{
   for (int i = 0; i < 16384; i++)
      d[i] = rnd();
   for (int i = 0; i < 256; i++)
      T[i] = g(i);
}
void bench(void)
{
   for (int r = 0; r < 60; r++) {
      for (int i = 0; i < 16384; i++)
         o[i] = LUT == 1 ? T[d[i]] : g(d[i]);
      KEEP(o);
   }
}
#elif defined(BASE64)
static uint8_t d[12288], o[16384];
static const char A[] =
   "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
void setup(void)
{
   for (int i = 0; i < 12288; i++)
      d[i] = rnd();
}
void bench(void)
{
   for (int r = 0; r < 40; r++) {
      for (int i = 0, k = 0; i < 12288; i += 3, k += 4) {
         uint32_t v = d[i] << 16 | d[i + 1] << 8 | d[i + 2];
         o[k] = A[v >> 18];
         o[k + 1] = A[v >> 12 & 63];
         o[k + 2] = A[v >> 6 & 63];
         o[k + 3] = A[v & 63];
      }
      KEEP(o);
   }
}
#elif defined(UTF8) /* Hoehrmann-like DFA with a small table */
static uint8_t t[32768], T[256], S[12 * 16];
void setup(void)
{
   for (int i = 0; i < 32768;) {
      if (rnd() & 3 || i > 32700)
         t[i++] = 'a' + (rnd() & 15);
      else {
         t[i++] = 0xc3;
         t[i++] = 0x80 | (rnd() & 63);
      }
   }
   for (int i = 0; i < 256; i++)
      T[i] = i < 128 ? 0 : i < 192 ? 1 : 2;
   memset(S, 12, sizeof S);
   S[0] = 0;
   S[2] = 3;
   S[3 + 1] = 0;
}
void bench(void)
{
   int n = 0;
   for (int r = 0; r < 12; r++) {
      uint32_t s = 0;
      for (int i = 0; i < 32768; i++) {
         s = S[s + T[t[i]]];
         n += s == 0;
      }
   }
   KEEP(n);
}
#elif defined(ATOI) /* decimal conversion of 64-bit numbers: 1 digit by digit, \
                       2 two digits by table */
static uint64_t d[2048];
static char o[32];
static char P[200];
void setup(void)
{
   for (int i = 0; i < 2048; i++)
      d[i] = rnd() >> (rnd() & 31);
   for (int i = 0; i < 100; i++)
      P[2 * i] = '0' + i / 10, P[2 * i + 1] = '0' + i % 10;
}
void bench(void)
{
   for (int r = 0; r < 8; r++)
      for (int i = 0; i < 2048; i++) {
         uint64_t v = d[i];
         char* p = o + 32;
#if ATOI == 1
         do
            *--p = '0' + v % 10;
         while (v /= 10);
#else
         while (v >= 100) {
            unsigned k = v % 100 * 2;
            v /= 100;
            *--p = P[k + 1];
            *--p = P[k];
         }
         if (v >= 10) {
            *--p = P[2 * v + 1];
            *--p = P[2 * v];
         } else
            *--p = '0' + v;
#endif
         KEEP(p);
      }
}
#elif defined(FNV) /* hash of 16 KB: 1 FNV by bytes, 2 multiply by 8 bytes, 3  \
                      four lanes */
static uint8_t d[16384];
void setup(void)
{
   for (int i = 0; i < 16384; i++)
      d[i] = rnd();
}
#ifndef RP
#define RP 10
#endif
void bench(void)
{
   uint64_t h = 14695981039346656037ull;
   for (int r = 0; r < RP; r++) {
#if FNV == 1
      for (int i = 0; i < 16384; i++)
         h = (h ^ d[i]) * 1099511628211ull;
#elif FNV == 2
      for (int i = 0; i < 16384; i += 8) {
         h = (h ^ *(uint64_t*)(d + i)) * 0x9E3779B97F4A7C15ull;
         h ^= h >> 32;
      }
#else
      uint64_t a = h, b = h + 1, c = h + 2, e = h + 3;
      for (int i = 0; i < 16384; i += 32) {
         a = (a ^ *(uint64_t*)(d + i)) * 0x9E3779B97F4A7C15ull;
         a ^= a >> 32;
         b = (b ^ *(uint64_t*)(d + i + 8)) * 0x9E3779B97F4A7C15ull;
         b ^= b >> 32;
         c = (c ^ *(uint64_t*)(d + i + 16)) * 0x9E3779B97F4A7C15ull;
         c ^= c >> 32;
         e = (e ^ *(uint64_t*)(d + i + 24)) * 0x9E3779B97F4A7C15ull;
         e ^= e >> 32;
      }
      h = a ^ b ^ c ^ e;
#endif
   }
   KEEP(h);
}
#elif defined(GCD) /* 1 Euclid by %, 2 binary */
static uint32_t x[1024], y[1024];
void setup(void)
{
   for (int i = 0; i < 1024; i++)
      x[i] = rnd() | 1, y[i] = rnd() | 1;
}
void bench(void)
{
   uint32_t s = 0;
   for (int r = 0; r < 4; r++)
      for (int i = 0; i < 1024; i++) {
         uint32_t a = x[i], b = y[i];
#if GCD == 1
         while (b) {
            uint32_t t = a % b;
            a = b;
            b = t;
         }
#else
         a >>= __builtin_ctz(a);
         while (b) {
            b >>= __builtin_ctz(b);
            uint32_t m = a < b ? a : b;
            b = a < b ? b - a : a - b;
            a = m;
         }
#endif
         s += a;
      }
   KEEP(s);
}
#elif defined(SIMDW) /* sum of bytes: 1 scalar, 2 by psadbw */
#include <immintrin.h>
static uint8_t d[16384];
void setup(void)
{
   for (int i = 0; i < 16384; i++)
      d[i] = rnd();
}
void bench(void)
{
   uint64_t s = 0;
   for (int r = 0; r < RP; r++) {
#if SIMDW == 1
      for (int i = 0; i < 16384; i++)
         s += d[i];
#else
      __m128i v = _mm_setzero_si128();
      for (int i = 0; i < 16384; i += 16)
         v = _mm_add_epi64(v, _mm_sad_epu8(_mm_load_si128((__m128i*)(d + i)),
                                           _mm_setzero_si128()));
      s += _mm_cvtsi128_si64(v) + _mm_extract_epi64(v, 1);
#endif
      KEEP(s);
   }
}
#elif defined(MODEXP) /* Montgomery-like multiplication vs __int128 % */
static volatile uint64_t mod = 0xfffffffbull;
void setup(void) {}
void bench(void)
{
   uint64_t m = mod, s = 12345;
#if MODEXP == 1
   for (int i = 0; i < 60000; i++)
      s = s * s % m;
#else
   uint64_t inv = 1;
   for (int i = 0; i < 6; i++)
      inv *= 2 - m * inv;
   for (int i = 0; i < 60000; i++) {
      unsigned __int128 t = (unsigned __int128)s * s;
      uint64_t q = (uint64_t)t * inv;
      uint64_t h = (unsigned __int128)q * m >> 64;
      uint64_t r = (t >> 64) - h;
      s = r + (m & -(uint64_t)((t >> 64) < h));
   }
#endif
   KEEP(s);
}
#endif
