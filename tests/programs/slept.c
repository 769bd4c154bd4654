#include <stdio.h>
#include <time.h>
#include <unistd.h>
int main()
{
   sleep(10);
   printf("%ld\n", time(0));
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   printf("%ld.%09ld\n", t.tv_sec, t.tv_nsec);
   printf("%ld\n", sysconf(_SC_NPROCESSORS_ONLN));
}
