/* Accesses to memory: what instructions of AVX-512 read and write, as IR says
 * it, for those who count accesses.
 *
 * The machine code that executes the instructions is one call, of which nobody
 * could tell what it accesses. So each access is told by an empty call in front
 * of it that VEX's format lets say so. An access of which a mask chooses
 * elements spans the chosen ones; a gather or a scatter accesses each chosen
 * element. */
#ifndef CG2_VECACCESS_H
#define CG2_VECACCESS_H

#include "arch/guest.h"
#include "avx512/vecdecode.h"
#include "libvex.h"

/* Whether accesses are counted. */
Bool cg2_vecaccess_is_on(void);

/* Tells of the accesses of an instruction in front of which the guest state is
 * up to date; `behind` is the address of the next instruction. */
void cg2_vecaccess_write(IRSB* out, const VecInstr* instr, Addr behind);

/* The address of an operand in memory, by the guest state as it is there. */
IRExpr* cg2_vecaccess_address(IRSB* out, const VecMemory* memory, Addr behind);

/* Whether an instruction accesses what the guest state in front of those that
 * wrote these registers could not tell. */
Bool cg2_vecaccess_depends(const VecInstr* instr, UInt vectors, UInt masks);

#endif
