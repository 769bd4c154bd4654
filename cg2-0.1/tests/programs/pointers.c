/* Calls through pointers: one call site that reaches four functions 10, 20, 30
   and 40 times; a function that is called both by name and by pointer; qsort's
   callback, called from libc. */

#include "counted.h"
#include <stdlib.h>

typedef long Operation(long);

COUNTED long op0(long x)
{
   return x + 1;
}
COUNTED long op1(long x)
{
   return x + 2;
}
COUNTED long op2(long x)
{
   return x + 3;
}
COUNTED long op3(long x)
{
   return x + 4;
}

static Operation* const operations[] = {op0, op1, op2, op3};

COUNTED long dispatch(int which, long x)
{
   return operations[which](x) + 1;
}

static int compared;

COUNTED int compare(const void* a, const void* b)
{
   compared++;
   return *(const int*)a - *(const int*)b;
}

COUNTED void visit(int times, void (*callback)(void))
{
   for (int i = 0; i < times; i++)
      callback();
}

static volatile long visited;

COUNTED void count_visit(void)
{
   visited++;
}

int main(void)
{
   long sum = 0;
   for (int i = 0; i < 100; i++)
      sum += dispatch(i % 10 < 1 ? 0 : i % 10 < 3 ? 1 : i % 10 < 6 ? 2 : 3, i);
   sum += op0(sum);
   visit(13, count_visit);
   count_visit();
   int two[2] = {9, 4};
   qsort(two, 2, sizeof two[0], compare);
   return sum == 10701 && visited == 14 && compared == 1 && two[0] == 4 ? 0 : 1;
}
