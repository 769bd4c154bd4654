/* An instruction of x86 that is being made an operation, and its form. */
#ifndef CG2D_X86FORM_H
#define CG2D_X86FORM_H

#include "machine/x86registers.h"

/* An instruction as capstone has it. */
typedef struct X86Taken {
   Decoder* decoder;
   const cs_insn* instruction;
   const cs_x86* x86;
   const char* mnemonic;      /* without prefixes */
   const char* base_mnemonic; /* and without the "v" of AVX */
   uint32_t marks;            /* of x86fixes */
   bool is_x87, has_mask;     /* operand 1 is the mask of a destination */
} X86Taken;

/* The form of an instruction, which is interned. */
const char* cg2d_x86form(const X86Taken* now);

/* Whether it compares packed or scalar numbers; its mnemonic may have the
 * condition in it: "cmpltsd". */
bool cg2d_x86form_is_comparison(const X86Taken* now);

/* Bytes of operand `i`. */
unsigned cg2d_x86form_bytes(const X86Taken* now, unsigned i);

#endif
