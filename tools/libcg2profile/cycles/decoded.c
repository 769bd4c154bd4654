#include "cycles/decoded.h"

#include <stdlib.h>

void cg2p_decoded_begin(Decoded* decoded,
                        Failure* failure,
                        const CoreDecoding* numbers)
{
   decoded->numbers = numbers;
   decoded->lines = cg2p_memory_allocate(
      failure, (numbers->sets * numbers->ways + 1) * sizeof *decoded->lines);
}

bool cg2p_decoded_fetch(Decoded* decoded, uint64_t line, uint32_t ways)
{
   const CoreDecoding* n = decoded->numbers;
   uint64_t* set = decoded->lines + line % n->sets * n->ways;
   uint64_t newest[DECODED_WAYS_MAX];
   uint32_t kept = 0, there = 0;
   while (kept < ways)
      newest[kept++] = line;
   for (uint32_t w = 0; w < n->ways; w++) {
      there += set[w] == line;
      if (set[w] != line && kept < n->ways) newest[kept++] = set[w];
   }
   for (uint32_t w = 0; w < kept; w++)
      set[w] = newest[w];
   return ways && there == ways;
}

void cg2p_decoded_free(Decoded* decoded)
{
   free(decoded->lines);
}
