#include "cycles/recent.h"
#include "base/memory.h"

#include <stdlib.h>

void cg2p_recent_begin(Recent* recent,
                       Failure* failure,
                       uint64_t sets,
                       uint64_t ways)
{
   recent->sets = sets;
   recent->ways = ways;
   recent->keys =
      cg2p_memory_allocate(failure, (sets * ways + 1) * sizeof *recent->keys);
}

bool cg2p_recent_meet(Recent* recent, uint64_t key, uint32_t ways)
{
   uint64_t* set = recent->keys + key % recent->sets * recent->ways;
   uint64_t newest[RECENT_WAYS_MAX];
   uint32_t kept = 0, there = 0;
   while (kept < ways)
      newest[kept++] = key;
   for (uint32_t w = 0; w < recent->ways; w++) {
      there += set[w] == key;
      if (set[w] != key && kept < recent->ways) newest[kept++] = set[w];
   }
   for (uint32_t w = 0; w < kept; w++)
      set[w] = newest[w];
   return ways && there == ways;
}

void cg2p_recent_lose(Recent* recent, uint64_t key)
{
   uint64_t* set = recent->keys + key % recent->sets * recent->ways;
   for (uint64_t w = 0; w < recent->ways; w++)
      if (set[w] == key) set[w] = 0;
}

void cg2p_recent_free(Recent* recent)
{
   free(recent->keys);
}
