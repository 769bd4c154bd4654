/* Recursion, direct and mutual: fact(6) calls itself 5 times, even(9) and odd
   call each other 9 times, fib(10) is called 177 times, down(4) calls itself 4
   times, and bottom at each level. */

#include "counted.h"

COUNTED long fact(long n)
{
   return n <= 1 ? 1 : n * fact(n - 1);
}

COUNTED long odd(long n);

COUNTED long even(long n)
{
   return n == 0 ? 1 : 1 - odd(n - 1);
}

COUNTED long odd(long n)
{
   return n == 0 ? 0 : 1 - even(n - 1);
}

COUNTED long fib(long n)
{
   return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

COUNTED long bottom(long n)
{
   return n + 1;
}

/* down(n) calls bottom once at every level: n + 1 calls in all. */
COUNTED long down(long n)
{
   long here = bottom(n);
   return n == 0 ? here : here + down(n - 1);
}

int main(void)
{
   return fact(6) + even(9) + fib(10) + down(4) == 720 + 1 + 55 + 15 ? 0 : 1;
}
