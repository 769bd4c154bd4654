/* Opens, calls and closes two libraries (the arguments) in turn, 5 times each.
   Both have the same layout, so the second lies where the first was: its
   function must not be taken for the first's.

   - entry_red is called 4 times a round, and calls inner_red once
   - entry_blue is called 3 times a round, and calls inner_blue 2 times */

#include "counted.h"
#include <dlfcn.h>
#include <stdio.h>

#define ROUNDS 5

typedef long Entry(long);

static void* addresses[2];

COUNTED long
use(const char* library, const char* name, int times, void** address)
{
   void* handle = dlopen(library, RTLD_NOW);
   if (!handle) return -1;
   Entry* entry = (Entry*)dlsym(handle, name);
   *address = (void*)entry;
   long sum = 0;
   for (int i = 0; i < times; i++)
      sum += entry(i);
   dlclose(handle);
   return sum;
}

int main(int argc, char** argv)
{
   if (argc != 3) return 2;
   long sum = 0;
   int same = 0;
   for (int round = 0; round < ROUNDS; round++) {
      sum += use(argv[1], "entry_red", 4, &addresses[0]);
      sum += use(argv[2], "entry_blue", 3, &addresses[1]);
      same += addresses[0] == addresses[1];
   }
   printf("%d same\n", same);
   return sum == ROUNDS * (6 + 4 * 11 + 3 + 3 * 22) ? 0 : 1;
}
