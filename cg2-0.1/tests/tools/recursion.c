/* Calls whose numbers follow from the text: loops of known length, a
 * recursion, two functions that call each other, and inlined code. */

static inline __attribute__((always_inline)) int square(int x)
{
   int sum = 0;
   for (int i = 0; i < x; i++)
      sum += x;
   return sum;
}

__attribute__((noinline)) int leaf(int n)
{
   return square(n) + 1;
}

__attribute__((noinline)) int fact(int n)
{
   if (n <= 1)
      return 1;
   return n * fact(n - 1) + leaf(n);
}

int odd(int n);

__attribute__((noinline)) int even(int n)
{
   return n ? odd(n - 1) + 1 : leaf(9);
}

__attribute__((noinline)) int odd(int n)
{
   return n ? even(n - 1) + 2 : 0;
}

int main(void)
{
   int sum = 0;
   for (int i = 0; i < 3; i++)
      sum += fact(6) + even(20);
   sum += even(7) + odd(5);
   return sum == 0;
}
