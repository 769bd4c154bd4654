/* Registers of x86 and amd64, by capstone's names. */
#ifndef CG2D_X86REGISTERS_H
#define CG2D_X86REGISTERS_H

#include "machine/decoder.h"

/* The kind of a register. */
typedef enum X86Kind {
   NO_KIND,
   GENERAL, /* its width is the operand's size */
   VECTOR128,
   VECTOR256,
   VECTOR512,
   MMX,
   X87,
   MASK,
   FLAGS, /* two numbers: the carry, and all others */
   SEGMENT,
} X86Kind;

/* The kind, and the number that cg2p_operation has for it: CG2P_NO_REGISTER if
 * it has none. */
X86Kind cg2d_x86registers_kind(x86_reg reg);
uint8_t cg2d_x86registers_number(x86_reg reg);

#endif
