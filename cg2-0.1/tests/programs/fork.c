/* fork: before it, main calls `before` 7 times; after it, the parent calls
   `in_parent` 3 times and `common` 4 times, the child `in_child` 5 times and
   `common` 2 times. */

#include "counted.h"
#include <sys/wait.h>
#include <unistd.h>

static volatile long state;

COUNTED void before(void)
{
   for (int i = 0; i < 1000; i++)
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

int main(void)
{
   for (int i = 0; i < 7; i++)
      before();
   pid_t child = fork();
   if (child == 0) {
      for (int i = 0; i < 5; i++)
         in_child();
      for (int i = 0; i < 2; i++)
         common();
      return state == 7007 ? 0 : 1;
   }
   for (int i = 0; i < 3; i++)
      in_parent();
   for (int i = 0; i < 4; i++)
      common();
   int status;
   return waitpid(child, &status, 0) == child && status == 0 && state == 7007
             ? 0
             : 1;
}
