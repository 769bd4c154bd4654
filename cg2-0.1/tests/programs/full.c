/* For each argument, lets no file become larger than so many bytes (0: of any
   size), as a full disk would, and calls work once. */

#include "counted.h"
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

static volatile long state;

COUNTED void work(void)
{
   state++;
}

static int limit(rlim_t bytes)
{
   struct rlimit now;
   if (getrlimit(RLIMIT_FSIZE, &now) != 0) return -1;
   now.rlim_cur = bytes ? bytes : now.rlim_max;
   return setrlimit(RLIMIT_FSIZE, &now);
}

int main(int argc, char** argv)
{
   signal(SIGXFSZ, SIG_IGN);
   for (int i = 1; i < argc; i++) {
      if (limit(strtoul(argv[i], 0, 10)) != 0) return 1;
      work();
   }
   return 0;
}
