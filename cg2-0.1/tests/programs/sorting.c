/* Four sorting algorithms on the same pseudo-random numbers; checked against
   gcov built from the same source. Every call stands on a line of its own, so
   that gcov's count of the line is the number of calls. */

#include "counted.h"
#include <stddef.h>
#include <stdlib.h>

#define COUNT 500

typedef int Less(int, int);
typedef void Sort(int*, size_t, Less*);

static unsigned int seed = 12345;
static size_t swaps;

COUNTED int next_random(void)
{
   seed = seed * 1103515245u + 12345u;
   return (int)(seed >> 16) & 0x7fff;
}

COUNTED int ascending(int a, int b)
{
   return a < b;
}

COUNTED int descending(int a, int b)
{
   return a > b;
}

COUNTED void swap(int* a, int* b)
{
   int kept = *a;
   *a = *b;
   *b = kept;
   swaps++;
}

COUNTED void insertion_sort(int* a, size_t n, Less* less)
{
   for (size_t i = 1; i < n; i++) {
      for (size_t j = i; j > 0; j--) {
         int wrong = less(a[j], a[j - 1]);
         if (!wrong) {
            break;
         }
         swap(&a[j], &a[j - 1]);
      }
   }
}

COUNTED size_t partition(int* a, size_t n, Less* less)
{
   size_t at = 0;
   for (size_t i = 0; i + 1 < n; i++) {
      int below = less(a[i], a[n - 1]);
      if (below) {
         swap(&a[i], &a[at]);
         at++;
      }
   }
   swap(&a[at], &a[n - 1]);
   return at;
}

COUNTED void quick_sort(int* a, size_t n, Less* less)
{
   if (n < 2) {
      return;
   }
   if (n < 8) {
      insertion_sort(a, n, less);
      return;
   }
   size_t at = partition(a, n, less);
   quick_sort(a, at, less);
   quick_sort(a + at + 1, n - at - 1, less);
   swaps += 0;
}

COUNTED void sift_down(int* a, size_t root, size_t n, Less* less)
{
   while (2 * root + 1 < n) {
      size_t child = 2 * root + 1;
      if (child + 1 < n) {
         int right = less(a[child], a[child + 1]);
         child += (size_t)right;
      }
      int heap = !less(a[root], a[child]);
      if (heap) {
         return;
      }
      swap(&a[root], &a[child]);
      root = child;
   }
}

COUNTED void heap_sort(int* a, size_t n, Less* less)
{
   for (size_t i = n / 2; i > 0; i--)
      sift_down(a, i - 1, n, less);
   for (size_t end = n - 1; end > 0; end--) {
      swap(&a[0], &a[end]);
      sift_down(a, 0, end, less);
   }
}

COUNTED void merge(int* a, size_t half, size_t n, int* out, Less* less)
{
   size_t left = 0;
   size_t right = half;
   for (size_t i = 0; i < n; i++) {
      int take_right = left == half;
      if (left < half && right < n) {
         take_right = less(a[right], a[left]);
      }
      if (take_right)
         out[i] = a[right++];
      else
         out[i] = a[left++];
   }
}

COUNTED void merge_sort(int* a, size_t n, Less* less)
{
   static int buffer[COUNT];
   if (n < 2) {
      return;
   }
   size_t half = n / 2;
   merge_sort(a, half, less);
   merge_sort(a + half, n - half, less);
   merge(a, half, n, buffer, less);
   for (size_t i = 0; i < n; i++)
      a[i] = buffer[i];
}

COUNTED int sorted(const int* a, size_t n, Less* less)
{
   for (size_t i = 1; i < n; i++) {
      int wrong = less(a[i], a[i - 1]);
      if (wrong) {
         return 0;
      }
   }
   return 1;
}

COUNTED int try_sort(Sort* sort, Less* less)
{
   static int a[COUNT];
   for (size_t i = 0; i < COUNT; i++) {
      int number = next_random();
      a[i] = number;
   }
   sort(a, COUNT, less);
   int good = sorted(a, COUNT, less);
   if (!good) {
      abort();
   }
   return good;
}

static Sort* const sorts[] = {insertion_sort, quick_sort, heap_sort,
                              merge_sort};

int main(void)
{
   int good = 0;
   for (size_t i = 0; i < sizeof sorts / sizeof sorts[0]; i++) {
      int up = try_sort(sorts[i], ascending);
      int down = try_sort(sorts[i], descending);
      good += up + down;
   }
   return good == 8 ? 0 : 1;
}
