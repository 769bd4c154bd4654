#include <sys/syscall.h>

__attribute__((noipa)) int parse(int waits)
{
   long result;
   if (waits) /* no function of libc, so parse is the innermost one */
      for (;;)
         __asm__ volatile("syscall" : "=a"(result) : "0"(SYS_pause) : "rcx", "r11", "memory");
   return waits;
}

__attribute__((noipa)) int work(int rounds, int waits)
{
   volatile int sum = 0;
   for (int i = 0; i < rounds; i++)
      sum += i;
   for (int i = 1; i <= 218; i++)
      sum += parse(waits && i == 218);
   return sum;
}
