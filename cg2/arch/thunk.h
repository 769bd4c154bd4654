/* Thunks: small pieces of machine code that go on to a function with arguments
 * that never change.
 *
 * Generated code computes the arguments of a call that depends on something
 * whether it makes the call or not. Those that are constants are in a thunk
 * instead, so that they take time only when the call is made. */
#ifndef CG2_THUNK_H
#define CG2_THUNK_H

#include "base/vg.h"

/* Goes on to a function that takes two words in registers, as VG_REGPARM(2)
 * says. All zero is none yet. */
typedef struct Thunk {
   void* code;
   UWord first; /* argument; 0: the one that the code is called with */
   UWord second;
} Thunk;

/* Code that goes on to `function`, always the same one for a thunk, with these
 * arguments; the same code as long as they are the same. It lives until the
 * process exits. NULL: there are no thunks for this processor, or Valgrind's
 * memory holds no code. */
void* cg2_thunk_code(Thunk* thunk, void* function, UWord first, UWord second);

#endif
