/* Walks over arrays, and nothing else: no C library, no instruction that
   changes what it reads. Compile with -O1 -static -nostdlib. */

enum { N = 40, LONG = 6000 };

static volatile double a[N][N], b[N][N], c[N][N];
static volatile long from[LONG], to[LONG];

static void fill(void)
{
   for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
         a[i][j] = i + j;
         b[i][j] = i - j;
      }
}

static void multiply(void)
{
   for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
         double sum = 0;
         for (int k = 0; k < N; k++)
            sum += a[i][k] * b[k][j];
         c[i][j] = sum;
      }
}

/* Here and there, in an order without steps. */
static void scatter(void)
{
   unsigned long at = 1;
   for (int i = 0; i < LONG; i++) {
      at = at * 7 % 5987;
      to[at] = from[i];
   }
}

static long sum(void)
{
   long s = 0;
   for (int stride = 1; stride < 40; stride += 3)
      for (int i = 0; i < LONG; i += stride)
         s += to[i];
   return s;
}

void _start(void)
{
   fill();
   multiply();
   scatter();
   long status = sum() & 0;
   __asm__ volatile("syscall" : : "a"(60L), "D"(status) : "memory");
   for (;;)
      ;
}
