#include "arch/guest.h"

#if defined(__x86_64__) || defined(__i386__)

/* Hints, bnd, the size of the counter register, REX. */
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

#else

Bool cg2_guest_is_conditional(const UChar* code, UInt length, Int* distance)
{
   (void)code, (void)length, (void)distance;
   return False;
}

#endif
