/* Is replaced by itself: the first argument says how often. A path that is not there, or is no program,
   are tried before; and so is the second argument, if there is one. */

#include "counted.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile int n;

COUNTED static void once(void)
{
   n++;
}

/* Called once more than there are images to come. */
COUNTED static void work(int left)
{
   for (int i = 0; i <= left; i++)
      once();
}

int main(int argc, char** argv)
{
   int left = argc > 1 ? atoi(argv[1]) : 0;
   char next[12];
   work(left);
   if (argc > 2) execl(argv[2], argv[2], (char*)NULL);
   if (left == 0) return 0;
   sprintf(next, "%d", left - 1);
   execl("/nonexistent/program", "program", next, (char*)NULL);
   execl("/dev/null", "null", next, (char*)NULL);
   execl(argv[0], argv[0], next, (char*)NULL);
   return 1;
}
