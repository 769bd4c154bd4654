#include "arch/guest.h"

#if defined(CG2_RISCV64_H)

static UInt half_at(const UChar* code)
{
   return code[0] | code[1] << 8;
}

static UInt word_at(const UChar* code)
{
   return half_at(code) | half_at(code + 2) << 16;
}

/* `bits` bits of a word from bit `from` on, moved to bit `to`. */
static UInt field(UInt word, UInt from, UInt bits, UInt to)
{
   return (word >> from & ((1U << bits) - 1)) << to;
}

/* The number that the lower `bits` bits of a word are, which is signed. */
static Int signed_number(UInt word, UInt bits)
{
   return (Int)(word << (32 - bits)) >> (32 - bits);
}

/* Source: RISC-V's manual, volume 1: BEQ and its like have the opcode 1100011,
 * C.BEQZ and C.BNEZ the upper bits 11 and the lower ones 01; where the bits of
 * the distance lie, which is from the branch itself. */
Bool cg2_guest_is_conditional(const UChar* code, UInt length, Int* distance)
{
   if (length == 4) {
      UInt word = word_at(code);
      if ((word & 0x7f) != 0x63) return False;
      UInt bits = field(word, 31, 1, 12) | field(word, 7, 1, 11) |
                  field(word, 25, 6, 5) | field(word, 8, 4, 1);
      *distance = signed_number(bits, 13) - 4;
      return True;
   }
   UInt half = half_at(code);
   if (length != 2 || (half & 0xc003) != 0xc001) return False;
   UInt bits = field(half, 12, 1, 8) | field(half, 5, 2, 6) |
               field(half, 2, 1, 5) | field(half, 10, 2, 3) |
               field(half, 3, 2, 1);
   *distance = signed_number(bits, 9) - 2;
   return True;
}

/* JAL and JALR with the return address in ra, and C.JALR. */
UInt cg2_guest_call_length(const UChar* behind)
{
   UInt word = word_at(behind - 4), half = half_at(behind - 2);
   if ((word & 0xfff) == 0xef || (word & 0x7fff) == 0xe7) return 4;
   return (half & 0xf07f) == 0x9002 && half != 0x9002 ? 2 : 0;
}

Bool cg2_guest_is_stub_section(const HChar* name)
{
   return VG_(strcmp)(name, ".plt") == 0;
}

#endif
