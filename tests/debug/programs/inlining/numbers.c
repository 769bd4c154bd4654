/* Functions that only compute, called more often the deeper they are. */
#include <stdio.h>
#include <stdlib.h>

static int half(int n) { return n / 2; }
static int odd(int n) { return n & 1; }
static int step(int n) { return odd(n) ? 3 * n + 1 : half(n); }
static int length(int n)
{
   int steps = 0;
   for (; n > 1; n = step(n))
      steps++;
   return steps;
}
static int larger(int a, int b) { return a > b ? a : b; }
static int longest(int last)
{
   int most = 0;
   for (int n = 1; n <= last; n++)
      most = larger(most, length(n));
   return most;
}
static int common(int a, int b)
{
   while (b) {
      int rest = a % b;
      a = b;
      b = rest;
   }
   return a;
}
static int is_prime_to(int a, int b) { return common(a, b) == 1; }
static int totient(int n)
{
   int found = 0;
   for (int i = 1; i < n; i++)
      found += is_prime_to(i, n);
   return found;
}

int main(int argc, char** argv)
{
   int last = argc > 1 ? atoi(argv[1]) : 30, sum = longest(last);
   for (int i = 2; i < 12; i++)
      sum += totient(i);
   printf("%d\n", sum);
   return 0;
}
