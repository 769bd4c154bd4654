/* Control that goes every way: branches, a table of jumps, calls of pointers,
 * calls through a PLT, tail calls, recursion, longjmp, repeated instructions, a
 * jump to the next instruction. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline, noclone))

static jmp_buf start;

APART static int leaf(int x)
{
   return x % 3 ? x + 1 : x * 2;
}

APART static int tail(int x)
{
   if (x & 1) return leaf(x);
   return leaf(x + 1) + 1;
}

APART static int choose(int x)
{
   switch (x & 7) {
   case 0: return tail(x);
   case 1: return 7;
   case 2: putchar('.'); return 3;
   case 3: return leaf(9);
   case 4: return 5;
   case 5: return x * x;
   case 6: return x ^ 5;
   default: return abs(putchar('-'));
   }
}

APART static void jump_back(int x)
{
   if (x % 5 == 0) longjmp(start, 1);
}

APART static int fib(int n)
{
   return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static int compare(const void* a, const void* b)
{
   return *(const int*)a - *(const int*)b;
}

static int (*const functions[])(int) = {leaf, tail, choose};

int main(int argc, char** argv)
{
   volatile int n = argc > 1 ? atoi(argv[1]) : 12, sum = 0;
   int numbers[20];
   char bytes[100];
   for (volatile int i = 0; i < n; i++) {
      if (!setjmp(start)) jump_back(i);
      sum += functions[i % 3](i) + choose(i);
      for (int k = 0; k < 20; k++)
         numbers[k] = (k * 7 + i) % 13;
      qsort(numbers, 20, sizeof *numbers, compare);
      sum += numbers[3];
   }
#if defined __x86_64__ || defined __i386__
   void* to = bytes;
   long count = sizeof bytes;
   __asm__ volatile("rep stosb" : "+D"(to), "+c"(count) : "a"(1) : "memory");
   __asm__ volatile("jmp 1f\n1:");
#else
   memset(bytes, 1, sizeof bytes);
#endif
   sum += bytes[5] + fib(10);
   printf("%d\n", sum);
   return 0;
}
