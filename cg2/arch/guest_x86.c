#include "arch/guest.h"

#if defined(CG2_X86_H)

/*--- Branches -----------------------------------------------------------*/

/* Whether a byte is a prefix that a conditional branch may have: a hint, bnd,
 * the size of the counter register, REX. */
static Bool is_prefix(UChar byte)
{
   Bool is_rex = sizeof(Addr) == 8 && byte >= 0x40 && byte <= 0x4f;
   return byte == 0x2e || byte == 0x3e || byte == 0xf2 || byte == 0x67 ||
          is_rex;
}

/* Source: Intel's manual, volume 2: Jcc, LOOP and JCXZ have their distance at
 * their end, in one byte or in four. */
Bool cg2_guest_is_conditional(const UChar* code, UInt length, Int* distance)
{
   const UChar* end = code + length;
   while (code < end && is_prefix(*code))
      code++;
   length = end - code;
   if (length == 2 && ((code[0] >= 0x70 && code[0] <= 0x7f) ||
                       (code[0] >= 0xe0 && code[0] <= 0xe3))) {
      *distance = (signed char)code[1];
      return True;
   }
   if (length != 6 || code[0] != 0x0f || code[1] < 0x80 || code[1] > 0x8f)
      return False;
   *distance =
      (Int)(code[2] | code[3] << 8 | code[4] << 16 | (UInt)code[5] << 24);
   return True;
}

/*--- Calls --------------------------------------------------------------*/

/* Lengths of calls. Source: AMD64 Architecture Programmer's Manual, volume 3:
 * opcodes E8 and FF /2, the latter with or without a prefix for registers. */
enum { INDIRECT_MIN = 2, DIRECT = 5 };

static Bool is_indirect_call(const UChar* code, UInt length)
{
   Bool has_prefix = length > INDIRECT_MIN && (code[0] & 0xf0) == 0x40;
   if (has_prefix) code++;
   return code[0] == 0xff && (code[1] >> 3 & 7) == 2;
}

UInt cg2_guest_call_length(const UChar* behind)
{
   if (behind[-DIRECT] == 0xe8) return DIRECT;
   for (UInt length = INDIRECT_MIN; length <= GUEST_CALL_MAX; length++)
      if (is_indirect_call(behind - length, length)) return length;
   return 0;
}

/*--- Stubs --------------------------------------------------------------*/

/* Source: GNU ld makes .plt; with control-flow protection .plt.sec; for
 * functions whose address is taken .plt.got; and in static programs .iplt. */
Bool cg2_guest_is_stub_section(const HChar* name)
{
   return VG_(strcmp)(name, ".plt") == 0 || VG_(strcmp)(name, ".iplt") == 0 ||
          VG_(strncmp)(name, ".plt.", 5) == 0;
}

#endif
