#include "arch/thunkcode.h"

#if defined(__aarch64__)

/* Source: Arm's manual: MOVZ Xd, #imm16, LSL #(16 * part) is 110100101, two
 * bits of the part, imm16, Rd, and clears the rest; MOVK, which leaves the
 * rest, has 111 in place of 110; BR Xn is d61f0000 with Rn from bit 5 on. The
 * two arguments are in x0 and x1; calls may change x16. */
enum { FIRST = 0, SECOND = 1, SCRATCH = 16 };
enum { MOVZ = 0xd2800000U, MOVK = 0xf2800000U, BR = 0xd61f0000U };

static UInt* put_move(UInt* code, UInt to, UWord word)
{
   UInt instruction = MOVZ;
   for (UInt part = 0; part < 4; part++) {
      UInt bits = word >> 16 * part & 0xffff;
      Bool is_last = part == 3 && instruction == MOVZ;
      if (bits == 0 && !is_last) continue;
      *code++ = instruction | part << 21 | bits << 5 | to;
      instruction = MOVK;
   }
   return code;
}

/* What was written as data is to be read as instructions. */
UChar* cg2_thunkcode_write(UChar* code,
                           const void* function,
                           UWord first,
                           UWord second)
{
   UInt* next = (UInt*)code;
   if (first) next = put_move(next, FIRST, first);
   next = put_move(next, SECOND, second);
   next = put_move(next, SCRATCH, (UWord)function);
   *next++ = BR | SCRATCH << 5;
   __builtin___clear_cache((char*)code, (char*)next);
   return (UChar*)next;
}

#endif
