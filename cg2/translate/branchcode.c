#include "translate/branchcode.h"

#include "events/eventsconfig.h"
#include "events/mispredictions.h"
#include "model/callgrind/branch.h"
#include "model/described/predictor.h"

/*--- Reading ------------------------------------------------------------*/

static Bool is_indirect(const IRSB* in)
{
   return in->next->tag != Iex_Const &&
          (in->jumpkind == Ijk_Boring || in->jumpkind == Ijk_Call);
}

static Bool is_predicted_return(const IRSB* in)
{
   return in->jumpkind == Ijk_Ret && in->next->tag != Iex_Const &&
          cg2_mispredictions_follows();
}

Bool cg2_branchcode_read(Branches* branches, const IRSB* in, BranchSite site)
{
   if (site.stmt != BRANCH_AT_END) {
      const IRStmt* exit = in->stmts[site.stmt];
      if (exit->Ist.Exit.jk != Ijk_Boring) return False;
      site.guard = exit->Ist.Exit.guard;
      site.exit = cg2_emit_address(exit->Ist.Exit.dst);
   } else if (is_indirect(in) || is_predicted_return(in)) {
      site.target = in->next;
      site.is_return = in->jumpkind == Ijk_Ret;
   } else
      return False;
   tl_assert(branches->n < BRANCHES_MAX);
   branches->of[branches->n++] = site;
   return True;
}

static const BranchEvents* events_of(const BranchSite* site)
{
   const MispredictionsConfig* c = &cg2_events_config.mispredictions;
   return site->guard       ? &c->conditional
          : site->is_return ? &c->returns
                            : &c->indirect;
}

static void find_turned(Branches* branches)
{
   BranchSite* last = NULL;
   for (UInt i = 0; i < branches->n; i++)
      if (branches->of[i].guard) last = &branches->of[i];
   if (last) last->is_turned = last->exit == last->behind;
}

static void note(BlockEvents* events, const BranchSite* site, Bool is_stub)
{
   const BranchEvents* of = events_of(site);
   if (of->all)
      cg2_block_note_event(events, cg2_where_event(site->where, of->all, 1));
   if (!is_stub)
      cg2_block_note_event(events, (BlockEvent){.instr = site->where.instr,
                                                .event = of->mispredicted});
}

void cg2_branchcode_note(Branches* branches, Bool is_stub, BlockEvents* events)
{
   find_turned(branches);
   for (UInt i = 0; i < branches->n; i++)
      note(events, &branches->of[i], is_stub);
}

/*--- Writing ------------------------------------------------------------*/

static void write_stub_cost(Emitter* e, UInt event, IRExpr* wrong, IRExpr* n)
{
   IRExpr* cost = cg2_emit_pointer(&cg2_now.account.stub_cost.of[event]);
   IRExpr* before = cg2_emit_load(e, Ity_I64, cost, 0);
   cg2_emit_store(e, cost, 0, cg2_emit_plus(e, before, n));
   IRExpr* has_any = cg2_emit_pointer(&cg2_now.account.has_stub_cost);
   IRExpr* had_any = cg2_emit_load(e, e->host_word, has_any, 0);
   cg2_emit_store(e, has_any, 0,
                  cg2_emit_word(e, Iop_Or64, Iop_Or32, had_any, wrong));
}

/* Counts whether the prediction of a branch was wrong: `wrong`, a word, is 0 or
 * 1. The branch itself is counted with its segment. */
static void write_count(Emitter* e,
                        const BranchSite* site,
                        const Block* block,
                        IRExpr* wrong)
{
   UInt event = events_of(site)->mispredicted;
   IRExpr* n = cg2_emit_wide(e, wrong);
   cg2_emit_bit(e, event, wrong, n);
   if (block->is_stub)
      write_stub_cost(e, event, wrong, n);
   else
      cg2_emit_cell(e, cg2_block_slot_of(block, site->where.instr, event), n);
}

/* 0 or 1: whether a branch is taken. */
static IRExpr* taken(Emitter* e, const BranchSite* site)
{
   IRExpr* is_taken = (IRExpr*)site->guard;
   if (site->is_turned)
      is_taken = cg2_emit_assign(e, Ity_I1, IRExpr_Unop(Iop_Not1, is_taken));
   return cg2_emit_widened(e, Iop_1Uto64, Iop_1Uto32, is_taken);
}

static IRExpr* number(UWord n)
{
   return mkIRExpr_HWord(n);
}

static IRExpr* predict_described(Emitter* e, const BranchSite* site)
{
   return cg2_emit_answer(e, CG2_PROBE(cg2_mispredictions_conditional),
                          mkIRExprVec_2(number(site->address), taken(e, site)));
}

/* The lowest byte of a word. */
static IRExpr* low_byte(Emitter* e, IRExpr* word)
{
   IROp op = e->host_word == Ity_I64 ? Iop_64to8 : Iop_32to8;
   return cg2_emit_assign(e, Ity_I8, IRExpr_Unop(op, word));
}

/* Predicts a conditional branch as cg2_branch_conditional does. 0 or 1: whether
 * the prediction is wrong. */
static IRExpr* predict(Emitter* e, const BranchSite* site)
{
   HWord counters = (HWord)cg2_branch_counters(site->address);
   IRExpr* is_taken = taken(e, site);
   IRExpr* history = cg2_emit_get(e, e->host_word, CG2_REGISTER(history));
   IRExpr* counter = cg2_emit_widened(
      e, Iop_8Uto64, Iop_8Uto32, cg2_emit_load(e, Ity_I8, history, counters));
   IRExpr* index = cg2_emit_word(e, Iop_Or64, Iop_Or32, counter, is_taken);
   IRExpr* next =
      cg2_emit_widened(e, Iop_8Uto64, Iop_8Uto32,
                       cg2_emit_load(e, Ity_I8, index, (HWord)cg2_branch_next));
   cg2_emit_store(e, history, counters, low_byte(e, next));
   IRExpr* longer = cg2_emit_word(e, Iop_Shl64, Iop_Shl32, history,
                                  IRExpr_Const(IRConst_U8(1)));
   longer = cg2_emit_word(e, Iop_Or64, Iop_Or32, longer, is_taken);
   cg2_emit_put(e, CG2_REGISTER(history),
                cg2_emit_word(e, Iop_And64, Iop_And32, longer,
                              number(BRANCH_HISTORY_MASK)));
   return cg2_emit_word(e, Iop_Shr64, Iop_Shr32, next,
                        IRExpr_Const(IRConst_U8(BRANCH_WRONG_BIT)));
}

/* Predicts an indirect branch as cg2_branch_indirect does. 0 or 1: whether the
 * prediction is wrong. */
static IRExpr* predict_target(Emitter* e, const BranchSite* site)
{
   if (cg2_mispredictions_follows())
      return cg2_emit_answer(
         e, CG2_PROBE(cg2_mispredictions_indirect),
         mkIRExprVec_2(number(site->address), (IRExpr*)site->target));
   IRExpr* where = cg2_emit_pointer(cg2_branch_target(site->address));
   IRExpr* target = (IRExpr*)site->target;
   IRExpr* is_wrong =
      cg2_emit_differ(e, cg2_emit_load(e, e->host_word, where, 0), target);
   cg2_emit_store(e, where, 0, target);
   return cg2_emit_widened(e, Iop_1Uto64, Iop_1Uto32, is_wrong);
}

/* The top of the return stack, moved by so many calls. */
static IRExpr* moved(Emitter* e, IRExpr* top, Int calls)
{
   UWord size = RETURNS * sizeof(Addr);
   IRExpr* next =
      cg2_emit_word(e, Iop_Add64, Iop_Add32, top, number(calls * sizeof(Addr)));
   return cg2_emit_word(e, Iop_And64, Iop_And32, next, number(size - 1));
}

void cg2_branchcode_write_call(Emitter* e, Addr behind)
{
   if (!cg2_mispredictions_follows()) return;
   Returns* returns = cg2_predictor_returns();
   IRExpr* where = cg2_emit_pointer(&returns->top);
   IRExpr* top = moved(e, cg2_emit_load(e, e->host_word, where, 0), 1);
   cg2_emit_store(e, where, 0, top);
   cg2_emit_store(e, top, (HWord)returns->behind, number(behind));
}

/* Predicts a return as returns.h describes. 0 or 1: whether the prediction is
 * wrong. */
static IRExpr* predict_return(Emitter* e, const BranchSite* site)
{
   Returns* returns = cg2_predictor_returns();
   IRExpr* where = cg2_emit_pointer(&returns->top);
   IRExpr* top = cg2_emit_load(e, e->host_word, where, 0);
   IRExpr* predicted =
      cg2_emit_load(e, e->host_word, top, (HWord)returns->behind);
   cg2_emit_store(e, where, 0, moved(e, top, -1));
   IRExpr* is_wrong = cg2_emit_differ(e, predicted, (IRExpr*)site->target);
   return cg2_emit_widened(e, Iop_1Uto64, Iop_1Uto32, is_wrong);
}

void cg2_branchcode_write(Emitter* e,
                          const BranchSite* site,
                          const Block* block)
{
   IRExpr* wrong = site->is_return ? predict_return(e, site)
                   : !site->guard  ? predict_target(e, site)
                   : cg2_mispredictions_is_inline()
                      ? predict(e, site)
                      : predict_described(e, site);
   write_count(e, site, block, wrong);
}
