/* ctl.c: branches, sorting, calls, interpreters. */
#include "bench.h"
#if defined(SORT) /* 1 quick, 2 merge, 3 heap, 4 insertion on 32s, 5 libc      \
                     qsort, 6 radix, 7 shell, 8 quick with branchless          \
                     partition */
#define N 20000
static uint32_t src[N], a[N], tmp[N];
void setup(void)
{
   for (int i = 0; i < N; i++)
      src[i] = rnd();
}
static void quick(uint32_t* v, int n)
{
   while (n > 16) {
      uint32_t p = v[n / 2];
      int i = -1, j = n;
      for (;;) {
         do
            i++;
         while (v[i] < p);
         do
            j--;
         while (v[j] > p);
         if (i >= j) break;
         uint32_t t = v[i];
         v[i] = v[j];
         v[j] = t;
      }
      j++;
      if (j < n - j) {
         quick(v, j);
         v += j;
         n -= j;
      } else {
         quick(v + j, n - j);
         n = j;
      }
   }
   for (int i = 1; i < n; i++) {
      uint32_t x = v[i];
      int k = i;
      while (k > 0 && v[k - 1] > x) {
         v[k] = v[k - 1];
         k--;
      }
      v[k] = x;
   }
}
static void quickb(uint32_t* v, int n)
{
   while (n > 16) {
      uint32_t m = v[n / 2];
      v[n / 2] = v[n - 1];
      v[n - 1] = m;
      int k = 0;
      for (int i = 0; i < n - 1; i++) {
         uint32_t x = v[i];
         v[i] = v[k];
         v[k] = x;
         k += x < m;
      }
      v[n - 1] = v[k];
      v[k] = m;
      if (k < n - k - 1) {
         quickb(v, k);
         v += k + 1;
         n -= k + 1;
      } else {
         quickb(v + k + 1, n - k - 1);
         n = k;
      }
   }
   for (int i = 1; i < n; i++) {
      uint32_t x = v[i];
      int k = i;
      while (k > 0 && v[k - 1] > x) {
         v[k] = v[k - 1];
         k--;
      }
      v[k] = x;
   }
}
static void merge(uint32_t* v, uint32_t* t, int n)
{
   if (n < 2) return;
   int h = n / 2;
   merge(v, t, h);
   merge(v + h, t + h, n - h);
   memcpy(t, v, n * 4);
   int i = 0, j = h, k = 0;
   while (i < h && j < n)
      v[k++] = t[i] <= t[j] ? t[i++] : t[j++];
   while (i < h)
      v[k++] = t[i++];
   while (j < n)
      v[k++] = t[j++];
}
static void sift(uint32_t* v, int i, int n)
{
   uint32_t x = v[i];
   for (;;) {
      int c = 2 * i + 1;
      if (c >= n) break;
      if (c + 1 < n && v[c + 1] > v[c]) c++;
      if (v[c] <= x) break;
      v[i] = v[c];
      i = c;
   }
   v[i] = x;
}
static int cmp(const void* x, const void* y)
{
   uint32_t p = *(uint32_t*)x, q = *(uint32_t*)y;
   return p < q ? -1 : p > q;
}
void bench(void)
{
   memcpy(a, src, sizeof a);
#if SORT == 1
   quick(a, N);
#elif SORT == 2
   merge(a, tmp, N);
#elif SORT == 3
   for (int i = N / 2 - 1; i >= 0; i--)
      sift(a, i, N);
   for (int n = N - 1; n > 0; n--) {
      uint32_t t = a[0];
      a[0] = a[n];
      a[n] = t;
      sift(a, 0, n);
   }
#elif SORT == 4
   for (int r = 0; r < 3; r++) {
      memcpy(a, src, sizeof a);
      for (int b = 0; b + 32 <= N; b += 32) {
         uint32_t* v = a + b;
         for (int i = 1; i < 32; i++) {
            uint32_t x = v[i];
            int k = i;
            while (k > 0 && v[k - 1] > x) {
               v[k] = v[k - 1];
               k--;
            }
            v[k] = x;
         }
      }
   }
#elif SORT == 5
   qsort(a, N, 4, cmp);
#elif SORT == 6
   for (int r = 0; r < 4; r++) {
      for (int s = 0; s < 32; s += 8) {
         uint32_t c[257] = {0};
         for (int i = 0; i < N; i++)
            c[(a[i] >> s & 255) + 1]++;
         for (int i = 0; i < 256; i++)
            c[i + 1] += c[i];
         for (int i = 0; i < N; i++)
            tmp[c[a[i] >> s & 255]++] = a[i];
         memcpy(a, tmp, sizeof a);
      }
      memcpy(a, src, sizeof a);
   }
#elif SORT == 7
   for (int g = N / 2; g > 0; g /= 2)
      for (int i = g; i < N; i++) {
         uint32_t x = a[i];
         int k = i;
         while (k >= g && a[k - g] > x) {
            a[k] = a[k - g];
            k -= g;
         }
         a[k] = x;
      }
#else
   quickb(a, N);
#endif
   (void)quick;
   (void)quickb;
   (void)merge;
   (void)sift;
   (void)cmp;
   KEEP(a);
}
#elif defined(COND) /* sum of elements above a threshold. 1 branch on random,  \
                       2 branch on sorted, 3 branchless */
static int d[32768];
void setup(void)
{
   for (int i = 0; i < 32768; i++)
      d[i] = COND == 2 ? i >> 7 : rnd() & 255;
}
void bench(void)
{
   int64_t s = 0;
   for (int r = 0; r < 10; r++)
      for (int i = 0; i < 32768; i++) {
#if COND == 3
         s += d[i] & -(d[i] >= 128);
         KEEP(s);
#else
         if (d[i] >= 128) {
            s += d[i];
            KEEP(s);
         }
#endif
      }
   KEEP(s);
}
#elif defined(MAXV) /* 1 branchy max with rare updates, 2 cmov */
static int d[32768];
void setup(void)
{
   for (int i = 0; i < 32768; i++)
      d[i] = rnd() & 0xffffff;
}
void bench(void)
{
   for (int r = 0; r < 20; r++) {
      int m = 0;
      for (int i = 0; i < 32768; i++) {
#if MAXV == 1
         if (d[i] > m) {
            m = d[i];
            KEEP(m);
         }
#else
         __asm__ volatile("cmp %0,%1\n cmovg %1,%0"
                          : "+r"(m)
                          : "r"(d[i])
                          : "cc");
#endif
      }
      KEEP(m);
   }
}
#elif defined(COLLATZ) /* 1 branchy, 2 branchless */
void setup(void) {}
void bench(void)
{
   uint64_t t = 0;
   for (uint32_t n = 1; n < 6000; n++) {
      uint64_t x = n;
      while (x != 1) {
#if COLLATZ == 1
         if (x & 1) {
            x = 3 * x + 1;
            KEEP(x);
         } else {
            x >>= 1;
            KEEP(x);
         }
#else
         uint64_t o = x & 1, h = x >> 1, q = 3 * x + 1;
         __asm__ volatile("test %2,%2\n cmovne %1,%0"
                          : "+r"(h)
                          : "r"(q), "r"(o)
                          : "cc");
         x = h;
#endif
         t++;
      }
   }
   KEEP(t);
}
#elif defined(SIEVE)
static uint8_t s[200000];
void setup(void) {}
void bench(void)
{
   for (int r = 0; r < 3; r++) {
      memset(s, 1, sizeof s);
      for (int i = 2; i * i < 200000; i++)
         if (s[i])
            for (int j = i * i; j < 200000; j += i)
               s[j] = 0;
      int c = 0;
      for (int i = 2; i < 200000; i++)
         c += s[i];
      KEEP(c);
   }
}
#elif defined(VIRT) /* indirect calls: 1 one target, 2 random of 4, 3 random   \
                       of 4 by switch, 4 sorted by type */
typedef struct o {
   int (*f)(struct o*, int);
   int v, k;
} O;
static NI int f0(O* o, int x)
{
   return x + o->v;
}
static NI int f1(O* o, int x)
{
   return x ^ o->v;
}
static NI int f2(O* o, int x)
{
   return x - o->v;
}
static NI int f3(O* o, int x)
{
   return x * 3 + o->v;
}
static O ob[4096];
static int cmp(const void* a, const void* b)
{
   return ((O*)a)->k - ((O*)b)->k;
}
void setup(void)
{
   int (*t[4])(O*, int) = {f0, f1, f2, f3};
   for (int i = 0; i < 4096; i++) {
      int k = VIRT == 1 ? 0 : rnd() & 3;
      ob[i].f = t[k];
      ob[i].v = i;
      ob[i].k = k;
   }
   if (VIRT == 4) qsort(ob, 4096, sizeof(O), cmp);
   (void)cmp;
}
void bench(void)
{
   int x = 0;
   for (int r = 0; r < 30; r++)
      for (int i = 0; i < 4096; i++) {
#if VIRT == 3
         switch (ob[i].k) {
         case 0:
            x = f0(ob + i, x);
            break;
         case 1:
            x = f1(ob + i, x);
            break;
         case 2:
            x = f2(ob + i, x);
            break;
         default:
            x = f3(ob + i, x);
         }
#else
         x = ob[i].f(ob + i, x);
#endif
      }
   KEEP(x);
}
#elif defined(INTERP) /* bytecode: 1 switch, 2 computed goto, 3 long random    \
                         program by switch */
enum { PUSH, ADD, SUB, XOR, DUP, DROP, JNZ, DEC, MUL, HALT };
#define PL (INTERP == 3 ? 4000 : 40)
static uint8_t pg[8192];
void setup(void)
{
   int n = 0;
   pg[n++] = PUSH;
   pg[n++] = INTERP == 3 ? 20 : 200;
   int top = n;
   while (n < PL) {
      switch (rnd() % 5) {
      case 0:
         pg[n++] = PUSH;
         pg[n++] = rnd();
         pg[n++] = ADD;
         break;
      case 1:
         pg[n++] = DUP;
         pg[n++] = XOR;
         pg[n++] = PUSH;
         pg[n++] = rnd();
         pg[n++] = SUB;
         break;
      case 2:
         pg[n++] = DUP;
         pg[n++] = DUP;
         pg[n++] = MUL;
         pg[n++] = DROP;
         break;
      case 3:
         pg[n++] = PUSH;
         pg[n++] = rnd();
         pg[n++] = DROP;
         break;
      default:
         pg[n++] = PUSH;
         pg[n++] = 3;
         pg[n++] = XOR;
      }
   }
   (void)top;
   pg[n++] = HALT;
}
void bench(void)
{
   int64_t cnt = INTERP == 3 ? 60 : 6000;
   int64_t r = 0;
   while (cnt--) {
      int64_t st[64];
      int64_t* sp = st;
      *sp = 0;
      *++sp = 0;
      uint8_t* pc = pg;
#if INTERP == 2
      static void* lb[] = {&&P, &&A, &&S, &&X, &&D, &&R, &&J, &&E, &&M, &&H};
#define NEXT goto* lb[*pc++]
      NEXT;
   P:
      *++sp = (int8_t)*pc++;
      NEXT;
   A:
      sp[-1] += *sp;
      sp--;
      NEXT;
   S:
      sp[-1] -= *sp;
      sp--;
      NEXT;
   X:
      sp[-1] ^= *sp;
      sp--;
      NEXT;
   D:
      sp[1] = *sp;
      sp++;
      NEXT;
   R:
      sp--;
      NEXT;
   M:
      sp[-1] *= *sp;
      sp--;
      NEXT;
   J:
   E:
   H:;
#else
      for (;;)
         switch (*pc++) {
         case PUSH:
            *++sp = (int8_t)*pc++;
            break;
         case ADD:
            sp[-1] += *sp;
            sp--;
            break;
         case SUB:
            sp[-1] -= *sp;
            sp--;
            break;
         case XOR:
            sp[-1] ^= *sp;
            sp--;
            break;
         case DUP:
            sp[1] = *sp;
            sp++;
            break;
         case DROP:
            sp--;
            break;
         case MUL:
            sp[-1] *= *sp;
            sp--;
            break;
         default:
            goto out;
         }
   out:;
#endif
      r += *sp;
   }
   KEEP(r);
}
#elif defined(FIB)   /* 1 recursion, 2 loop inside the same count of results */
static NI int fib(int n)
{
   return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
void setup(void) {}
void bench(void)
{
   int r = fib(23);
   KEEP(r);
}
#elif defined(TOKEN) /* tokenizer of a JSON-like text: 1 chains of if, 2 table \
                        of classes */
static char tx[40000];
static uint8_t cl[256];
void setup(void)
{
   int n = 0;
   while (n < 39900) {
      switch (rnd() % 5) {
      case 0:
         tx[n++] = '"';
         for (int k = rnd() % 12; k >= 0; k--)
            tx[n++] = 'a' + rnd() % 26;
         tx[n++] = '"';
         break;
      case 1:
         for (int k = rnd() % 6; k >= 0; k--)
            tx[n++] = '0' + rnd() % 10;
         break;
      case 2:
         tx[n++] = '{';
         break;
      case 3:
         tx[n++] = '}';
         break;
      default:
         tx[n++] = ',';
         tx[n++] = ' ';
      }
   }
   tx[n] = 0;
   for (int i = 0; i < 256; i++)
      cl[i] = i >= 'a' && i <= 'z'   ? 1
              : i >= '0' && i <= '9' ? 2
              : i == ' '             ? 3
              : i == '"'             ? 4
              : i                    ? 5
                                     : 0;
}
void bench(void)
{
   int64_t num = 0, st = 0, pu = 0;
   for (int r = 0; r < 6; r++) {
      const char* p = tx;
#if TOKEN == 1
      while (*p) {
         if (*p == '"') {
            p++;
            while (*p != '"')
               p++;
            p++;
            st++;
         } else if (*p >= '0' && *p <= '9') {
            int v = 0;
            while (*p >= '0' && *p <= '9')
               v = v * 10 + *p++ - '0';
            num += v;
         } else if (*p == ' ')
            p++;
         else {
            pu++;
            p++;
         }
      }
#else
      for (;;) {
         int c = cl[(uint8_t)*p];
         if (!c) break;
         if (c == 4) {
            p++;
            while (cl[(uint8_t)*p] != 4)
               p++;
            p++;
            st++;
         } else if (c == 2) {
            int v = 0;
            do
               v = v * 10 + *p++ - '0';
            while (cl[(uint8_t)*p] == 2);
            num += v;
         } else {
            pu += c == 5;
            p++;
         }
      }
#endif
   }
   KEEP(num);
   KEEP(st);
   KEEP(pu);
}
#elif defined(LEV)
static char a[300], b[300];
void setup(void)
{
   for (int i = 0; i < 300; i++)
      a[i] = 'a' + rnd() % 4, b[i] = 'a' + rnd() % 4;
}
void bench(void)
{
   for (int r = 0; r < 5; r++) {
      int row[301];
      for (int j = 0; j <= 300; j++)
         row[j] = j;
      for (int i = 1; i <= 300; i++) {
         int dg = row[0];
         row[0] = i;
         for (int j = 1; j <= 300; j++) {
            int x = dg + (a[i - 1] != b[j - 1]), y = row[j] + 1,
                z = row[j - 1] + 1;
            dg = row[j];
            int m = x < y ? x : y;
            row[j] = m < z ? m : z;
         }
      }
      KEEP(row);
   }
}
#elif defined(LIFE)
#define N 96
static uint8_t g[2][N + 2][N + 2], g0[N + 2][N + 2];
void setup(void)
{
   for (int i = 1; i <= N; i++)
      for (int j = 1; j <= N; j++)
         g0[i][j] = rnd() & 1;
}
void bench(void)
{
   memcpy(g[0], g0, sizeof g0);
   for (int t = 0; t < 8; t++) {
      uint8_t(*s)[N + 2] = g[t & 1], (*d)[N + 2] = g[~t & 1];
      for (int i = 1; i <= N; i++)
         for (int j = 1; j <= N; j++) {
            int n = s[i - 1][j - 1] + s[i - 1][j] + s[i - 1][j + 1] +
                    s[i][j - 1] + s[i][j + 1] + s[i + 1][j - 1] + s[i + 1][j] +
                    s[i + 1][j + 1];
            d[i][j] = n == 3 || (n == 2 && s[i][j]);
         }
      KEEP(g);
   }
}
#elif defined(PRINTF)
static char buf[64];
void setup(void) {}
void bench(void)
{
   for (int i = 0; i < 5000; i++) {
      snprintf(buf, sizeof buf, "%d:%s:%x", i * 7919, "abc", i);
      KEEP(buf);
   }
}
#elif defined(LZ) /* greedy LZ77 with a hash of 3 bytes on a text */
static uint8_t t[60000];
static int hd[4096];
void setup(void)
{
   static const char* w[8] = {"the ",   "quick ", "brown ", "fox ",
                              "jumps ", "over ",  "lazy ",  "dog "};
   int n = 0;
   while (n < 59900) {
      const char* s = w[rnd() & 7];
      while (*s)
         t[n++] = *s++;
      if (!(rnd() & 7)) t[n++] = rnd();
   }
}
void bench(void)
{
   memset(hd, 0, sizeof hd);
   int out = 0;
   for (int i = 1; i < 59000;) {
      uint32_t h = (t[i] | t[i + 1] << 8 | t[i + 2] << 16) * 2654435761u >> 20;
      int c = hd[h];
      hd[h] = i;
      int l = 0;
      if (c)
         while (l < 255 && t[c + l] == t[i + l])
            l++;
      if (l > 3)
         i += l;
      else
         i++;
      out++;
   }
   KEEP(out);
}
#endif
