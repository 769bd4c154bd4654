#include "data/memory/program.h"

/* Reason for a mutable file-scope object: there is one program. */
Program cg2_program;

/* Source: Linux, elf.h. */
enum { AT_END = 0, AT_PROGRAM_HEADERS = 3 };

void cg2_program_begin(Addr sp)
{
   const UWord* word = (const UWord*)sp;
   word += 1 + *word + 1; /* arguments, and the 0 behind them */
   while (*word++)
      ;
   cg2_program = (Program){.sp = sp};
   for (; word[0] != AT_END; word += 2)
      if (word[0] == AT_PROGRAM_HEADERS) cg2_program.headers = word[1];
}
