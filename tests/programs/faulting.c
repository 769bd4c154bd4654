/* A fault in front of a conditional branch, in the same block: `look` is called
   5 times with a good pointer, and 3 times with a bad one, of which the handler
   leaves by siglongjmp. */

#include "counted.h"
#include <setjmp.h>
#include <signal.h>

static volatile long seen;
static sigjmp_buf away;

COUNTED void leave(int signal)
{
   (void)signal;
   siglongjmp(away, 1);
}

COUNTED void look(volatile char* at)
{
   if (*at) seen++;
}

COUNTED void look_away(void)
{
   volatile char* nowhere = (volatile char*)16;
   OPAQUE(nowhere);
   if (!sigsetjmp(away, 1)) look(nowhere);
}

int main(void)
{
   char something = 1;
   signal(SIGSEGV, leave);
   for (int i = 0; i < 5; i++)
      look(&something);
   for (int i = 0; i < 3; i++)
      look_away();
   return seen == 5 ? 0 : 1;
}
