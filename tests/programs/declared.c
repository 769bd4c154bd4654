/* A function whose first three instructions are inlined from a header: at -O2 it
   is those, a store and the return. main calls it 7 times. */

#include "declared.h"

static volatile int state;

__attribute__((noinline)) void declared(void) /* here */
{
   three_nops();
   state = 1;
}

int main(void)
{
   for (int i = 0; i < 7; i++)
      declared();
   return 0;
}
