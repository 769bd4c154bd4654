/* Is replaced by itself, once, by a descriptor: of the program (fexec file), or
   of the directory that it is in (fexec directory). Before that, one that is
   not there is tried. */

#include "counted.h"

#include <fcntl.h>
#include <libgen.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile int n;

COUNTED static void once(void)
{
   n++;
}

int main(int argc, char** argv, char** environment)
{
   char* next[] = {argv[0], NULL};
   char path[4096];
   strncpy(path, argv[0], sizeof path - 1);
   once();
   if (argc == 1) return 0;
   once();
   int directory = open(dirname(path), O_RDONLY | O_DIRECTORY);
   syscall(SYS_execveat, directory, "no such program", next, environment, 0);
   once();
   if (strcmp(argv[1], "directory") == 0) {
      strncpy(path, argv[0], sizeof path - 1);
      syscall(SYS_execveat, directory, basename(path), next, environment, 0);
   } else
      fexecve(open(argv[0], O_RDONLY), next, environment);
   return 1;
}
