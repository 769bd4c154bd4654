#include "avx512/vecmxcsr.h"

#if defined(GUEST_HAS_AVX512)

#include "avx512/vecir.h"

/* Source: Intel's manual, volume 1, 10.2.3: bits 0 to 5 are what was raised, 6
 * and 15 take denormals for 0, 7 to 12 mask exceptions, as they all do when a
 * processor begins. */
enum { PLAIN = 0x1f80, KEPT = 0x9fff };

/* Functions of VEX: what STMXCSR stores, and what LDMXCSR has loaded. */
static const HChar stores[] = "amd64g_create_mxcsr";
static const HChar loads[] = "amd64g_check_ldmxcsr";

/* Whether a statement computes by this function of VEX. */
static Bool calls(const IRStmt* s, const HChar* name)
{
   return s->tag == Ist_WrTmp && s->Ist.WrTmp.data->tag == Iex_CCall &&
          VG_(strcmp)(s->Ist.WrTmp.data->Iex.CCall.cee->name, name) == 0;
}

static void show(IRSB* out, const IRStmt* s)
{
   IRExpr* known = cg2_vecir_word(out, s->Ist.WrTmp.data);
   IRExpr* kept = cg2_vecir_get(out, cg2_vecir_state.mxcsr);
   addStmtToIRSB(out, IRStmt_WrTmp(s->Ist.WrTmp.tmp,
                                   IRExpr_Binop(Iop_Xor64, known, kept)));
}

static void keep(IRSB* out, const IRStmt* s)
{
   IRExpr* loaded = s->Ist.WrTmp.data->Iex.CCall.args[0];
   IRExpr* unusual =
      cg2_vecir_binop(out, Iop_Xor64, loaded, mkIRExpr_HWord(PLAIN));
   IRExpr* kept =
      cg2_vecir_binop(out, Iop_And64, unusual, mkIRExpr_HWord(KEPT));
   addStmtToIRSB(out, IRStmt_Put(cg2_vecir_state.mxcsr, kept));
}

static Bool is_concerned(const IRSB* block)
{
   for (Int i = 0; i < block->stmts_used; i++)
      if (calls(block->stmts[i], stores) || calls(block->stmts[i], loads))
         return True;
   return False;
}

void cg2_vecmxcsr_rewrite(IRSB* block, Bool shows)
{
   if (!is_concerned(block)) return;
   Int n;
   IRStmt** stmts = cg2_vecir_take(block, &n);
   for (Int i = 0; i < n; i++) {
      const IRStmt* s = stmts[i];
      if (shows && calls(s, stores))
         show(block, s);
      else
         addStmtToIRSB(block, stmts[i]);
      if (calls(s, loads)) keep(block, s);
   }
}

#endif
