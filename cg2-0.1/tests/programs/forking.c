/* fork inside region, which main calls once: before it, region calls `before`
   4 times; after it, the parent calls `in_parent` 3 times, the child `in_child`
   5 times, and both call `common` 2 times. After region main calls `common`
   once more. */

#include "counted.h"
#include <sys/wait.h>
#include <unistd.h>

static volatile long state;

COUNTED void before(void)
{
   state++;
}

COUNTED void in_parent(void)
{
   state++;
}

COUNTED void in_child(void)
{
   state++;
}

COUNTED void common(void)
{
   state++;
}

COUNTED pid_t region(void)
{
   for (int i = 0; i < 4; i++)
      before();
   pid_t child = fork();
   if (child == 0)
      for (int i = 0; i < 5; i++)
         in_child();
   else
      for (int i = 0; i < 3; i++)
         in_parent();
   for (int i = 0; i < 2; i++)
      common();
   return child;
}

int main(void)
{
   pid_t child = region();
   common();
   int status = 0;
   if (child != 0 && (waitpid(child, &status, 0) != child || status != 0))
      return 1;
   return state == (child ? 10 : 12) ? 0 : 1;
}
