#include "avx512/vecblock.h"

#include "avx512/vecconfig.h"

#if defined(GUEST_HAS_AVX512)

#include "arch/cpuid.h"
#include "avx512/vecaccess.h"
#include "avx512/veccode.h"
#include "avx512/vecir.h"
#include "avx512/veckept.h"
#include "avx512/vecmxcsr.h"
#include "avx512/vecplaces.h"
#include "avx512/vecrefusal.h"
#include "avx512/vecrun.h"
#include "avx512/vecxsave.h"
#include "avx512/veczero.h"
#include "base/arguments.h"
#include "engine/probe.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_tooliface.h"

_Static_assert(sizeof(Registers) <= sizeof(VexGuestAMD64State) - 700,
               "shadows have room for Registers, and for vectors");

/*--- The code of a run --------------------------------------------------*/

/* Instructions of a run that one call executes: from one to in front of
 * another. */
typedef struct VecPiece {
   UInt from, to;
   void* code;
} VecPiece;

static void* code_of(const VecRun* run, UInt from, UInt to)
{
   UChar code[VECRUN_MAX * VECCODE_MAX + VECCODE_AROUND];
   Addr start = run->start + run->at[from];
   const UChar* bytes = run->bytes + run->at[from];
   UInt n = run->at[to] - run->at[from];
   void* known = cg2_vecplaces_find(start, bytes, n);
   if (known) return known;
   VecCode writer =
      cg2_veccode_begin(&cg2_vecir_state, code, cg2_vec.config.host_has);
   for (UInt i = from; i < to; i++)
      cg2_veccode_add(&writer, &run->instrs[i], run->bytes + run->at[i],
                      run->start + run->at[i]);
   const UChar* end = cg2_veccode_end(&writer);
   return cg2_vecplaces_keep(start, bytes, n, code, end - code);
}

/* Where a piece ends that begins with instruction number `from`. Accesses are
 * told in front of the call, so a piece writes nothing that says where it
 * accesses memory. */
static UInt end_of_piece(const VecRun* run, UInt from)
{
   UInt to = from, vectors = 0, masks = 0;
   if (!cg2_vecaccess_is_on()) return run->n;
   while (to < run->n) {
      const VecInstr* instr = &run->instrs[to];
      if (cg2_vecaccess_depends(instr, vectors, masks)) return to;
      to++;
      if (instr->word.is_written) return to;
      vectors |= instr->writes;
      masks |= instr->writes_masks;
   }
   return to;
}

/* Takes a run apart. False: it cannot be executed. */
static Bool make_pieces(const VecRun* run, VecPiece* pieces, UInt* n_pieces)
{
   *n_pieces = 0;
   for (UInt from = 0, to; from < run->n; from = to) {
      to = end_of_piece(run, from);
      VecPiece* piece = &pieces[(*n_pieces)++];
      *piece = (VecPiece){from, to, code_of(run, from, to)};
      if (!piece->code) return False;
   }
   return True;
}

/*--- Code that changes --------------------------------------------------*/

static Bool may_change(Addr address)
{
   const NSegment* segment = VG_(am_find_nsegment)(address);
   return cg2_vec.config.changes || !segment || segment->kind != SkFileC;
}

static ULong bytes_at(const UChar* bytes, UInt n)
{
   ULong word = 0;
   for (UInt i = 0; i < n; i++)
      word |= (ULong)bytes[i] << 8 * i;
   return word;
}

/* In which bits `n` bytes of the program, 4 or 8, differ from those of the run.
 */
static IRExpr* difference(IRSB* out, const VecRun* run, UInt at, UInt n)
{
   IRExpr* address = mkIRExpr_HWord(run->start + at);
   IRExpr* known = mkIRExpr_HWord(bytes_at(run->bytes + at, n));
   IRType type = n == 8 ? Ity_I64 : Ity_I32;
   IRExpr* now =
      cg2_vecir_assign(out, type, IRExpr_Load(Iend_LE, type, address));
   if (n == 4) now = cg2_vecir_word(out, IRExpr_Unop(Iop_32Uto64, now));
   return cg2_vecir_binop(out, Iop_Xor64, now, known);
}

static IRExpr* differences(IRSB* out, const VecRun* run)
{
   UInt length = run->at[run->n], n = length < 8 ? 4 : 8;
   IRExpr* all = difference(out, run, length - n, n);
   for (UInt at = 0; at + n < length; at += n)
      all = cg2_vecir_binop(out, Iop_Or64, all, difference(out, run, at, n));
   return all;
}

/* Has all code of these bytes translated anew when the block is left by
 * Ijk_InvalICache. */
static void put_rewritten(IRSB* out, Addr start, ULong n)
{
   cg2_vecir_put(out, cg2_vecir_state.rewritten, start);
   cg2_vecir_put(out, cg2_vecir_state.n_rewritten, n);
}

/* Leaves the block, to be translated anew, if the program has changed its code.
 * Source: VEX does the same at the start of a block for what it knows. */
static void write_check(IRSB* out, const VecRun* run)
{
   if (!may_change(run->start)) return;
   IRExpr* differs = cg2_vecir_assign(
      out, Ity_I1,
      IRExpr_Binop(Iop_CmpNE64, differences(out, run), mkIRExpr_HWord(0)));
   put_rewritten(out, run->start, run->at[run->n]);
   addStmtToIRSB(out,
                 IRStmt_Exit(differs, Ijk_InvalICache, IRConst_U64(run->start),
                             cg2_vecir_state.next));
}

/*--- The block ----------------------------------------------------------*/

static void add_effect(IRDirty* call, IREffect effect, Int from, Int to)
{
   UInt i = call->nFxState++;
   tl_assert(i < VEX_N_FXSTATE);
   call->fxState[i].fx = effect;
   call->fxState[i].offset = from;
   call->fxState[i].size = to - from;
}

static void write_call(IRSB* out, void* code)
{
   enum { WORD = 8, N_LOWERS = 16 };
   const VecState* s = &cg2_vecir_state;
   IRDirty* call =
      unsafeIRDirty_0_N(0, "cg2_avx512", code, mkIRExprVec_1(IRExpr_GSPTR()));
   VG_(memset)(call->fxState, 0, sizeof call->fxState);
   add_effect(call, Ifx_Modify, s->words, s->next + WORD);
   add_effect(call, Ifx_Read, s->fs, s->rounding + WORD);
   add_effect(call, Ifx_Read, s->gs, s->gs + WORD);
   add_effect(call, Ifx_Modify, s->vectors, s->vectors + N_LOWERS * VEC_HALF);
   add_effect(call, Ifx_Modify, s->mxcsr, s->end);
   addStmtToIRSB(out, IRStmt_Dirty(call));
}

/* Goes on behind the run. After the first one of AVX-512 all code is translated
 * anew. */
static void write_end(IRSB* out, const VecRun* run)
{
   enum { FIRST = 4096 };
   out->next = mkIRExpr_HWord(run->start + run->at[run->n]);
   out->jumpkind = Ijk_Boring;
   if (cg2_vec.has_begun || !cg2_vecrun_has_avx512(run)) return;
   cg2_vec.has_begun = True;
   put_rewritten(out, FIRST, ~(ULong)0 - FIRST);
   out->jumpkind = Ijk_InvalICache;
}

static void write_piece(IRSB* out, const VecRun* run, const VecPiece* piece)
{
   for (UInt i = piece->from; i < piece->to; i++) {
      const VecInstr* instr = &run->instrs[i];
      Addr address = run->start + run->at[i];
      addStmtToIRSB(out, IRStmt_IMark(address, instr->length, 0));
      cg2_vecaccess_write(out, instr, address + instr->length);
   }
   cg2_vecir_put(out, cg2_vecir_state.next, run->start + run->at[piece->from]);
   write_call(out, piece->code);
}

static Int last_mark(const IRSB* block)
{
   Int i = block->stmts_used - 1;
   while (i >= 0 && block->stmts[i]->tag != Ist_IMark)
      i--;
   return i;
}

static Bool is_first_mark(const IRSB* block, Int mark)
{
   for (Int i = 0; i < mark; i++)
      if (block->stmts[i]->tag == Ist_IMark) return False;
   return True;
}

/* Ends a block in front of the instruction in statement `mark`. */
static void end_before(IRSB* block, Int mark)
{
   block->next = mkIRExpr_HWord(block->stmts[mark]->Ist.IMark.addr);
   block->jumpkind = Ijk_Boring;
   block->stmts_used = mark;
}

/* What became of a block that ends in front of what VEX does not know. */
typedef enum VecOutcome { IS_RUN, ENDS_EARLIER, IS_REFUSED } VecOutcome;

/* What stands in the block from statement `mark` on is replaced. */
static VecOutcome execute(IRSB* block, VexGuestExtents* extents, Int mark)
{
   VecRun run;
   VecPiece pieces[VECRUN_MAX];
   UInt n_pieces;
   cg2_vecrun_read(&run, block->stmts[mark]->Ist.IMark.addr,
                   cg2_vec.config.kinds);
   if (run.n == 0) return IS_REFUSED;
   if (!is_first_mark(block, mark)) {
      end_before(block, mark);
      return ENDS_EARLIER;
   }
   if (!make_pieces(&run, pieces, &n_pieces)) return IS_REFUSED;
   block->stmts_used = mark;
   write_check(block, &run);
   for (UInt i = 0; i < n_pieces; i++)
      write_piece(block, &run, &pieces[i]);
   write_end(block, &run);
   extents->len[extents->n_used - 1] += run.at[run.n];
   return IS_RUN;
}

/* VEX gives the instruction that it does not know no length. */
static VecOutcome rewrite_unknown(IRSB* block, VexGuestExtents* extents)
{
   Int mark = last_mark(block);
   if (mark < 0 || block->stmts[mark]->Ist.IMark.len != 0) return IS_REFUSED;
   VecOutcome outcome =
      cg2_vec.config.executes ? execute(block, extents, mark) : IS_REFUSED;
   if (outcome == IS_REFUSED)
      cg2_vecrefusal_tell(block->stmts[mark]->Ist.IMark.addr);
   return outcome;
}

void cg2_vecblock_rewrite(IRSB* block, VexGuestExtents* extents)
{
   cg2_vecrefusal_silence();
   if (block->jumpkind == Ijk_NoDecode &&
       rewrite_unknown(block, extents) == IS_RUN)
      return;
   if (cg2_vec.config.is_told) {
      cg2_veckept_rewrite(block);
      cg2_vecxsave_rewrite(block);
   }
   if (cg2_vec.config.executes && cg2_vec.config.host_has)
      cg2_vecmxcsr_rewrite(block, cg2_vec.has_begun);
   if (cg2_vec.has_begun) cg2_veczero_rewrite(block);
}

void cg2_vecblock_start(void)
{
   const HChar* checked = cg2_arguments_value("--smc-check=");
   VecConfig* config = &cg2_vec.config;
   config->changes = checked && VG_STREQ(checked, "all");
   config->kinds = cg2_cpuid_kinds();
   if (config->is_virtual) config->kinds &= ~HAS_RDPID;
   config->host_has = config->kinds & HAS_AVX512;
   config->executes = config->kinds != 0 && config->mode != AVX512_NO;
   cg2_vecrefusal_start();
   if (config->host_has || config->mode != AVX512_YES) return;
   VG_(umsg)("--avx512=yes: this processor has no AVX-512; expected auto or "
             "no\n");
   VG_(exit)(1);
}

#else

/* The instructions are those of amd64. */
void cg2_vecblock_start(void)
{
   if (cg2_vec.config.mode != AVX512_YES) return;
   VG_(umsg)("--avx512=yes: only 64-bit programs for amd64 have AVX-512\n");
   VG_(exit)(1);
}

void cg2_vecblock_rewrite(IRSB* block, VexGuestExtents* extents)
{
   (void)block, (void)extents;
}

#endif
