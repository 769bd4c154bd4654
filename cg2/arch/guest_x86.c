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

/*--- Repetitions --------------------------------------------------------*/

/* Whether a byte is a prefix that a string instruction may have: a segment, the
 * size of operand or address, rep, repne, REX. */
static Bool is_string_prefix(UChar byte)
{
   Bool is_segment = (byte & 0xe7) == 0x26 || byte == 0x64 || byte == 0x65;
   return is_segment || byte == 0x66 || byte == 0x67 || byte == 0xf2 ||
          byte == 0xf3 || (sizeof(Addr) == 8 && (byte & 0xf0) == 0x40);
}

/* Source: Intel's manual, volume 2: MOVS and CMPS are A4 to A7; STOS, LODS and
 * SCAS are AA to AF; F2 and F3 repeat them. */
Bool cg2_guest_is_repeated(const UChar* code, UInt length)
{
   Bool has_repeat = False;
   UInt i = 0;
   for (; i + 1 < length && is_string_prefix(code[i]); i++)
      has_repeat |= code[i] == 0xf2 || code[i] == 0xf3;
   UChar opcode = code[i];
   return has_repeat && i + 1 == length &&
          ((opcode >= 0xa4 && opcode <= 0xa7) ||
           (opcode >= 0xaa && opcode <= 0xaf));
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
