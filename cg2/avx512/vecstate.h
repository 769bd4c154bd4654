/* The registers of a thread, as offsets from the start of its guest state.
 *
 * Valgrind has no place for the upper halves of vectors 0 to 15, for vectors 16
 * to 31 and for masks. They lie at the end of the guest state's shadows, of
 * which cg2 uses the beginning for itself: Valgrind keeps, copies and restores
 * shadows together with the state, where a thread begins and a process forks,
 * and where a signal is handled. */
#ifndef CG2_VECSTATE_H
#define CG2_VECSTATE_H

#include "base/vg.h"

/* Bytes of a vector's lower half, of its upper half, of a vector, of a mask. */
enum { VEC_HALF = 32, VEC_WHOLE = 64, VEC_MASK = 8 };

typedef struct VecState {
   /* what Valgrind knows */
   Int words;    /* of general register 0; each has 8 bytes */
   Int flags;    /* what flags are made of: a kind, two values, a third */
   Int next;     /* the address of the instruction that comes next */
   Int fs, gs;   /* bases of segments */
   Int rounding; /* bits 13 and 14 of MXCSR */
   Int vectors;  /* the lower half of vector 0 */
   Int rewritten, n_rewritten; /* code that is to be translated anew */
   /* what it does not know */
   Int mxcsr;   /* bits of MXCSR that are not as a processor begins, but for
                   its rounding; this begins with it */
   Int scratch; /* of generated code: its first word is 0 but while MXCSR is
                   the program's */
   Int uppers;  /* the upper half of vector 0 */
   Int wholes;  /* vector 16 */
   Int masks;   /* mask 0 */
   Int end;     /* where this ends */
} VecState;

/* Where vector number `v`, its upper half, or mask number `k` is. The upper
 * half is that of one below 16. */
Int cg2_vecstate_vector(const VecState* state, UInt v);
Int cg2_vecstate_upper(const VecState* state, UInt v);
Int cg2_vecstate_mask(const VecState* state, UInt k);
/* Where general register number `r` is. */
Int cg2_vecstate_word(const VecState* state, UInt r);

#endif
