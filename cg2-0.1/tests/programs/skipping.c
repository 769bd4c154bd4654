/* Leaves an object out while it runs: calls sort, and top, which calls leaf 2
   times; asks, by the header of the first argument, that functions of the
   objects of the second one be skipped; calls sort again, and top, which calls
   leaf 3 times. sort has qsort sort, by compare. */

#include "../../cg2/cg2.h"
#include "counted.h"
#include <stdlib.h>
#include <string.h>

static volatile long state;

COUNTED void leaf(void)
{
   state++;
}

COUNTED void top(int times)
{
   for (int i = 0; i < times; i++)
      leaf();
}

COUNTED int compare(const void* a, const void* b)
{
   return *(const int*)a - *(const int*)b;
}

COUNTED void sort(void)
{
   int numbers[] = {3, 1, 4, 1, 5, 9, 2, 6};
   qsort(numbers, 8, sizeof *numbers, compare);
}

COUNTED void skip(const char* header, const char* path)
{
   if (strcmp(header, "cg2") == 0)
      CG2_SKIP_OBJECT(path);
   else
      VALGRIND_DO_CLIENT_REQUEST_STMT(CG2_USERREQ_CALLGRIND + 6, path, 0, 0, 0,
                                      0);
}

int main(int argc, char** argv)
{
   if (argc != 3) return 2;
   sort();
   top(2);
   skip(argv[1], argv[2]);
   sort();
   top(3);
   return state == 5 ? 0 : 1;
}
