#include "arch/guest.h"

#if defined(CG2_S390X_H)

/* The signed number in the two bytes at `code`. */
static Int half_at(const UChar* code)
{
   return (Int)((UInt)code[0] << 24 | (UInt)code[1] << 16) >> 16;
}

/* Source: z/Architecture Principles of Operation. BRC is A7m4 and BRCL C0m4,
 * whose masks 0 and 15 are no condition; BRCT is A7r6 and BRCTG A7r7. */
static Bool tests(const UChar* code, UInt length)
{
   UInt mask = code[1] >> 4, op = code[1] & 15;
   Bool is_condition = op == 4 && mask > 0 && mask < 15;
   if (length == 6 && code[0] == 0xc0) return is_condition;
   return length == 4 && code[0] == 0xa7 &&
          (is_condition || op == 6 || op == 7);
}

/* CGRJ, CLGRJ, CRJ, CLRJ, CGIJ, CLGIJ, CIJ and CLIJ: EC, and one of these. */
static Bool compares(const UChar* code, UInt length)
{
   if (length != 6 || code[0] != 0xec) return False;
   UChar op = code[5];
   return op == 0x64 || op == 0x65 || op == 0x76 || op == 0x77 ||
          (op >= 0x7c && op <= 0x7f);
}

/* The distance is from the branch itself, in units of two bytes. */
Bool cg2_guest_is_conditional(const UChar* code, UInt length, Int* distance)
{
   if (!tests(code, length) && !compares(code, length)) return False;
   Int halves = half_at(code + 2);
   if (code[0] == 0xc0) halves = halves * 65536 + (UShort)half_at(code + 4);
   *distance = 2 * halves - (Int)length;
   return True;
}

/* BRASL is C0r5, BRAS A7r5, BAS 4D, BASR 0D with another register than 0. */
UInt cg2_guest_call_length(const UChar* behind)
{
   if (behind[-6] == 0xc0 && (behind[-5] & 15) == 5) return 6;
   if (behind[-4] == 0xa7 && (behind[-3] & 15) == 5) return 4;
   if (behind[-4] == 0x4d) return 4;
   return behind[-2] == 0x0d && behind[-1] & 15 ? 2 : 0;
}

Bool cg2_guest_is_stub_section(const HChar* name)
{
   return VG_(strcmp)(name, ".plt") == 0;
}

#endif
