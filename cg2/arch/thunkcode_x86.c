#include "arch/thunkcode.h"

#if defined(__x86_64__) || defined(__i386__)

/* Source: Intel's manual, volume 2: "mov r32, imm32" is B8 plus the register,
 * and clears the upper half of a 64-bit one; "mov r64, imm64" has REX.W in
 * front; "jmp *%eax" is FF E0. The two arguments are in rdi and rsi, or, of 32
 * bits, in eax and edx. */
#if defined(__x86_64__)
enum { FIRST = 7, SECOND = 6, SCRATCH = 0 };
#else
enum { FIRST = 0, SECOND = 2, SCRATCH = 1 };
#endif

static UChar* put_word(UChar* code, UWord word, UInt bytes)
{
   for (UInt i = 0; i < bytes; i++)
      *code++ = word >> 8 * i;
   return code;
}

static UChar* put_move(UChar* code, UInt to, UWord word)
{
   Bool is_long = word != (UInt)word;
   if (is_long) *code++ = 0x48;
   *code++ = 0xb8 + to;
   return put_word(code, word, is_long ? 8 : 4);
}

static UChar* put_jump(UChar* code, const void* function)
{
   code = put_move(code, SCRATCH, (UWord)function);
   *code++ = 0xff;
   *code++ = 0xe0 + SCRATCH;
   return code;
}

UChar* cg2_thunkcode_write(UChar* code,
                           const void* function,
                           UWord first,
                           UWord second)
{
   if (first) code = put_move(code, FIRST, first);
   code = put_move(code, SECOND, second);
   return put_jump(code, function);
}

#endif
