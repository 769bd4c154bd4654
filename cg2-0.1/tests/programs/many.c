/* 4,096 functions, each called through the same call site in `dispatch`:
   function i (i mod 7) + 1 times in all, in rounds; each calls `common` once
   from its own call site. */

#include "counted.h"

static volatile long state;

COUNTED void common(long x)
{
   state += x;
}

// clang-format off
#define F(n) COUNTED void f##n(void) { common(n % 10); state++; }
#define F16(n) \
   F(n##0) F(n##1) F(n##2) F(n##3) F(n##4) F(n##5) F(n##6) F(n##7) \
   F(n##8) F(n##9) F(n##a) F(n##b) F(n##c) F(n##d) F(n##e) F(n##f)
#define F256(n) \
   F16(n##0) F16(n##1) F16(n##2) F16(n##3) F16(n##4) F16(n##5) F16(n##6) \
   F16(n##7) F16(n##8) F16(n##9) F16(n##a) F16(n##b) F16(n##c) F16(n##d) \
   F16(n##e) F16(n##f)
#define ALL \
   F256(0x0) F256(0x1) F256(0x2) F256(0x3) F256(0x4) F256(0x5) F256(0x6) \
   F256(0x7) F256(0x8) F256(0x9) F256(0xa) F256(0xb) F256(0xc) F256(0xd) \
   F256(0xe) F256(0xf)

ALL

#undef F
#define F(n) f##n,
static void (*const functions[])(void) = { ALL };
// clang-format on

COUNTED void dispatch(int i)
{
   functions[i]();
   state++;
}

int main(void)
{
   int n = sizeof functions / sizeof functions[0];
   for (int round = 0; round < 7; round++)
      for (int i = 0; i < n; i++)
         if (i % 7 >= round) dispatch(i);
   return n == 4096 ? 0 : 1;
}
