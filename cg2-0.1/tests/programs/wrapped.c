/* A function that is wrapped as valgrind.h allows: calls go to the wrapper, which
   calls the original without being redirected again.  */

#include <stdio.h>
#include <valgrind/valgrind.h>

__attribute__((noinline)) int twice(int n)
{
   __asm__ volatile("");
   return 2 * n;
}

__attribute__((noinline)) int I_WRAP_SONAME_FNNAME_ZZ(NONE, twice)(int n)
{
   OrigFn original;
   int result;
   VALGRIND_GET_ORIG_FN(original);
   CALL_FN_W_W(result, original, n);
   return result + 1;
}

int main(void)
{
   int sum = 0;
   for (int i = 0; i < 50; i++)
      sum += twice(i);
   printf("%d\n", sum);
   return 0;
}
