/* Code that LLVM makes functions of by itself (-Oz -moutline), for processors
   whose calls push nothing: these functions are called with the return address
   of their caller in another register, or jumped to at a caller's end.

   - middle1 to middle3 (by main, 10, 10 and 5 times) have the same middle, and
     no frame.
   - framed1 to framed3 (by main, 5, 4 and 4 times) have the same middle, and
     call leaf in front of it and behind it.
   - ending1 to ending3 (by main, 7, 6 and 2 times) end alike, in a call of
     leaf. */

#define COUNTED __attribute__((noinline))

static volatile long a, b, c, d;

COUNTED long leaf(long x)
{
   a = x;
   return x + 1;
}

#define WORK(x)                                                               \
   a = (x) * 3;                                                               \
   b = (x) ^ 5;                                                               \
   c = (x) + 11;                                                              \
   d = a + b - c

#define MIDDLE(n)                                                             \
   COUNTED long middle##n(long x)                                             \
   {                                                                          \
      WORK(x);                                                                \
      return d + n;                                                           \
   }
MIDDLE(1)
MIDDLE(2)
MIDDLE(3)

#define FRAMED(n)                                                             \
   COUNTED long framed##n(long x)                                             \
   {                                                                          \
      x += leaf(x + n);                                                       \
      WORK(x);                                                                \
      return leaf(x) + n;                                                     \
   }
FRAMED(1)
FRAMED(2)
FRAMED(3)

#define ENDING(n)                                                             \
   COUNTED long ending##n(long x)                                             \
   {                                                                          \
      x += n;                                                                 \
      b = x * x;                                                              \
      c = x ^ 77;                                                             \
      d = x + 5;                                                              \
      return leaf(x * 2);                                                     \
   }
ENDING(1)
ENDING(2)
ENDING(3)

int main(void)
{
   for (int i = 0; i < 10; i++)
      middle1(i), middle2(i);
   for (int i = 0; i < 5; i++)
      middle3(i), framed1(i);
   for (int i = 0; i < 4; i++)
      framed2(i), framed3(i);
   for (int i = 0; i < 6; i++)
      ending1(i), ending2(i);
   ending1(6);
   ending3(0);
   ending3(1);
   return 0;
}
