#include "avx512/veckept.h"

#if defined(GUEST_HAS_AVX512)

#include "avx512/vecir.h"

/* Source: Intel's manual, volume 2: XGETBV is 0F 01 D0. */
static Bool asks(const IRStmt* s)
{
   if (s->tag != Ist_IMark || s->Ist.IMark.len != 3) return False;
   const UChar* code = (const UChar*)s->Ist.IMark.addr;
   return code[0] == 0x0f && code[1] == 0x01 && code[2] == 0xd0;
}

/* Source: the same, volume 1, 13.3: bits 5 to 7 are masks and what AVX-512 adds
 * to vectors; VEX says 7: x87, SSE, AVX. */
static void answer(IRSB* block)
{
   enum { KEPT = 0xe7, LOW = 0, HIGH = 2 };
   cg2_vecir_put(block, cg2_vecstate_word(&cg2_vecir_state, LOW), KEPT);
   cg2_vecir_put(block, cg2_vecstate_word(&cg2_vecir_state, HIGH), 0);
}

static void end_at(IRSB* block, Int n_stmts, Addr next)
{
   block->stmts_used = n_stmts;
   block->jumpkind = Ijk_Boring;
   block->next = mkIRExpr_HWord(next);
}

/* VEX may have put its own answer to use in what is behind the instruction. So
 * the block ends there, and in front of it, so that it is one of its own. */
void cg2_veckept_rewrite(IRSB* block)
{
   Bool is_first = True;
   for (Int i = 0; i < block->stmts_used; i++) {
      const IRStmt* s = block->stmts[i];
      if (s->tag != Ist_IMark) continue;
      Bool does_ask = asks(s);
      if (does_ask && is_first) {
         end_at(block, i + 1, s->Ist.IMark.addr + s->Ist.IMark.len);
         answer(block);
      }
      if (does_ask && !is_first) end_at(block, i, s->Ist.IMark.addr);
      is_first = False;
   }
}

#endif
