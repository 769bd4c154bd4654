/* The median of random numbers, by partitions in place. */
#include "bench.h"
enum { N = 40000 };
static int32_t a[N];

void setup(void) {}

void prepare(void)
{
   for (int i = 0; i < N; i++)
      a[i] = (int32_t)rnd();
}

static NI int32_t nth(int32_t* v, int n, int k)
{
   int low = 0, high = n - 1;
   while (low < high) {
      int32_t pivot = v[(low + high) / 2];
      int i = low, j = high;
      while (i <= j) {
         while (v[i] < pivot)
            i++;
         while (v[j] > pivot)
            j--;
         if (i <= j) {
            int32_t t = v[i];
            v[i++] = v[j];
            v[j--] = t;
         }
      }
      if (k <= j)
         high = j;
      else if (k >= i)
         low = i;
      else
         break;
   }
   return v[k];
}

void bench(void)
{
   int32_t sum = 0;
   for (int k = 1; k < 8; k++)
      sum += nth(a + k, N - 8, k * N / 8 - k);
   KEEP(sum);
}
