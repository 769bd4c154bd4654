#include "avx512/veczero.h"

#if defined(GUEST_HAS_AVX512)

#include "avx512/vecir.h"

enum { N_LOWERS = 16 };

/* A block while it is written again. */
typedef struct Zeroer {
   IRSB* out;
   Bool is_vex;  /* the instruction is encoded by VEX */
   UInt written; /* vectors that it has written, a bit for each */
} Zeroer;

/* Whether the instruction at an address is encoded by VEX. Source: Intel's
 * manual, volume 2, 2.3: C4 and C5, behind prefixes of segment and address. */
static Bool is_vex(const IRStmt* mark)
{
   const UChar* code = (const UChar*)mark->Ist.IMark.addr;
   const UChar* end = code + mark->Ist.IMark.len;
   while (code < end &&
          (*code == 0x67 || *code == 0x64 || *code == 0x65 || *code == 0x2e ||
           *code == 0x36 || *code == 0x3e || *code == 0x26))
      code++;
   return code < end && (*code == 0xc4 || *code == 0xc5);
}

/* The vectors that lie in so many bytes of the state. */
static UInt vectors_in(Int offset, Int size)
{
   UInt found = 0;
   for (UInt v = 0; v < N_LOWERS; v++) {
      Int at = cg2_vecir_state.vectors + (Int)v * VEC_HALF;
      if (offset < at + VEC_HALF && at < offset + size) found |= 1U << v;
   }
   return found;
}

static UInt written_by_call(const IRDirty* call)
{
   UInt found = 0;
   for (Int i = 0; i < call->nFxState; i++)
      if (call->fxState[i].fx != Ifx_Read)
         found |= vectors_in(call->fxState[i].offset, call->fxState[i].size);
   return found;
}

static UInt written_by(const IRSB* block, const IRStmt* s)
{
   if (s->tag == Ist_Dirty) return written_by_call(s->Ist.Dirty.details);
   if (s->tag != Ist_Put) return 0;
   IRType type = typeOfIRExpr(block->tyenv, s->Ist.Put.data);
   return vectors_in(s->Ist.Put.offset, sizeofIRType(type));
}

static void clear_uppers(Zeroer* z)
{
   for (UInt v = 0; v < N_LOWERS; v++) {
      Int at = cg2_vecstate_upper(&cg2_vecir_state, v);
      if (!(z->written >> v & 1)) continue;
      IRExpr* none = IRExpr_Const(IRConst_V128(0));
      addStmtToIRSB(z->out, IRStmt_Put(at, none));
      addStmtToIRSB(z->out, IRStmt_Put(at + VEC_HALF / 2, none));
   }
   z->written = 0;
}

/* What stands behind a side exit happens only if that is not taken, so upper
 * halves are cleared in front of it. */
static void write(Zeroer* z, IRStmt* s)
{
   if (s->tag == Ist_IMark || s->tag == Ist_Exit) clear_uppers(z);
   if (s->tag == Ist_IMark) z->is_vex = s->Ist.IMark.len && is_vex(s);
   addStmtToIRSB(z->out, s);
   if (z->is_vex) z->written |= written_by(z->out, s);
}

static Bool is_concerned(const IRSB* block)
{
   for (Int i = 0; i < block->stmts_used; i++) {
      const IRStmt* s = block->stmts[i];
      if (s->tag == Ist_IMark && s->Ist.IMark.len && is_vex(s)) return True;
   }
   return False;
}

void cg2_veczero_rewrite(IRSB* block)
{
   if (!is_concerned(block)) return;
   Int n;
   IRStmt** stmts = cg2_vecir_take(block, &n);
   Zeroer zeroer = {.out = block};
   for (Int i = 0; i < n; i++)
      write(&zeroer, stmts[i]);
   clear_uppers(&zeroer);
}

#endif
