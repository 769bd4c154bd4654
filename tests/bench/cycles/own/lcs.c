/* The longest common subsequence of two texts, by a row of lengths. */
#include "bench.h"
enum { N = 700 };
static char a[N], b[N];
static int row[N + 1];

void setup(void) {}

void prepare(void)
{
   for (int i = 0; i < N; i++) {
      a[i] = (char)('a' + rnd() % 4);
      b[i] = (char)('a' + rnd() % 4);
   }
}

void bench(void)
{
   memset(row, 0, sizeof row);
   for (int i = 0; i < N; i++) {
      int corner = 0;
      for (int j = 0; j < N; j++) {
         int above = row[j + 1];
         int best = above > row[j] ? above : row[j];
         row[j + 1] = a[i] == b[j] ? corner + 1 : best;
         corner = above;
      }
   }
   KEEP(row);
}
