/* A static program that calls memset, which libc chooses when the program
   starts: fill calls it 5 times, fill_again 7 times. */

#include "counted.h"
#include <string.h>

static char area[300];

COUNTED void fill(int n)
{
   for (int i = 0; i < n; i++)
      memset(area, i, sizeof area - (size_t)n);
}

COUNTED void fill_again(int n)
{
   for (int i = 0; i < n; i++)
      memset(area, i, sizeof area - (size_t)n);
}

int main(void)
{
   fill(5);
   fill_again(7);
   return area[0] == 6 && area[294] == 4 ? 0 : 1;
}
