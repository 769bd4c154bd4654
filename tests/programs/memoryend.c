/* Calls on ever new paths, which the tool keeps, in rounds, under a limit of
   address space that is MEGABYTES above what the process has at its start:
   `memoryend MEGABYTES FILE`. With FILE it ends once that file exists, else
   only when it is ended. Prints how many rounds it has begun. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { DEPTH = 40, CALLS = 100 };

static volatile unsigned counted;

int first(int depth, unsigned way);
int second(int depth, unsigned way);
int third(int depth, unsigned way);

static unsigned turned(unsigned way)
{
   return way * 1103515245u + 12345u;
}

#define BODY(name)                                                             \
   int name(int depth, unsigned way)                                           \
   {                                                                           \
      counted++;                                                               \
      if (!depth) return 1;                                                    \
      way = turned(way);                                                       \
      switch ((way >> 16) % 3) {                                               \
      case 0:                                                                  \
         return first(depth - 1, way) + 1;                                     \
      case 1:                                                                  \
         return second(depth - 1, way) + 1;                                    \
      default:                                                                 \
         return third(depth - 1, way) + 1;                                     \
      }                                                                        \
   }

BODY(first)
BODY(second)
BODY(third)

void go_round(unsigned n)
{
   for (unsigned i = 0; i < CALLS; i++)
      first(DEPTH, (n * CALLS + i) * 2654435761u);
}

/* Bytes of the address space that the process has, Valgrind's included: a
 * relative limit needs the real number. */
static unsigned long used(void)
{
   unsigned long pages = 0;
   FILE* file = fopen("/proc/self/statm", "r");
   if (!file || fscanf(file, "%lu", &pages) != 1) exit(2);
   fclose(file);
   return pages * sysconf(_SC_PAGESIZE);
}

int main(int argc, char** argv)
{
   if (argc < 2) return 2;
   unsigned long limit = used() + strtoul(argv[1], NULL, 10) * 1024 * 1024;
   struct rlimit room = {limit, limit};
   if (setrlimit(RLIMIT_AS, &room) != 0) return 2;
   for (unsigned n = 1;; n++) {
      char line[16];
      int length = snprintf(line, sizeof line, "%u\n", n);
      if (write(1, line, length) != length) return 2;
      go_round(n);
      if (argc > 2 && access(argv[2], F_OK) == 0) return 0;
   }
}
