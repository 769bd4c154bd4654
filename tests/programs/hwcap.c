/* Prints what the kernel tells a program of the processor, and counts by an
 * atomic addition, for which libgcc chooses the code by that. */
#include <stdio.h>
#include <sys/auxv.h>

static int count;

int main(void)
{
   for (int i = 0; i < 100; i++)
      __atomic_fetch_add(&count, 1, __ATOMIC_ACQ_REL);
   printf("%lx %lx %d\n", getauxval(AT_HWCAP), getauxval(AT_HWCAP2), count);
   return 0;
}
