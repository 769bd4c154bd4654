/* The last instruction calls what does not return, in a section of its own. */
#include <stdlib.h>

int used(int n);

__attribute__((noinline)) int used(int n)
{
   if (n > 100000) {
      abort();
   }
   return n + 1;
}
