/* Memory that grows (brk) next to a thread-local variable, as in a static
 * program, and a map where that memory was: take_turns() writes to the variable
 * and to the memory TIMES times each, and use_map() as often to the map. */
#include "counted.h"
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { TIMES = 500, BYTES = 1 << 18, PAGE = 4096, LONGS = PAGE / sizeof(long) };

__thread volatile long own;

static COUNTED void take_turns(volatile long* grown)
{
   for (int i = 0; i < TIMES; i++) {
      own = i;
      grown[i % LONGS] = i;
   }
}

static COUNTED void use_map(volatile long* map)
{
   for (int i = 0; i < TIMES; i++)
      map[i % LONGS] = i;
}

int main(void)
{
   char* grown = sbrk(BYTES);
   if (grown == (void*)-1) return 1;
   take_turns((volatile long*)grown);
   if (sbrk(-BYTES) == (void*)-1) return 2;
   char* page = (char*)(((uintptr_t)grown + PAGE) & -(uintptr_t)PAGE);
   void* map = mmap(page, BYTES / 2, PROT_READ | PROT_WRITE, /* map */
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
   if (map != page) return 3;
   use_map(map);
   return 0;
}
