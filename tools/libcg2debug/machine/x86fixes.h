/* What of instructions of x86 capstone (4.0) says wrongly, or does not say, and
 * what their meaning is for cg2p_operation. */
#ifndef CG2D_X86FIXES_H
#define CG2D_X86FIXES_H

#include <stdint.h>

enum {
   /* What capstone has wrong or lacks. */
   READS_FIRST = 1 << 0,   /* also what its first operand was before */
   ONLY_READS = 1 << 1,    /* its first operand, though that is in memory */
   WRITES_FLAGS = 1 << 2,  /* all */
   READS_CARRY = 1 << 3,   /* of flags that it reads, only this */
   READS_OTHERS = 1 << 4,  /* of flags that it reads, not the carry */
   STORES_ALONE = 1 << 5,  /* its one operand, in memory, is written */
   HAS_NO_ACCESS = 1 << 6, /* its operand in memory is no access */
   NEEDS_NOTHING = 1 << 7, /* reads and writes nothing that is followed */
   WRITES_RESULT = 1 << 8, /* rax */
   READS_RESULT = 1 << 9,
   /* What it is. */
   MOVES = 1 << 12,  /* its source to its destination, as it is */
   LOADS = 1 << 13,  /* the same, with a source in memory: a load does it */
   CLEARS = 1 << 14, /* its destination, if both sources are the same */
   FUSES = 1 << 15,  /* with a conditional branch behind it */
   ADDS_FLOATS = 1 << 16, /* as an adder of floating-point numbers does */
   IS_IDLE = 1 << 17,     /* takes a slot only */
   COUNTS_BY_CL = 1 << 18,
   NEEDS_SAME_NOT = 1 << 19, /* reads nothing if both sources are the same */
   READS_VECTOR_0 = 1 << 20, /* xmm0, which is not among its operands */
};

/* The marks of an instruction, whose mnemonic has no prefix and no "v". */
uint32_t cg2d_x86fixes_of(const char* mnemonic);

#endif
