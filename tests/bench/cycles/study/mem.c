/* mem.c: caches, pointers, tables, strings, memory functions. */
#include "bench.h"
#if defined(CHASE) /* CHASE bytes, STRIDE between nodes, STEPS, WAYS parallel  \
                      chains */
#ifndef STRIDE
#define STRIDE 64
#endif
#ifndef WAYS
#define WAYS 1
#endif
static char* m;
static void* st[8];
void setup(void)
{
   size_t n = CHASE / STRIDE;
   m = big(CHASE);
   uint32_t* p = malloc(n * 4);
   for (size_t i = 0; i < n; i++)
      p[i] = i;
   for (size_t i = n - 1; i > 0; i--) {
      size_t j = rnd() % (i + 1);
      uint32_t t = p[i];
      p[i] = p[j];
      p[j] = t;
   }
   for (size_t i = 0; i < n; i++)
      *(void**)(m + (size_t)p[i] * STRIDE) =
         m + (size_t)p[(i + 1) % n] * STRIDE;
   for (int w = 0; w < WAYS; w++)
      st[w] = m + (size_t)p[n / WAYS * w] * STRIDE;
   free(p);
}
void bench(void)
{
   void* a = st[0];
#if WAYS == 1
   for (int i = 0; i < STEPS; i++)
      a = *(void**)a;
   st[0] = a;
#else
   void *b = st[1], *c = st[2], *d = st[3];
   for (int i = 0; i < STEPS; i++) {
      a = *(void**)a;
      b = *(void**)b;
      c = *(void**)c;
      d = *(void**)d;
   }
   st[0] = a;
   st[1] = b;
   st[2] = c;
   st[3] = d;
#endif
   KEEP(a);
}
#elif defined(                                                                 \
   GATHER) /* sum of random elements of GATHER bytes; PF=1 sorted indices */
static uint32_t* ix;
static uint64_t* t;
#define NI_ 60000
static int cmp(const void* a, const void* b)
{
   uint32_t x = *(uint32_t*)a, y = *(uint32_t*)b;
   return x < y ? -1 : x > y;
}
void setup(void)
{
   t = big(GATHER);
   ix = malloc(NI_ * 4);
   for (int i = 0; i < NI_; i++)
      ix[i] = rnd() % (GATHER / 8);
#ifdef SORTED
   qsort(ix, NI_, 4, cmp);
#endif
   (void)cmp;
}
void bench(void)
{
   uint64_t s = 0;
   for (int i = 0; i < NI_; i++)
      s += t[ix[i]];
   KEEP(s);
}
#elif defined(HASH) /* lookups: 1 open addressing modulo, 2 open addressing    \
                       mask, 3 chained with malloc'ed nodes */
#define NK  HASHN
#define CAP (NK * 2)
static uint64_t *keys, *tab;
struct nd {
   struct nd* n;
   uint64_t k;
};
static struct nd** bk;
static volatile uint64_t capv = CAP + 1;
static inline uint64_t h(uint64_t x)
{
   return x * 0x9E3779B97F4A7C15ull >> 20;
}
void setup(void)
{
   keys = malloc(NK * 8);
   tab = calloc(CAP + 8, 8);
   bk = calloc(CAP, 8);
   uint64_t cap = capv;
   for (int i = 0; i < NK; i++) {
      uint64_t k = keys[i] = rnd() | 1;
#if HASH == 1
      uint64_t p = h(k) % cap;
      while (tab[p]) {
         if (++p == cap) p = 0;
      }
      tab[p] = k;
#elif HASH == 2
      uint64_t p = h(k) & (CAP - 1);
      while (tab[p])
         p = (p + 1) & (CAP - 1);
      tab[p] = k;
#else
      uint64_t p = h(k) & (CAP - 1);
      struct nd* n = malloc(sizeof *n);
      n->k = k;
      n->n = bk[p];
      bk[p] = n;
#endif
   }
   for (int i = NK - 1; i > 0; i--) {
      int j = rnd() % (i + 1);
      uint64_t t = keys[i];
      keys[i] = keys[j];
      keys[j] = t;
   }
   (void)cap;
}
#define LOOK (NK < 65536 ? NK : 65536)
void bench(void)
{
   uint64_t s = 0, cap = capv;
   for (int r = 0; r < 65536 / LOOK; r++)
      for (int i = 0; i < LOOK; i++) {
         uint64_t k = keys[i];
#if HASH == 1
         uint64_t p = h(k) % cap;
         while (tab[p] != k) {
            if (++p == cap) p = 0;
         }
         s += p;
#elif HASH == 2
         uint64_t p = h(k) & (CAP - 1);
         while (tab[p] != k)
            p = (p + 1) & (CAP - 1);
         s += p;
#else
         struct nd* n = bk[h(k) & (CAP - 1)];
         while (n->k != k)
            n = n->n;
         s += (uintptr_t)n;
#endif
      }
   KEEP(s);
   (void)cap;
}
#elif defined(BSEARCH) /* 1 branchy, 2 branchless, 3 linear scan of small */
#ifndef N
#define N 4096
#endif
static uint32_t a[N], q[4096];
void setup(void)
{
   for (int i = 0; i < N; i++)
      a[i] = i * 16;
   for (int i = 0; i < 4096; i++)
      q[i] = rnd() % (N * 16);
}
void bench(void)
{
   uint64_t s = 0;
   for (int r = 0; r < 8; r++)
      for (int i = 0; i < 4096; i++) {
         uint32_t k = q[i];
#if BSEARCH == 1
         int lo = 0, hi = N;
         while (lo < hi) {
            int m = (lo + hi) / 2;
            if (a[m] < k)
               lo = m + 1;
            else
               hi = m;
            KEEP(lo);
         }
         s += lo;
#elif BSEARCH == 2
         uint32_t* b = a;
         uint32_t n = N;
         while (n > 1) {
            uint32_t h = n / 2;
            uint32_t* c = b + h;
            __asm__ volatile("cmp %2,(%1)\n cmovb %1,%0"
                             : "+r"(b)
                             : "r"(c), "r"(k)
                             : "memory", "cc");
            n -= h;
         }
         s += b - a;
#endif
      }
   KEEP(s);
}
#elif defined(TREE) /* lookups in an unbalanced random binary tree */
struct t {
   struct t *l, *r;
   uint32_t k;
};
static struct t* root;
static uint32_t q[20000];
void setup(void)
{
   for (int i = 0; i < 20000; i++) {
      uint32_t k = q[i] = rnd();
      struct t** p = &root;
      while (*p)
         p = k < (*p)->k ? &(*p)->l : &(*p)->r;
      *p = calloc(1, sizeof **p);
      (*p)->k = k;
   }
}
void bench(void)
{
   uint64_t s = 0;
   for (int i = 0; i < 20000; i++) {
      uint32_t k = q[i];
      struct t* p = root;
      while (p && p->k != k)
         p = k < p->k ? p->l : p->r;
      s += (uintptr_t)p;
   }
   KEEP(s);
}
#elif defined(                                                                 \
   LIST) /* 1 list in order of allocation, 2 array, 3 shuffled list */
struct n {
   struct n* n;
   uint64_t v;
};
static struct n* hd;
static uint64_t* arr;
#ifndef N
#define N 100000
#endif
void setup(void)
{
   struct n* p = malloc(N * sizeof *p);
   arr = malloc(N * 8);
   uint32_t* o = malloc(N * 4);
   for (int i = 0; i < N; i++)
      o[i] = i, arr[i] = i;
   if (LIST == 3)
      for (int i = N - 1; i > 0; i--) {
         int j = rnd() % (i + 1);
         uint32_t t = o[i];
         o[i] = o[j];
         o[j] = t;
      }
   for (int i = N - 1; i >= 0; i--) {
      struct n* x = p + o[i];
      x->v = i;
      x->n = hd;
      hd = x;
   }
   free(o);
}
void bench(void)
{
   uint64_t s = 0;
   for (int r = 0; r < 4; r++) {
#if LIST == 2
      for (int i = 0; i < N; i++) {
         s += arr[i];
         KEEP(s);
      }
#else
      for (struct n* p = hd; p; p = p->n)
         s += p->v;
#endif
   }
   KEEP(s);
}
#elif defined(MEMCPY) /* MEMCPY bytes, REP */
static char *a, *b;
void setup(void)
{
   a = big(MEMCPY + 64);
   b = big(MEMCPY + 64);
}
void bench(void)
{
   for (int i = 0; i < REP; i++) {
#ifdef SET
      memset(a, i, MEMCPY);
      KEEP(a);
#else
      memcpy(b, a, MEMCPY);
      KEEP(b);
#endif
   }
}
#elif defined(                                                                 \
   SMALLCPY) /* random small lengths: 1 memcpy of libc, 2 loop of bytes */
static char a[4096], b[4096];
static uint8_t ln[8192];
void setup(void)
{
   for (int i = 0; i < 8192; i++)
      ln[i] = rnd() % 40;
}
void bench(void)
{
   for (int r = 0; r < 6; r++)
      for (int i = 0; i < 8192; i++) {
#if SMALLCPY == 1
         memcpy(b + (i & 1023), a + (i & 511), ln[i]);
         KEEP(b);
#else
         char *d = b + (i & 1023), *s = a + (i & 511);
         for (int k = 0; k < ln[i]; k++) {
            d[k] = s[k];
            KEEP(d);
         }
#endif
      }
}
#elif defined(REP_) /* rep movsb / stosq inline */
static char a[65536], b[65536];
void setup(void) {}
void bench(void)
{
   for (int r = 0; r < 100; r++) {
      void *d = b, *s = a;
      size_t n = 16384;
#if REP_ == 1
      __asm__ volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(n) : : "memory");
#else
      n /= 8;
      __asm__ volatile("rep stosq" : "+D"(d), "+c"(n) : "a"(0) : "memory");
      (void)s;
#endif
   }
}
#elif defined(STR) /* 1 strlen libc, 2 strlen by bytes, 3 strcmp libc, 4       \
                      memchr libc, 5 strtok-like, 6 strcmp by bytes */
static char s[64 * 256], t[64 * 256];
void setup(void)
{
   for (int i = 0; i < 256; i++) {
      int l = 8 + rnd() % 50;
      for (int k = 0; k < l; k++)
         s[i * 64 + k] = t[i * 64 + k] = 'a' + rnd() % 26;
      s[i * 64 + l] = t[i * 64 + l] = 0;
   }
}
void bench(void)
{
   size_t r = 0;
   for (int k = 0; k < 150; k++)
      for (int i = 0; i < 256; i++) {
         const char* p = s + i * 64;
         KEEP(p);
#if STR == 1
         r += strlen(p);
#elif STR == 2
         const char* q = p;
         while (*q) {
            q++;
            KEEP(q);
         }
         r += q - p;
#elif STR == 3
         r += strcmp(p, t + i * 64);
#elif STR == 4
         r += (uintptr_t)memchr(p, 0, 64);
#elif STR == 6
         const char* q = t + i * 64;
         while (*p && *p == *q)
            p++, q++;
         r += *p - *q;
#endif
      }
   KEEP(r);
}
#elif defined(HISTO) /* 1 one table, skewed input (store forwarding), 2 four   \
                        tables, 3 one table random */
static uint8_t d[65536];
static uint32_t h[4][256];
void setup(void)
{
   for (int i = 0; i < 65536; i++)
      d[i] = HISTO == 3 ? rnd() : (rnd() % 8 ? 7 : rnd());
}
void bench(void)
{
   for (int r = 0; r < 12; r++) {
      for (int i = 0; i < 65536; i += 4) {
#if HISTO == 2
         h[0][d[i]]++;
         h[1][d[i + 1]]++;
         h[2][d[i + 2]]++;
         h[3][d[i + 3]]++;
#else
         h[0][d[i]]++;
         h[0][d[i + 1]]++;
         h[0][d[i + 2]]++;
         h[0][d[i + 3]]++;
#endif
      }
   }
   KEEP(h);
}
#elif defined(                                                                 \
   FWDSTALL) /* 1 write 2x4 bytes, read 8 (stall), 2 write 8, read 8 */
static volatile struct {
   uint32_t a, b;
} v;
void setup(void) {}
void bench(void)
{
   uint64_t s = 0;
   for (int i = 0; i < 120000; i++) {
#if FWDSTALL == 1
      v.a = (uint32_t)s;
      v.b = i;
#else
      *(volatile uint64_t*)&v = (uint32_t)s | (uint64_t)i << 32;
#endif
      s += *(volatile uint64_t*)&v;
   }
   KEEP(s);
}
#elif defined(MALLOC) /* malloc/free churn */
static void* p[1024];
void setup(void) {}
void bench(void)
{
   for (int i = 0; i < 40000; i++) {
      int k = rnd() & 1023;
      free(p[k]);
      p[k] = malloc(16 + (rnd() & 255));
   }
}
#elif defined(                                                                 \
   FALSEDEP) /* linked update through index array: a[idx[i]] += ..., idx       \
                sequential: 1 independent, 2 same element */
static int idx[8192];
static double a[8192];
void setup(void)
{
   for (int i = 0; i < 8192; i++)
      idx[i] = FALSEDEP == 1 ? i : (i & 1);
}
void bench(void)
{
   for (int r = 0; r < 40; r++)
      for (int i = 0; i < 8192; i++)
         a[idx[i]] += 1.5;
   KEEP(a);
}
#endif
