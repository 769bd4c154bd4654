#include "avx512/vecir.h"

#if defined(GUEST_HAS_AVX512)

#include <stddef.h>

#define AT(register) (Int) offsetof(VexGuestAMD64State, guest_##register)

/* The state and its two shadows follow each other; what is kept here lies at
 * their end. */
enum {
   ENDS = 3 * sizeof(VexGuestAMD64State),
   MASKS = ENDS - 8 * VEC_MASK,
   WHOLES = MASKS - 16 * VEC_WHOLE,
   UPPERS = WHOLES - 16 * VEC_HALF,
   SCRATCH = UPPERS - 8,
   MXCSR = SCRATCH - 8
};

const VecState cg2_vecir_state = {
   .words = AT(RAX),
   .flags = AT(CC_OP),
   .next = AT(RIP),
   .fs = AT(FS_CONST),
   .gs = AT(GS_CONST),
   .rounding = AT(SSEROUND),
   .vectors = AT(YMM0),
   .rewritten = AT(CMSTART),
   .n_rewritten = AT(CMLEN),
   .mxcsr = MXCSR,
   .scratch = SCRATCH,
   .uppers = UPPERS,
   .wholes = WHOLES,
   .masks = MASKS,
   .end = ENDS,
};

IRExpr* cg2_vecir_assign(IRSB* out, IRType type, IRExpr* value)
{
   IRTemp temp = newIRTemp(out->tyenv, type);
   addStmtToIRSB(out, IRStmt_WrTmp(temp, value));
   return IRExpr_RdTmp(temp);
}

IRExpr* cg2_vecir_word(IRSB* out, IRExpr* value)
{
   return cg2_vecir_assign(out, Ity_I64, value);
}

IRExpr* cg2_vecir_get(IRSB* out, Int offset)
{
   return cg2_vecir_word(out, IRExpr_Get(offset, Ity_I64));
}

void cg2_vecir_put(IRSB* out, Int offset, ULong constant)
{
   addStmtToIRSB(out, IRStmt_Put(offset, mkIRExpr_HWord(constant)));
}

IRStmt** cg2_vecir_take(IRSB* block, Int* n)
{
   IRStmt** stmts = block->stmts;
   const IRSB* empty = emptyIRSB();
   *n = block->stmts_used;
   block->stmts = empty->stmts;
   block->stmts_size = empty->stmts_size;
   block->stmts_used = 0;
   return stmts;
}

IRExpr* cg2_vecir_binop(IRSB* out, IROp op, IRExpr* a, IRExpr* b)
{
   return cg2_vecir_word(out, IRExpr_Binop(op, a, b));
}

#endif
