#include "avx512/vecaccess.h"

#include "events/eventsconfig.h"

Bool cg2_vecaccess_is_on(void)
{
   return cg2_events_config.accesses.is_on;
}

Bool cg2_vecaccess_depends(const VecInstr* instr, UInt vectors, UInt masks)
{
   const VecMemory* memory = &instr->memory;
   if (!instr->has_memory) return False;
   return (memory->mask && masks >> memory->mask & 1) ||
          (memory->vector != VEC_NONE && vectors >> memory->vector & 1);
}

#if defined(GUEST_HAS_AVX512)

#include "avx512/vecir.h"
#include "pub_tool_machine.h"
#include "pub_tool_tooliface.h"

/*--- Addresses ----------------------------------------------------------*/

static IRExpr* number(ULong n)
{
   return mkIRExpr_HWord(n);
}

static IRExpr* plus(IRSB* out, IRExpr* a, IRExpr* b)
{
   return cg2_vecir_binop(out, Iop_Add64, a, b);
}

static IRExpr* shifted(IRSB* out, IRExpr* a, UInt scale)
{
   return cg2_vecir_binop(out, Iop_Shl64, a, IRExpr_Const(IRConst_U8(scale)));
}

static IRExpr* word(IRSB* out, UInt r)
{
   return cg2_vecir_get(out, cg2_vecstate_word(&cg2_vecir_state, r));
}

/* The address without an index from a vector, and without a segment. */
static IRExpr* base_of(IRSB* out, const VecMemory* memory, Addr behind)
{
   ULong constant = memory->displacement + (memory->from_next ? behind : 0);
   IRExpr* sum = number(constant);
   if (memory->base != VEC_NONE) sum = plus(out, sum, word(out, memory->base));
   if (memory->index != VEC_NONE)
      sum =
         plus(out, sum, shifted(out, word(out, memory->index), memory->scale));
   return sum;
}

static IRExpr* finished(IRSB* out, const VecMemory* memory, IRExpr* sum)
{
   const VecState* state = &cg2_vecir_state;
   if (memory->is_short)
      sum = cg2_vecir_binop(out, Iop_And64, sum, number(0xffffffff));
   if (memory->segment == VEC_FLAT) return sum;
   Int at = memory->segment == VEC_FS ? state->fs : state->gs;
   return plus(out, sum, cg2_vecir_get(out, at));
}

/* Index number `i` of a vector. */
static IRExpr* index_of(IRSB* out, const VecMemory* memory, UInt i)
{
   const VecState* state = &cg2_vecir_state;
   UInt at = i * memory->index_bytes, v = memory->vector;
   Int offset = v < 16 && at >= VEC_HALF
                   ? cg2_vecstate_upper(state, v) + (Int)at - VEC_HALF
                   : cg2_vecstate_vector(state, v) + (Int)at;
   if (memory->index_bytes == 8) return cg2_vecir_get(out, offset);
   IRExpr* half = cg2_vecir_assign(out, Ity_I32, IRExpr_Get(offset, Ity_I32));
   return cg2_vecir_word(out, IRExpr_Unop(Iop_32Sto64, half));
}

/*--- Telling ------------------------------------------------------------*/

/* What tells of an access, and does nothing. */
static void tell(void) {}

/* Tells of an access that happens if `guard`, which may be NULL. */
static void write_access(IRSB* out,
                         const VecMemory* memory,
                         IRExpr* address,
                         UInt size,
                         IRExpr* guard)
{
   IRDirty* call = unsafeIRDirty_0_N(
      0, "cg2_vecaccess", VG_(fnptr_to_fnentry)((void*)tell), mkIRExprVec_0());
   if (guard) call->guard = guard;
   call->mFx = memory->is_written ? Ifx_Write : Ifx_Read;
   call->mAddr = address;
   call->mSize = size;
   addStmtToIRSB(out, IRStmt_Dirty(call));
}

static IRExpr* mask_of(IRSB* out, const VecMemory* memory)
{
   return cg2_vecir_get(out, cg2_vecstate_mask(&cg2_vecir_state, memory->mask));
}

static IRExpr* is_equal(IRSB* out, IRExpr* a, ULong n)
{
   return cg2_vecir_assign(out, Ity_I1,
                           IRExpr_Binop(Iop_CmpEQ64, a, number(n)));
}

/* Whether any of the lowest `n` bits of a mask is set. */
static IRExpr* is_any(IRSB* out, IRExpr* mask, UInt n)
{
   IRExpr* bits =
      cg2_vecir_binop(out, Iop_And64, mask, number(~(ULong)0 >> (64 - n)));
   return cg2_vecir_assign(out, Ity_I1,
                           IRExpr_Binop(Iop_CmpNE64, bits, number(0)));
}

/* Each chosen element has an address of its own. */
static void write_elements(IRSB* out, const VecMemory* memory, IRExpr* base)
{
   IRExpr* mask = mask_of(out, memory);
   for (UInt i = 0; i < memory->n_elements; i++) {
      IRExpr* index = shifted(out, index_of(out, memory, i), memory->scale);
      IRExpr* address = finished(out, memory, plus(out, base, index));
      IRExpr* bit =
         cg2_vecir_binop(out, Iop_And64, mask, number((ULong)1 << i));
      IRExpr* guard = cg2_vecir_assign(
         out, Ity_I1, IRExpr_Binop(Iop_CmpNE64, bit, number(0)));
      write_access(out, memory, address, memory->size, guard);
   }
}

/*--- Spans --------------------------------------------------------------*/

/* An access has a size that is known beforehand. So each size that a mask may
 * choose is an access of its own, of which one happens: sizes are counted in
 * pieces, up to so many. */
enum { PIECES_MAX = 16 };

static UInt elements_in_piece(const VecMemory* memory)
{
   return memory->n_elements > PIECES_MAX ? memory->n_elements / PIECES_MAX : 1;
}

/* The first piece that a mask chooses some of, and, 8 bits on, how many pieces
 * there are up to the last such; 0: it chooses nothing. */
static ULong span_of(ULong mask, UWord n_elements, UWord in_piece, UWord packed)
{
   mask &= ~(ULong)0 >> (64 - n_elements);
   if (!mask) return 0;
   UWord first = __builtin_ctzll(mask), last = 63 - __builtin_clzll(mask);
   if (packed) {
      first = 0, last = 0;
      for (mask &= mask - 1; mask; mask &= mask - 1)
         last++;
   }
   first /= in_piece;
   return first | (last / in_piece - first + 1) << 8;
}

static IRExpr* span_in(IRSB* out, const VecMemory* memory)
{
   IRExpr** args =
      mkIRExprVec_4(mask_of(out, memory), number(memory->n_elements),
                    number(elements_in_piece(memory)),
                    number(memory->choice == CHOICE_PACKED));
   return cg2_vecir_word(
      out, mkIRExprCCall(Ity_I64, 0, "cg2_vecaccess_span",
                         VG_(fnptr_to_fnentry)((void*)span_of), args));
}

static void write_span(IRSB* out, const VecMemory* memory, IRExpr* address)
{
   UInt piece = elements_in_piece(memory) * memory->element;
   UInt n_pieces = memory->n_elements * memory->element / piece;
   IRExpr* span = span_in(out, memory);
   IRExpr* first = cg2_vecir_binop(out, Iop_And64, span, number(0xff));
   IRExpr* n =
      cg2_vecir_binop(out, Iop_Shr64, span, IRExpr_Const(IRConst_U8(8)));
   address =
      plus(out, address, cg2_vecir_binop(out, Iop_Mul64, first, number(piece)));
   for (UInt i = 1; i <= n_pieces; i++)
      write_access(out, memory, address, i * piece, is_equal(out, n, i));
}

/*--- All ----------------------------------------------------------------*/

IRExpr* cg2_vecaccess_address(IRSB* out, const VecMemory* memory, Addr behind)
{
   return finished(out, memory, base_of(out, memory, behind));
}

void cg2_vecaccess_write(IRSB* out, const VecInstr* instr, Addr behind)
{
   const VecMemory* memory = &instr->memory;
   if (!instr->has_memory || !cg2_vecaccess_is_on()) return;
   IRExpr* base = base_of(out, memory, behind);
   if (memory->vector != VEC_NONE) {
      write_elements(out, memory, base);
      return;
   }
   IRExpr* address = finished(out, memory, base);
   switch (memory->choice) {
   case CHOICE_EACH:
   case CHOICE_PACKED:
      write_span(out, memory, address);
      return;
   case CHOICE_ONE:
   case CHOICE_REPEATS:
      write_access(out, memory, address, memory->size,
                   is_any(out, mask_of(out, memory), memory->n_elements));
      return;
   default:
      write_access(out, memory, address, memory->size, NULL);
   }
}

#endif
