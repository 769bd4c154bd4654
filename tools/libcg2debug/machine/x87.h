/* The stack of the x87. Its registers are named by how far they are from the
 * top, which moves. Compilers leave it where it was, wherever control comes
 * from: so it is followed from instruction to instruction in the order of
 * addresses, and a register keeps its number while others are pushed. Registers
 * that a loop leaves exchanged have each other's number in its next round. */
#ifndef CG2D_X87_H
#define CG2D_X87_H

#include "machine/x86form.h"

/* Adds the registers that an instruction of the x87 reads and writes. */
void cg2d_x87_take(const X86Taken* now, cg2p_operation* to);

#endif
