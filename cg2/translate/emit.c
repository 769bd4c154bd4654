#include "translate/emit.h"

#include "pub_tool_machine.h"

Addr cg2_emit_address(const IRConst* c)
{
   return c->tag == Ico_U64 ? c->Ico.U64 : c->Ico.U32;
}

IRExpr* cg2_emit_assign(Emitter* e, IRType type, IRExpr* value)
{
   IRTemp temp = newIRTemp(e->out->tyenv, type);
   addStmtToIRSB(e->out, IRStmt_WrTmp(temp, value));
   return IRExpr_RdTmp(temp);
}

IRExpr* cg2_emit_get(Emitter* e, IRType type, Int offset)
{
   return cg2_emit_assign(e, type, IRExpr_Get(offset, type));
}

void cg2_emit_put(Emitter* e, Int offset, IRExpr* value)
{
   addStmtToIRSB(e->out, IRStmt_Put(offset, value));
}

/* The address base + offset. Each access has a temporary of its own, as VEX
 * folds a temporary that is used once into the addressing mode. */
static IRExpr* at(Emitter* e, IRExpr* base, HWord offset)
{
   if (offset == 0) return base;
   return cg2_emit_word(e, Iop_Add64, Iop_Add32, base, mkIRExpr_HWord(offset));
}

IRExpr* cg2_emit_load(Emitter* e, IRType type, IRExpr* base, HWord offset)
{
   return cg2_emit_assign(e, type,
                          IRExpr_Load(Iend_LE, type, at(e, base, offset)));
}

void cg2_emit_store(Emitter* e, IRExpr* base, HWord offset, IRExpr* value)
{
   addStmtToIRSB(e->out, IRStmt_Store(Iend_LE, at(e, base, offset), value));
}

IRExpr* cg2_emit_word(Emitter* e, IROp op64, IROp op32, IRExpr* a, IRExpr* b)
{
   IROp op = e->host_word == Ity_I64 ? op64 : op32;
   return cg2_emit_assign(e, e->host_word, IRExpr_Binop(op, a, b));
}

IRExpr* cg2_emit_widened(Emitter* e, IROp op64, IROp op32, IRExpr* a)
{
   IROp op = e->host_word == Ity_I64 ? op64 : op32;
   return cg2_emit_assign(e, e->host_word, IRExpr_Unop(op, a));
}

IRExpr* cg2_emit_wide(Emitter* e, IRExpr* word)
{
   if (e->host_word == Ity_I64) return word;
   return cg2_emit_assign(e, Ity_I64, IRExpr_Unop(Iop_32Uto64, word));
}

IRExpr* cg2_emit_differ(Emitter* e, IRExpr* a, IRExpr* b)
{
   IROp op = e->host_word == Ity_I64 ? Iop_CmpNE64 : Iop_CmpNE32;
   return cg2_emit_assign(e, Ity_I1, IRExpr_Binop(op, a, b));
}

IRExpr* cg2_emit_exceeds(Emitter* e, IRExpr* n, UWord most)
{
   IROp le = e->host_word == Ity_I64 ? Iop_CmpLE64U : Iop_CmpLE32U;
   IRExpr* fits = IRExpr_Binop(le, n, mkIRExpr_HWord(most));
   return cg2_emit_assign(
      e, Ity_I1, IRExpr_Unop(Iop_Not1, cg2_emit_assign(e, Ity_I1, fits)));
}

IRExpr* cg2_emit_number(ULong n)
{
   return IRExpr_Const(IRConst_U64(n));
}

IRExpr* cg2_emit_plus(Emitter* e, IRExpr* a, IRExpr* b)
{
   return cg2_emit_assign(e, Ity_I64, IRExpr_Binop(Iop_Add64, a, b));
}

void cg2_emit_count(Emitter* e, Int offset, IRExpr* n)
{
   cg2_emit_put(e, offset,
                cg2_emit_plus(e, cg2_emit_get(e, Ity_I64, offset), n));
}

void cg2_emit_total(Emitter* e, UInt event, IRExpr* n)
{
   cg2_emit_probe(e, CG2_PROBE(cg2_probe_count),
                  mkIRExprVec_3(mkIRExpr_HWord(event), n, IRExpr_GSPTR()),
                  NULL);
}

void cg2_emit_bit(Emitter* e, UInt event, IRExpr* bit, IRExpr* n)
{
   EventField field = cg2_event_field(event);
   if (field.counter == COUNTER_CLOCK || field.bit)
      cg2_emit_total(e, event, bit);
   else
      cg2_emit_count(e, cg2_emit_counter(field.counter), n);
}

void cg2_emit_cell(Emitter* e, UInt slot, IRExpr* n)
{
   IRExpr* cells = cg2_emit_get(e, e->host_word, CG2_REGISTER(cells));
   HWord cell = slot * sizeof(ULong);
   IRExpr* before = cg2_emit_load(e, Ity_I64, cells, cell);
   cg2_emit_store(e, cells, cell, cg2_emit_plus(e, before, n));
}

static UInt count_args(IRExpr** args)
{
   UInt n = 0;
   while (args[n])
      n++;
   return n;
}

void cg2_emit_call(
   Emitter* e, const HChar* name, void* function, IRExpr** args, IRExpr* guard)
{
   IRDirty* call = unsafeIRDirty_0_N(count_args(args), name,
                                     VG_(fnptr_to_fnentry)(function), args);
   if (guard) call->guard = guard;
   addStmtToIRSB(e->out, IRStmt_Dirty(call));
}

void cg2_emit_probe(
   Emitter* e, const HChar* name, void* probe, IRExpr** args, IRExpr* guard)
{
   UInt n_in_registers = count_args(args) - 1;
   if (!GUESTSTATE_IS_PASSED) args[n_in_registers] = NULL;
   IRDirty* call = unsafeIRDirty_0_N(n_in_registers, name,
                                     VG_(fnptr_to_fnentry)(probe), args);
   if (guard) call->guard = guard;
   call->nFxState = 1;
   VG_(memset)(&call->fxState[0], 0, sizeof call->fxState[0]);
   call->fxState[0].fx = Ifx_Modify;
   call->fxState[0].offset = CG2_REGISTERS_OFFSET;
   call->fxState[0].size = sizeof(Registers);
   addStmtToIRSB(e->out, IRStmt_Dirty(call));
}

IRExpr*
cg2_emit_answer(Emitter* e, const HChar* name, void* function, IRExpr** args)
{
   IRTemp answer = newIRTemp(e->out->tyenv, e->host_word);
   IRDirty* call = unsafeIRDirty_1_N(answer, count_args(args), name,
                                     VG_(fnptr_to_fnentry)(function), args);
   addStmtToIRSB(e->out, IRStmt_Dirty(call));
   return IRExpr_RdTmp(answer);
}
