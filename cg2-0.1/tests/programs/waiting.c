/* Waits twice until a file exists in its directory, so that somebody can ask
   meanwhile: calls work 3 times, says "one" and waits for the file `one`, calls
   work 5 times, says "two" and waits for the file `two`, calls work 7 times. */

#include "counted.h"
#include <stdio.h>
#include <unistd.h>

static volatile long state;

COUNTED void work(void)
{
   state++;
}

COUNTED void works(int n)
{
   for (int i = 0; i < n; i++)
      work();
}

COUNTED void wait_for(const char* file)
{
   puts(file);
   fflush(stdout);
   while (access(file, F_OK) != 0)
      usleep(500);
}

int main(void)
{
   works(3);
   wait_for("one");
   works(5);
   wait_for("two");
   works(7);
   return 0;
}
