/* Three phases, each with a thread that sorts, reads and recurses: some of each kind that a report shows. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 24, WORDS = 400 };

static double left[SIDE][SIDE], right[SIDE][SIDE], product[SIDE][SIDE];

__attribute__((noinline)) static void multiply(void)
{
   for (int i = 0; i < SIDE; i++)
      for (int j = 0; j < SIDE; j++) {
         double sum = 0;
         for (int k = 0; k < SIDE; k++)
            sum += left[i][k] * right[k][j];
         product[i][j] = sum;
      }
}

static int compare(const void* a, const void* b)
{
   const int x = *(const int*)a, y = *(const int*)b;
   return (x > y) - (x < y);
}

__attribute__((noinline)) static long chase(int* words)
{
   long sum = 0;
   for (int i = 0; i < WORDS; i++)
      sum += words[(i * 61) % WORDS];
   return sum;
}

__attribute__((noinline)) static int fibonacci(int n)
{
   return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static void* work(void* unused)
{
   int* words = malloc(WORDS * sizeof *words);
   for (int i = 0; i < WORDS; i++)
      words[i] = (i * 7919) % WORDS;
   qsort(words, WORDS, sizeof *words, compare);
   printf("%ld %d\n", chase(words), fibonacci(10));
   free(words);
   return unused;
}

__attribute__((noinline)) static void phase(int number)
{
   pthread_t thread;
   pthread_create(&thread, NULL, work, NULL);
   for (int i = 0; i <= number; i++)
      multiply();
   pthread_join(thread, NULL);
   printf("%g\n", product[number][number]);
}

int main(void)
{
   for (int i = 0; i < 3; i++)
      phase(i);
   return 0;
}
