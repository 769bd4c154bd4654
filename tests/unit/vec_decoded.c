/* Decodes what stands in its input, 16 bytes each, and prints a line for each:
 * the length, and of an operand in memory its size, base, index, scale and
 * displacement; `-` for what is no instruction of AVX-512. */
#include "avx512/vecdecode.h"

#include <stdio.h>

enum { SLOT = 16 };

static void print_memory(const VecMemory* m)
{
   printf(" %u %d %d %d %u %lld", m->size, m->base == VEC_NONE ? -1 : m->base,
          m->index == VEC_NONE ? -1 : m->index,
          m->vector == VEC_NONE ? -1 : m->vector, 1U << m->scale,
          (long long)m->displacement);
}

int main(void)
{
   UChar bytes[SLOT];
   while (fread(bytes, 1, SLOT, stdin) == SLOT) {
      VecInstr instr;
      if (cg2_vecdecode_read(bytes, SLOT, &instr)) {
         printf("%u", instr.length);
         if (instr.has_memory) print_memory(&instr.memory);
         printf("\n");
      } else
         printf("-\n");
   }
   return 0;
}
