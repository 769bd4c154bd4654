/* Prints cycles of the core a second: the most of 40 times that a chain of
 * multiplications of 3 cycles each took. With an argument it prints how many
 * nanoseconds a round of additions took in the median: more, if a thread of
 * another guest has the same core, which a chain would not show. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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

int main(int argc, char** argv)
{
   if (argc > 1 && argv[1]) {
      printf("%.0f\n", median_of_additions());
      return 0;
   }
   double most = 0;
   uint64_t x = 3;
   for (int i = 0; i < 40; i++) {
      double begun = now();
      for (int k = 0; k < 2000; k++)
         __asm__ volatile(".rept 50\n imul %0,%0\n .endr" : "+r"(x));
      double clock = 2000 * 50 * 3.0 / (now() - begun);
      most = clock > most ? clock : most;
   }
   printf("%.0f\n", most);
   return 0;
}
