/* Where the strings of the environment end on the stack, by 4: the address of the last byte that is 0. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

extern char** environ;

int main(void)
{
   const char* end = 0;
   for (char** each = environ; *each; each++)
      if (end < *each + strlen(*each)) end = *each + strlen(*each);
   printf("%d\n", (int)((uintptr_t)end % 4));
   return 0;
}
