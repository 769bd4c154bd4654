/* num.c: numeric loops. K chooses. */
#include "bench.h"
#include <math.h>
#if defined(GEMM) /* GEMM=1 ijk, 2 ikj, 3 blocked ikj; N */
#ifndef N
#define N 120
#endif
static double A[N][N], B[N][N], C[N][N];
void setup(void)
{
   for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
         A[i][j] = i + j * .5, B[i][j] = i - j * .25;
}
void bench(void)
{
#if GEMM == 1
   for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
         double s = 0;
         for (int k = 0; k < N; k++)
            s += A[i][k] * B[k][j];
         C[i][j] = s;
      }
#elif GEMM == 2
   memset(C, 0, sizeof C);
   for (int i = 0; i < N; i++)
      for (int k = 0; k < N; k++) {
         double a = A[i][k];
         for (int j = 0; j < N; j++)
            C[i][j] += a * B[k][j];
      }
#else
   memset(C, 0, sizeof C);
   for (int kk = 0; kk < N; kk += 40)
      for (int jj = 0; jj < N; jj += 40)
         for (int i = 0; i < N; i++)
            for (int k = kk; k < kk + 40; k++) {
               double a = A[i][k];
               for (int j = jj; j < jj + 40; j++)
                  C[i][j] += a * B[k][j];
            }
#endif
   KEEP(C);
}
#elif defined(JACOBI)
#define N 300
static double A[N][N], B[N][N];
void setup(void)
{
   for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
         A[i][j] = B[i][j] = i + j * .5;
}
void bench(void)
{
   for (int t = 0; t < 4; t++) {
      for (int i = 1; i < N - 1; i++)
         for (int j = 1; j < N - 1; j++)
            B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] +
                             A[i - 1][j]);
      memcpy(A, B, sizeof A);
   }
   KEEP(A);
}
#elif defined(SEIDEL)
#define N 200
static double A[N][N];
void setup(void)
{
   for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
         A[i][j] = i + j * .5;
}
void bench(void)
{
   for (int t = 0; t < 3; t++)
      for (int i = 1; i < N - 1; i++)
         for (int j = 1; j < N - 1; j++)
            A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] +
                       A[i][j - 1] + A[i][j] + A[i][j + 1] + A[i + 1][j - 1] +
                       A[i + 1][j] + A[i + 1][j + 1]) /
                      9.0;
   KEEP(A);
}
#elif defined(CHOL)
#define N 160
static double A[N][N], S[N][N];
void setup(void)
{
   for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
         S[i][j] = i == j ? 2 * N : 1.0 / (1 + i + j);
}
void bench(void)
{
   memcpy(A, S, sizeof A);
   for (int i = 0; i < N; i++) {
      for (int j = 0; j < i; j++) {
         for (int k = 0; k < j; k++)
            A[i][j] -= A[i][k] * A[j][k];
         A[i][j] /= A[j][j];
      }
      for (int k = 0; k < i; k++)
         A[i][i] -= A[i][k] * A[i][k];
      A[i][i] = sqrt(A[i][i]);
   }
   KEEP(A);
}
#elif defined(DAXPY) /* N elements, REP times; UNR manual unrolling */
static double *x, *y;
void setup(void)
{
   x = big(N * 8);
   y = big(N * 8);
   for (int i = 0; i < N; i++)
      x[i] = i, y[i] = 1;
}
void bench(void)
{
   for (int r = 0; r < REP; r++) {
      double a = 1.0001;
      double* restrict X = x, * restrict Y = y;
#if DAXPY == 4
      for (int i = 0; i < N; i += 4) {
         Y[i] += a * X[i];
         Y[i + 1] += a * X[i + 1];
         Y[i + 2] += a * X[i + 2];
         Y[i + 3] += a * X[i + 3];
      }
#else
      for (int i = 0; i < N; i++)
         Y[i] += a * X[i];
#endif
      KEEP(Y);
   }
}
#elif defined(SUMD) /* sum of N doubles with SUMD accumulators */
#ifndef N
#define N 2048
#endif
static double x[N];
void setup(void)
{
   for (int i = 0; i < N; i++)
      x[i] = i;
}
void bench(void)
{
   double t = 0;
   for (int r = 0; r < 600; r++) {
      double s[SUMD] = {0};
      for (int i = 0; i < N; i += SUMD) {
#if SUMD == 1
         s[0] += x[i];
#elif SUMD == 2
         s[0] += x[i];
         s[1] += x[i + 1];
#elif SUMD == 4
         s[0] += x[i];
         s[1] += x[i + 1];
         s[2] += x[i + 2];
         s[3] += x[i + 3];
#else
         s[0] += x[i];
         s[1] += x[i + 1];
         s[2] += x[i + 2];
         s[3] += x[i + 3];
         s[4] += x[i + 4];
         s[5] += x[i + 5];
         s[6] += x[i + 6];
         s[7] += x[i + 7];
#endif
      }
      for (int k = 0; k < SUMD; k++)
         t += s[k];
      KEEP(x);
   }
   KEEP(t);
}
#elif defined(PREFIX)
static int a[8192], b[8192];
void setup(void)
{
   for (int i = 0; i < 8192; i++)
      a[i] = rnd() & 255;
}
void bench(void)
{
   for (int r = 0; r < 300; r++) {
#if PREFIX == 1
      int s = 0;
      for (int i = 0; i < 8192; i++) {
         s += a[i];
         b[i] = s;
      }
#else /* through memory */
      b[0] = a[0];
      for (int i = 1; i < 8192; i++) {
         b[i] = *(volatile int*)&b[i - 1] + a[i];
      }
#endif
      KEEP(b);
   }
}
#elif defined(FLOYD)
#define N 100
static int D[N][N], S[N][N];
void setup(void)
{
   for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
         S[i][j] = 1 + (rnd() & 1023);
}
void bench(void)
{
   memcpy(D, S, sizeof D);
   for (int k = 0; k < N; k++)
      for (int i = 0; i < N; i++)
         for (int j = 0; j < N; j++) {
            int d = D[i][k] + D[k][j];
            if (d < D[i][j]) D[i][j] = d;
         }
   KEEP(D);
}
#elif defined(NBODY)
#define N 64
static struct {
   double x, y, z, vx, vy, vz, m;
} b[N];
void setup(void)
{
   for (int i = 0; i < N; i++)
      b[i].x = rnd() % 1000, b[i].y = rnd() % 1000, b[i].z = rnd() % 1000,
      b[i].m = 1;
}
void bench(void)
{
   for (int t = 0; t < 60; t++) {
      for (int i = 0; i < N; i++)
         for (int j = i + 1; j < N; j++) {
            double dx = b[i].x - b[j].x, dy = b[i].y - b[j].y,
                   dz = b[i].z - b[j].z, d2 = dx * dx + dy * dy + dz * dz + .01,
                   m = .001 / (d2 * sqrt(d2));
            b[i].vx -= dx * b[j].m * m;
            b[i].vy -= dy * b[j].m * m;
            b[i].vz -= dz * b[j].m * m;
            b[j].vx += dx * b[i].m * m;
            b[j].vy += dy * b[i].m * m;
            b[j].vz += dz * b[i].m * m;
         }
      for (int i = 0; i < N; i++)
         b[i].x += .001 * b[i].vx, b[i].y += .001 * b[i].vy,
            b[i].z += .001 * b[i].vz;
   }
   KEEP(b);
}
#elif defined(LIBM) /* 1 exp independent, 2 sin, 3 log chain, 4 pow */
static double x[1024];
void setup(void)
{
   for (int i = 0; i < 1024; i++)
      x[i] = 1 + (rnd() % 1000) / 500.0;
}
void bench(void)
{
   double s = 0;
   for (int r = 0; r < 60; r++)
      for (int i = 0; i < 1024; i++)
#if LIBM == 1
         s += exp(x[i]);
#elif LIBM == 2
         s += sin(x[i]);
#elif LIBM == 3
         s = log(s + x[i]);
#else
         s += pow(x[i], 1.7);
#endif
   KEEP(s);
}
#elif defined(SQRTCH)
static double v = 123456.0;
void setup(void) {}
void bench(void)
{
   double s = v;
   for (int i = 0; i < 150000; i++)
      s = sqrt(s + 2.0);
   KEEP(s);
}
#elif defined(FDIV) /* 1 chain, 2 independent divisions, 3 multiplication by   \
                       reciprocal */
static double x[1024], y[1024];
static volatile double d = 1.000001;
void setup(void)
{
   for (int i = 0; i < 1024; i++)
      x[i] = i + 1;
}
void bench(void)
{
#if FDIV == 1
   double s = 1e300, q = d;
   for (int i = 0; i < 200000; i++)
      s = s / q;
   KEEP(s);
#else
   for (int r = 0; r < 500; r++) {
      double q = d;
#if FDIV == 3
      q = 1 / q;
      for (int i = 0; i < 1024; i++)
         y[i] = x[i] * q;
#else
      for (int i = 0; i < 1024; i++)
         y[i] = x[i] / q;
#endif
      KEEP(y);
   }
#endif
}
#elif defined(                                                                 \
   IDIV) /* 1: 64-bit chain, 2: 32-bit independent, 3: by a constant, 4: by    \
            shift after power-of-two check, 5: 64-bit mod chain */
static uint32_t x[1024], y[1024];
static volatile uint64_t d = 7;
void setup(void)
{
   for (int i = 0; i < 1024; i++)
      x[i] = rnd();
}
void bench(void)
{
#if IDIV == 1
   uint64_t s = 0, q = d;
   for (int i = 0; i < 200000; i++)
      s = (s + 0x123456789abcdefull) / q;
   KEEP(s);
#elif IDIV == 5
   uint64_t s = 1, q = d + 1000000;
   for (int i = 0; i < 200000; i++)
      s = (s * 48271 + 11) % q;
   KEEP(s);
#else
   for (int r = 0; r < 500; r++) {
      uint32_t q = d;
      for (int i = 0; i < 1024; i++)
#if IDIV == 2
         y[i] = x[i] / q;
#else
         y[i] = x[i] / 7;
#endif
      KEEP(y);
   }
#endif
}
#elif defined(MANDEL)
static int o[64 * 64];
void setup(void) {}
void bench(void)
{
   for (int py = 0; py < 64; py++)
      for (int px = 0; px < 64; px++) {
         double cx = px / 32.0 - 1.5, cy = py / 32.0 - 1, x = 0, y = 0;
         int i = 0;
         while (i < 200 && x * x + y * y < 4) {
            double t = x * x - y * y + cx;
            y = 2 * x * y + cy;
            x = t;
            i++;
         }
         o[py * 64 + px] = i;
      }
   KEEP(o);
}
#elif defined(HORNER) /* 1 Horner (chain), 2 Estrin (parallel) */
static double x[1024], y[1024];
void setup(void)
{
   for (int i = 0; i < 1024; i++)
      x[i] = i / 1024.0;
}
static inline double p1(double x)
{
   double r = .1;
   r = r * x + .2;
   r = r * x + .3;
   r = r * x + .4;
   r = r * x + .5;
   r = r * x + .6;
   r = r * x + .7;
   r = r * x + .8;
   return r;
}
static inline double p2(double x)
{
   double x2 = x * x, x4 = x2 * x2;
   return (.8 + .7 * x) + (.6 + .5 * x) * x2 +
          ((.4 + .3 * x) + (.2 + .1 * x) * x2) * x4;
}
void bench(void)
{
   double s = 0;
   for (int i = 0; i < 80000; i++) {
      s = HORNER == 1 ? p1(s * .5) : p2(s * .5);
   }
   KEEP(s);
}
#elif defined(CONV)
#define N 256
static uint8_t a[N + 2][N + 2];
static int o[N][N];
void setup(void)
{
   for (int i = 0; i < N + 2; i++)
      for (int j = 0; j < N + 2; j++)
         a[i][j] = rnd();
}
void bench(void)
{
   for (int t = 0; t < 6; t++) {
      for (int i = 0; i < N; i++)
         for (int j = 0; j < N; j++)
            o[i][j] = a[i][j] + 2 * a[i][j + 1] + a[i][j + 2] +
                      2 * a[i + 1][j] + 4 * a[i + 1][j + 1] +
                      2 * a[i + 1][j + 2] + a[i + 2][j] + 2 * a[i + 2][j + 1] +
                      a[i + 2][j + 2];
      KEEP(o);
   }
}
#elif defined(TRANSP) /* 1 row order of reads, column of writes; 2 blocked */
#define N 512
static float *a, *b;
void setup(void)
{
   a = big(N * N * 4);
   b = big(N * N * 4);
}
void bench(void)
{
   for (int t = 0; t < 3; t++) {
#if TRANSP == 1
      for (int i = 0; i < N; i++)
         for (int j = 0; j < N; j++)
            b[j * N + i] = a[i * N + j];
#else
      for (int ii = 0; ii < N; ii += 16)
         for (int jj = 0; jj < N; jj += 16)
            for (int i = ii; i < ii + 16; i++)
               for (int j = jj; j < jj + 16; j++)
                  b[j * N + i] = a[i * N + j];
#endif
      KEEP(b);
   }
}
#elif defined(COLSUM) /* 1 column by column (stride), 2 row by row */
#define N 1024
static int* a;
static int c[N];
void setup(void)
{
   a = big(N * N * 4);
}
void bench(void)
{
#if COLSUM == 1
   for (int j = 0; j < N; j++) {
      int s = 0;
      for (int i = 0; i < N; i++)
         s += a[i * N + j];
      c[j] = s;
   }
#else
   memset(c, 0, sizeof c);
   for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
         c[j] += a[i * N + j];
#endif
   KEEP(c);
}
#elif defined(LAYOUT) /* sum of one field: 1 array of structures of 64 bytes,  \
                         2 structure of arrays */
#define N 40000
static struct {
   double f[8];
} * s;
static double* x;
void setup(void)
{
   s = big(N * 64);
   x = big(N * 8);
}
void bench(void)
{
   double t = 0;
   for (int r = 0; r < 12; r++) {
#if LAYOUT == 1
      for (int i = 0; i < N; i++) {
         s[i].f[3] = s[i].f[3] * 1.01 + .5;
      }
      KEEP(s);
#else
      for (int i = 0; i < N; i++) {
         x[i] = x[i] * 1.01 + .5;
      }
      KEEP(x);
#endif
   }
   KEEP(t);
}
#elif defined(DOT) /* 1 int dot 1 accumulator no vector, 2 vector by flags, 3: \
                      float with -ffast-math by flags */
static float x[4096], y[4096];
static int u[4096], v[4096];
void setup(void)
{
   for (int i = 0; i < 4096; i++)
      x[i] = y[i] = i, u[i] = v[i] = i;
}
void bench(void)
{
   for (int r = 0; r < 300; r++) {
#if DOT == 1
      int s = 0;
      for (int i = 0; i < 4096; i++)
         s += u[i] * v[i];
#else
      float s = 0;
      for (int i = 0; i < 4096; i++)
         s += x[i] * y[i];
#endif
      KEEP(s);
   }
}
#endif
