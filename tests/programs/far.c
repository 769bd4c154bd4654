/* A program whose functions lie far apart: the dynamic linker is loaded between
   them. main calls near 10 times, which calls far, and leap, which goes on to
   far; far_down calls itself 5 times. */

#include "counted.h"

#define FAR __attribute__((section("farcode"))) COUNTED

FAR int far(int x)
{
   return x * 3;
}

FAR int far_down(int x)
{
   return x ? far_down(x - 1) + 1 : 0;
}

COUNTED int near(int x)
{
   return far(x) + 1;
}

COUNTED int leap(int x)
{
   return far(x + 1);
}

int main(void)
{
   int sum = far_down(5);
   for (int i = 0; i < 10; i++)
      sum += near(i) + leap(i);
   return sum == 0;
}
