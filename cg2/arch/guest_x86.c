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

/*--- Trampolines --------------------------------------------------------*/

/* A constant in machine code, which may have no alignment. */
static Addr constant_at(const UChar* code, UInt bytes)
{
   Addr value = 0;
   for (UInt i = 0; i < bytes; i++)
      value |= (Addr)code[i] << 8 * i;
   return value;
}

/* Behind the instruction by which control-flow protection marks a target. */
static const UChar* behind_mark(const UChar* code)
{
   Bool is_mark = code[0] == 0xf3 && code[1] == 0x0f && code[2] == 0x1e &&
                  (code[3] == 0xfa || code[3] == 0xfb);
   return is_mark ? code + 4 : code;
}

/* Whether a constant is loaded into the register with this number in the
 * opcode; *bytes becomes the size of the constant, which is two bytes on. */
static Bool loads(const UChar* code, UChar opcode, UInt* bytes)
{
   *bytes = code[0] == 0x49 ? 8 : 4;
   return (code[0] == 0x49 || code[0] == 0x41) && code[1] == opcode;
}

/* Source: GCC and Clang write MOV of the function to R11 and of the frame to
 * R10, each with 64 bits or 32, and JMP to R11. */
static Addr target_by_register(const UChar* code)
{
   UInt bytes;
   if (!loads(code, 0xbb, &bytes)) return 0;
   Addr target = constant_at(code + 2, bytes);
   code += 2 + bytes;
   if (!loads(code, 0xba, &bytes)) return 0;
   code += 2 + bytes;
   return code[0] == 0x49 && code[1] == 0xff && code[2] == 0xe3 ? target : 0;
}

/* Source: GCC and Clang write MOV of the frame to ECX or EAX, or PUSH of it,
 * and JMP. */
static Addr target_by_distance(const UChar* code)
{
   enum { BEHIND_LOAD = 5, END = 10 };
   Bool is_load = code[0] == 0xb9 || code[0] == 0xb8 || code[0] == 0x68;
   if (!is_load || code[BEHIND_LOAD] != 0xe9) return 0;
   return (Addr)code + END + constant_at(code + BEHIND_LOAD + 1, 4);
}

Addr cg2_guest_trampoline_target(const UChar* code)
{
   code = behind_mark(code);
   return sizeof(Addr) == 8 ? target_by_register(code)
                            : target_by_distance(code);
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
