#include "arch/guest.h"

#if defined(CG2_ARM64_H)

static UInt word_at(const UChar* code)
{
   return code[0] | code[1] << 8 | code[2] << 16 | (UInt)code[3] << 24;
}

/* The number that `bits` bits of a word from bit 5 on are, which is signed. */
static Int signed_field(UInt word, UInt bits)
{
   return (Int)(word << (27 - bits)) >> (32 - bits);
}

/* Source: Arm's manual: B.cond and BC.cond have the upper bits 01010100, CBZ
 * and CBNZ x011010x, TBZ and TBNZ x011011x; the distance is from the branch
 * itself, in instructions. */
Bool cg2_guest_is_conditional(const UChar* code, UInt length, Int* distance)
{
   enum { BYTES = 4 };
   if (length != BYTES) return False;
   UInt word = word_at(code);
   Bool tests_bit = (word >> 25 & 0x3f) == 0x1b;
   if (word >> 24 != 0x54 && (word >> 25 & 0x3f) != 0x1a && !tests_bit)
      return False;
   *distance = BYTES * signed_field(word, tests_bit ? 14 : 19) - BYTES;
   return True;
}

/* Source: Arm's manual: no instruction that VEX knows does. */
Bool cg2_guest_is_repeated(const UChar* code, UInt length)
{
   (void)code, (void)length;
   return False;
}

UInt cg2_guest_call_length(const UChar* behind)
{
   (void)behind;
   return GUEST_CALL_MAX;
}

/* Whether an instruction loads 8 bytes from *at, near it, into a register. */
static Bool loads_near(const UChar* code, UInt* reg, const UChar** at)
{
   UInt word = word_at(code);
   *reg = word & 0x1f;
   *at = code + 4 * signed_field(word, 19);
   return word >> 24 == 0x58;
}

/* Source: Arm's manual: BTI c, LDR of a literal, BR. GCC writes one LDR of the
 * function and one of the frame, BR to the function, and the literals. */
Addr cg2_guest_trampoline_target(const UChar* code)
{
   const UChar *end = code + GUEST_TRAMPOLINE_MAX, *function, *frame;
   UInt target, other;
   if (word_at(code) == 0xd503245f) code += 4;
   if (!loads_near(code, &target, &function) ||
       !loads_near(code + 4, &other, &frame) ||
       word_at(code + 8) != (0xd61f0000 | target << 5) || function < code ||
       function + 8 > end)
      return 0;
   return word_at(function) | (ULong)word_at(function + 4) << 32;
}

Bool cg2_guest_is_stub_section(const HChar* name)
{
   return VG_(strcmp)(name, ".plt") == 0 || VG_(strcmp)(name, ".iplt") == 0;
}

#endif
