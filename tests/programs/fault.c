/* A signal in the middle of a block.

   - touch, called 6 times, reads a page that may not be read; the handler
     on_segv calls in_segv, which opens it, and the instruction runs again.
   - illegal, called 3 times by survive, runs into an illegal instruction; its handler on_ill
     leaves by siglongjmp. */

#define _GNU_SOURCE
#include "counted.h"
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

static volatile long state;
static char* page;
static sigjmp_buf place;

COUNTED void in_segv(void)
{
   mprotect(page, 4096, PROT_READ);
}

COUNTED void on_segv(int signal)
{
   (void)signal;
   state++;
   in_segv();
}

COUNTED void on_ill(int signal)
{
   (void)signal;
   siglongjmp(place, 1);
}

COUNTED int touch(volatile char* p)
{
   return *p + 1;
}

COUNTED void illegal(void)
{
   state++;
   ILLEGAL();
}

COUNTED void survive(void)
{
   if (sigsetjmp(place, 1) == 0) illegal();
   state++;
}

int main(void)
{
   struct sigaction segv = {.sa_handler = on_segv};
   struct sigaction ill = {.sa_handler = on_ill};
   sigaction(SIGSEGV, &segv, 0);
   sigaction(SIGILL, &ill, 0);
   page =
      mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   int sum = 0;
   for (int i = 0; i < 6; i++) {
      mprotect(page, 4096, PROT_NONE);
      sum += touch(page);
   }
   for (int i = 0; i < 3; i++)
      survive();
   return sum == 6 && state == 12 ? 0 : 1;
}
