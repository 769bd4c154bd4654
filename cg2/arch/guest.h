/* What is known of the guest's machine code itself. */
#ifndef CG2_GUEST_H
#define CG2_GUEST_H

#include "base/vg.h"

/* Whether an instruction of `length` bytes is a conditional branch. Then it
 * leads to `*distance` bytes behind its end. */
Bool cg2_guest_is_conditional(const UChar* code, UInt length, Int* distance);

#endif
