/* What each kernel includes. A kernel has setup(), which makes its data once,
 * and bench(), whose time counts: the same amount of work at each call, between
 * 0.3 and 5 million cycles. Data that a predictor of branches could learn by
 * heart is made anew by prepare(), before each call and outside of its time. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NI      __attribute__((noinline))
#define KEEP(x) __asm__ volatile("" : : "g"(x) : "memory")

void setup(void);
void prepare(void); /* a kernel may leave it out */
void bench(void);

/* The next of a fixed sequence of random numbers. */
static inline uint64_t rnd(void)
{
   static uint64_t s = 88172645463325252ull;
   s ^= s << 13;
   s ^= s >> 7;
   s ^= s << 17;
   return s;
}

/* n bytes from the beginning of a page, in real memory. */
static inline void* big(size_t n)
{
   void* p = aligned_alloc(4096, (n + 4095) & ~(size_t)4095);
   if (!p) abort();
   memset(p, 1, n);
   return p;
}

/* Puts numbers below n into p in random order. */
static inline void shuffle(uint32_t* p, uint32_t n)
{
   for (uint32_t i = 0; i < n; i++)
      p[i] = i;
   for (uint32_t i = n; i-- > 1;) {
      uint32_t j = rnd() % (i + 1), t = p[i];
      p[i] = p[j];
      p[j] = t;
   }
}
