/* How a function that generated code calls gets at the guest state.
 *
 * Generated code has the address of the guest state in a register of the host.
 * VEX hands it to functions that ask for it, as an argument; its back end for
 * arm64 does not. There the functions read the register, which no function of
 * the tool may use: the compiler is told to leave it alone. */
#ifndef CG2_GUESTSTATE_H
#define CG2_GUESTSTATE_H

#include "base/vg.h"

#if defined(__aarch64__) && !defined(CG2_HOST)

/* Source: VEX's convention for generated code of arm64: x21 is its base. */
enum { GUESTSTATE_IS_PASSED = 0 };

static inline void* cg2_gueststate(void* passed)
{
   register void* base __asm__("x21");
   __asm__("" : "=r"(base));
   (void)passed;
   return base;
}

#else

enum { GUESTSTATE_IS_PASSED = 1 };

/* The guest state, in a function that generated code has called; `passed` is
 * the argument that stands for it. */
static inline void* cg2_gueststate(void* passed)
{
   return passed;
}

#endif

/* Dies with a message unless `word`, which generated code has read at `offset`
 * of the guest state, is what cg2_gueststate() finds there. */
VG_REGPARM(3)
void cg2_gueststate_check(UWord offset, UWord word, void* passed);

#endif
