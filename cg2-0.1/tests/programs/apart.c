/* A function that is called by several, through one that may be skipped, by itself, and by jumps. */

#include "counted.h"

static volatile int n;

COUNTED static void leaf(void)
{
   n++;
}

COUNTED static void middle(void)
{
   leaf();
   leaf();
   n++;
}

COUNTED static void left(void)
{
   middle();
   n++;
}

COUNTED static void right(void)
{
   middle();
   leaf();
   n++;
}

COUNTED static void again(int depth)
{
   leaf();
   if (depth) again(depth - 1);
   n++;
}

int main(void)
{
   left();
   right();
   right();
   again(4);
   return 0;
}
