/* Calls work 4 times; before the second time it renames the directory of the
   first argument to that of the second, before the fourth time back. */

#include "counted.h"
#include <stdio.h>

static volatile long state;

COUNTED void work(void)
{
   state++;
}

int main(int argc, char** argv)
{
   if (argc != 3) return 2;
   work();
   if (rename(argv[1], argv[2]) != 0) return 1;
   work();
   work();
   if (rename(argv[2], argv[1]) != 0) return 1;
   work();
   return 0;
}
