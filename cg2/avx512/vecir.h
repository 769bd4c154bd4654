/* IR as it is written here: flat, as tools must write it. */
#ifndef CG2_VECIR_H
#define CG2_VECIR_H

#include "arch/guest.h"
#include "avx512/vecstate.h"
#include "libvex.h"

/* Where the guest's registers are. */
extern const VecState cg2_vecir_state;

/* A new temporary of 64 bits, or of another type, that is `value`. */
IRExpr* cg2_vecir_word(IRSB* out, IRExpr* value);
IRExpr* cg2_vecir_assign(IRSB* out, IRType type, IRExpr* value);

/* What 64 bits of the guest state are at an offset. */
IRExpr* cg2_vecir_get(IRSB* out, Int offset);
/* Makes 64 bits of the guest state a constant. */
void cg2_vecir_put(IRSB* out, Int offset, ULong constant);

/* Takes the statements out of a block, for others to be written. */
IRStmt** cg2_vecir_take(IRSB* block, Int* n);

/* An operation on two words. */
IRExpr* cg2_vecir_binop(IRSB* out, IROp op, IRExpr* a, IRExpr* b);

#endif
