/* Functions in functions, which are called by trampolines on the stack. */
static __attribute__((noinline)) int apply(int (*f)(int), int n)
{
   int sum = 0;
   for (int i = 0; i < n; i++)
      sum += f(i);
   return sum;
}

/* Calls `add` three times and `multiply` five times by pointer on each level,
 * at another depth of the stack. */
static __attribute__((noinline)) int outer(int levels)
{
   int base = levels;
   __attribute__((noinline)) int add(int x)
   {
      return x + base;
   }
   __attribute__((noinline)) int multiply(int x)
   {
      return x * base;
   }
   int sum = apply(add, 3) + apply(multiply, 5);
   return levels ? sum + outer(levels - 1) : sum;
}

/* In the same place of the stack as `outer`: another function's trampoline. */
static __attribute__((noinline)) int other(int base)
{
   __attribute__((noinline)) int subtract(int x)
   {
      return x - base;
   }
   return apply(subtract, 2);
}

int main(void)
{
   int sum = 0;
   for (int i = 0; i < 2; i++)
      sum += outer(3) + other(i);
   return sum == 0;
}
