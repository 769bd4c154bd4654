/* Machine code that executes instructions on a guest's registers: a run.
 *
 * The code is a function that takes the address of the guest state. For each
 * instruction it
 *
 *   1. says in the state where it is, so that a fault has the right address;
 *   2. loads the registers that the instruction reads, unless they are loaded;
 *   3. computes the address of its operand in memory, into rax;
 *   4. is the instruction itself, with rax for its address, and rdx in place
 *      of any other general register;
 *   5. stores what was written.
 *
 * So the state is always that of the last instruction that was finished. All
 * registers that the code changes are ones that a function may change. */
#ifndef CG2_VECCODE_H
#define CG2_VECCODE_H

#include "avx512/vecdecode.h"
#include "avx512/vecstate.h"

/* Bytes of the longest code for one instruction, and around all of them. */
enum { VECCODE_MAX = 320, VECCODE_AROUND = 96 };

/* Code while it is written. */
typedef struct VecCode {
   const VecState* state;
   UChar* at;           /* where the next byte goes */
   UInt vectors, masks; /* that are loaded */
   Bool has_rounding;   /* MXCSR is the guest's. */
   Bool has_uppers;     /* Vectors have an upper half. */
   UInt n;              /* instructions */
} VecCode;

/* Begins to write at `to`, for a processor that has AVX-512, or not. */
VecCode cg2_veccode_begin(const VecState* state, UChar* to, Bool has_avx512);

/* Adds an instruction that is encoded at `bytes` and stands at `address`. The
 * upper half of its address is that of all instructions of the run. */
void cg2_veccode_add(VecCode* code,
                     const VecInstr* instr,
                     const UChar* bytes,
                     Addr address);

/* Ends the code. Returns its end. It may be copied elsewhere. */
UChar* cg2_veccode_end(VecCode* code);

#endif
