#include "translate/clock.h"

/* The accesses that an instruction has ticks for. */
enum { AT_ONE_INSTR = CLOCK_INSTR / ACCESS_TICKS };

/* The counter moves on by the ticks of `n` instructions; what it was. */
static IRExpr* move_on(Emitter* e, UInt n)
{
   Int offset = cg2_emit_counter(COUNTER_CLOCK);
   IRExpr* before = cg2_emit_get(e, e->host_word, offset);
   cg2_emit_put(e, offset,
                cg2_emit_word(e, Iop_Add64, Iop_Add32, before,
                              mkIRExpr_HWord(n * CLOCK_INSTR)));
   return before;
}

void cg2_clock_advance(Emitter* e, Clock* clock, UInt n_instrs, UInt n_accesses)
{
   if (n_instrs == 0 && n_accesses <= clock->left) {
      clock->left -= n_accesses;
      return;
   }
   UInt needed = (n_accesses + AT_ONE_INSTR - 1) / AT_ONE_INSTR;
   UInt n = n_instrs < needed ? needed : n_instrs;
   clock->time = move_on(e, n);
   if (n > n_instrs)
      cg2_emit_total(e, EVENT_IR, mkIRExpr_HWord((HWord)n_instrs - n));
   clock->left = n * AT_ONE_INSTR - n_accesses;
   clock->data.are_there = clock->code.are_there = False;
   if (clock->gives_times && e->host_word == Ity_I64)
      clock->time =
         cg2_emit_assign(e, Ity_I32, IRExpr_Unop(Iop_64to32, clock->time));
}

static AccessedAtOnce* at_once(Clock* clock, AccessKind kind)
{
   return kind == ACCESS_FETCH ? &clock->code : &clock->data;
}

IRExpr* cg2_clock_later(Emitter* e, IRExpr* time, UInt ticks)
{
   return cg2_emit_assign(
      e, Ity_I32,
      IRExpr_Binop(Iop_Add32, time, IRExpr_Const(IRConst_U32(ticks))));
}

/* A later time is the one before plus a constant: then that one needs no
 * register any more. */
IRExpr* cg2_clock_access(Emitter* e,
                         Clock* clock,
                         AccessKind kind,
                         const SpotRange* range,
                         UWord near)
{
   AccessedAtOnce* others = at_once(clock, kind);
   if (others->are_there) {
      if (cg2_spots_join(&others->range, range, near)) return clock->time;
      clock->time = cg2_clock_later(e, clock->time, ACCESS_TICKS);
   }
   *others = (AccessedAtOnce){True, *range};
   return clock->time;
}

void cg2_clock_pass(Clock* clock, AccessKind kind)
{
   *at_once(clock, kind) = (AccessedAtOnce){True, {.base = IRTemp_INVALID}};
}
