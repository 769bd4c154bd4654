/* Makes the profile that it writes parts to, its argument, nearly 4 GiB large; most of that is a hole. */
#include <unistd.h>
#include <valgrind/callgrind.h>

int main(int argc, char** argv)
{
   CALLGRIND_DUMP_STATS;
   if (truncate(argv[argc - 1], (1LL << 32) - 1)) return 1;
   CALLGRIND_DUMP_STATS;
   CALLGRIND_DUMP_STATS;
   return 0;
}
