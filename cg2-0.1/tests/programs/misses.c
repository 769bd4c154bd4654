/* Accesses to memory of all kinds: small and large, aligned or not, near and
   far, by loops, recursion and the C library. `misses N` does it all N times. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ORDER = 10, NUMBERS = 100, NODES = 80, BYTES = 700 };

static unsigned int seed = 12345;

static unsigned int chance(unsigned int n)
{
   seed = seed * 1103515245u + 12345u;
   return (seed >> 16) % n;
}

/*--- A matrix, numbers, a list, bytes -----------------------------------*/

static double a[ORDER][ORDER], b[ORDER][ORDER], c[ORDER][ORDER];

static double multiply(void)
{
   for (int i = 0; i < ORDER; i++)
      for (int j = 0; j < ORDER; j++) {
         a[i][j] = chance(10);
         b[i][j] = chance(10);
      }
   for (int i = 0; i < ORDER; i++)
      for (int j = 0; j < ORDER; j++)
         for (int k = 0; k < ORDER; k++)
            c[i][j] += a[i][k] * b[k][j];
   return c[ORDER / 2][ORDER / 3];
}

static int ascending(const void* one, const void* other)
{
   return *(const int*)one - *(const int*)other;
}

static int sort(void)
{
   int numbers[NUMBERS];
   for (int i = 0; i < NUMBERS; i++)
      numbers[i] = (int)chance(1000);
   qsort(numbers, NUMBERS, sizeof *numbers, ascending);
   return numbers[NUMBERS / 2];
}

struct node {
   struct node* next;
   char text[24];
   int count;
};

static int walk(void)
{
   struct node* first = NULL;
   for (int i = 0; i < NODES; i++) {
      struct node* node = malloc(sizeof *node + chance(200));
      node->next = first;
      node->count = 0;
      snprintf(node->text, sizeof node->text, "node %d", i);
      first = node;
   }
   int sum = 0;
   for (struct node* node = first; node; node = node->next)
      if (strchr(node->text, '7')) sum += ++node->count;
   while (first) {
      struct node* next = first->next;
      free(first);
      first = next;
   }
   return sum;
}

static char bytes[3][BYTES];

static int copy(void)
{
   int sum = 0;
   for (int i = 0; i < 40; i++) {
      size_t n = 1 + chance(BYTES / 2);
      memset(bytes[i % 3] + chance(BYTES / 2), i, n);
      memmove(bytes[chance(3)] + chance(BYTES / 2),
              bytes[chance(3)] + chance(BYTES / 2), n);
      sum += bytes[i % 3][chance(BYTES)];
   }
   return sum;
}

static int ackermann(int m, int n)
{
   if (m == 0) return n + 1;
   if (n == 0) return ackermann(m - 1, 1);
   return ackermann(m - 1, ackermann(m, n - 1));
}

/* What is left of the x87 and SSE state is stored at once. */
static char state[512] __attribute__((aligned(16)));

int main(int argc, char** argv)
{
   int rounds = argc > 1 ? atoi(argv[1]) : 1;
   for (int i = 0; i < rounds; i++) {
      long double wide = multiply();
      printf("%Lg %d %d %d %d\n", wide, sort(), walk(), copy(),
             ackermann(2, 4));
      __asm__ volatile("fxsave %0" : "=m"(state));
   }
   return 0;
}
