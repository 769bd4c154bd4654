/* "clock cycles" prints cycles of the core a second, by a chain of
 * multiplications of 3 cycles each that takes as long as a short program.
 * "clock additions" prints how many nanoseconds a round of additions took in
 * the median: more, if a thread of another guest has the same core, which a
 * chain would not show. "clock faults" prints the user's seconds of a page
 * fault: what a hypervisor does for one can count as the user's, and take 7
 * microseconds. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

static double now(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int compare(const void* a, const void* b)
{
   double one = *(const double*)a, other = *(const double*)b;
   return (one > other) - (one < other);
}

static double median_of_additions(void)
{
   enum { ROUNDS = 4001 };
   static double took[ROUNDS];
   for (int i = 0; i < ROUNDS; i++) {
      double begun = now();
      for (int k = 0; k < 1000; k++)
         __asm__ volatile("add $1,%%rax\n add $1,%%rcx\n add $1,%%rdx\n"
                          "add $1,%%rsi\n add $1,%%rdi\n add $1,%%r8\n"
                          "add $1,%%r9\n add $1,%%r10\n" ::
                             : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9",
                               "r10");
      took[i] = (now() - begun) * 1e9;
   }
   qsort(took, ROUNDS, sizeof *took, compare);
   return took[ROUNDS / 2];
}

/* The kernel counts time by ticks, so that this is chance unless many means are
 * averaged. */
static double user_seconds_of_a_fault(void)
{
   enum { PAGES = 8192, PAGE = 4096 };
   struct rusage before, after;
   char* pages = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   if (pages == MAP_FAILED) return 0;
   madvise(pages, (size_t)PAGES * PAGE, MADV_NOHUGEPAGE);
   getrusage(RUSAGE_SELF, &before);
   for (int i = 0; i < PAGES; i++)
      ((volatile char*)pages)[(size_t)i * PAGE] = 1;
   getrusage(RUSAGE_SELF, &after);
   long seconds = after.ru_utime.tv_sec - before.ru_utime.tv_sec;
   long microseconds = after.ru_utime.tv_usec - before.ru_utime.tv_usec;
   return ((double)seconds + (double)microseconds * 1e-6) / PAGES;
}

/* By the time that the kernel counts, as a program's: what a hypervisor takes
 * in between counts for both. */
static double cycles_a_second(void)
{
   enum { ROUNDS = 50000 };
   struct timespec from, to;
   uint64_t x = 3;
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
   for (int k = 0; k < ROUNDS; k++)
      __asm__ volatile(".rept 800\n imul %0,%0\n .endr" : "+r"(x));
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
   double seconds = (double)(to.tv_sec - from.tv_sec) +
                    (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
   return ROUNDS * 800 * 3.0 / seconds;
}

int main(int argc, char** argv)
{
   const char* what = argc > 1 ? argv[1] : "";
   if (!strcmp(what, "cycles"))
      printf("%.0f\n", cycles_a_second());
   else if (!strcmp(what, "additions"))
      printf("%.0f\n", median_of_additions());
   else if (!strcmp(what, "faults"))
      printf("%.3e\n", user_seconds_of_a_fault());
   else
      return 1;
   return 0;
}
