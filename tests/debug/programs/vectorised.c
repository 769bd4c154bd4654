/* A function that is inlined into a loop of which compilers make one over
 * vectors. */
#include <stdio.h>

enum { N = 1000 };
static int numbers[N];

static int scaled(int x)
{
   return x * 3 + 1;
}

int main(void)
{
   int sum = 0;
   for (int i = 0; i < N; i++)
      numbers[i] = i ^ (i >> 3);
   for (int i = 0; i < N; i++)
      sum += scaled(numbers[i]);
   printf("%d\n", sum);
   return 0;
}
