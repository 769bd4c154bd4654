/* Thunks: small pieces of machine code that go on to a function with arguments
 * that never change.
 *
 * Generated code computes the arguments of a call that depends on something
 * whether it makes the call or not. Constant arguments are put into a thunk
 * instead, so that they take time only when the call is made. */
#ifndef CG2_THUNK_H
#define CG2_THUNK_H

#include "base/vg.h"

/* Code that goes on to a function which takes two words in registers, as
 * VG_REGPARM(2) says. All zero: there is no code yet. */
typedef struct Thunk {
   void* code;   /* first instruction, or NULL */
   UWord first;  /* argument; 0: the one that the code is called with */
   UWord second; /* argument */
} Thunk;

/* Gives code that goes on to `function`, always the same one for a thunk, with
 * the arguments `first` and `second`: the code that the thunk has, or, if the
 * arguments have changed, new code. Code lives until the process exits. NULL:
 * there are no thunks for this processor, or Valgrind's memory holds no code.
 */
void* cg2_thunk_code(Thunk* thunk, void* function, UWord first, UWord second);

#endif
