#include "avx512/vecxsave.h"

#include "avx512/vecconfig.h"

#if defined(GUEST_HAS_AVX512)

#include "arch/cpuid.h"
#include "avx512/vecaccess.h"
#include "avx512/vecdecode.h"
#include "avx512/vecir.h"
#include "pub_tool_machine.h"
#include "pub_tool_tooliface.h"

/* Source: Intel's manual, volume 1, 13.4: the header of an area says which
 * parts it has. Parts 5 to 7 are masks, upper halves of vectors 0 to 15, and
 * vectors 16 to 31. */
enum { HEADER = 512, FIRST = 5, N_PARTS = 3, LEAF = 13 };

typedef struct XsavePart {
   Int from;  /* in the guest state */
   UInt size; /* bytes, there and in the area */
   ULong bit; /* in RAX and in the header */
} XsavePart;

static XsavePart part(UInt i)
{
   const VecState* s = &cg2_vecir_state;
   const Int from[] = {s->masks, s->uppers, s->wholes};
   const UInt sizes[] = {8 * VEC_MASK, 16 * VEC_HALF, 16 * VEC_WHOLE};
   return (XsavePart){from[i], sizes[i], 1UL << (FIRST + i)};
}

/* Where part number `i` is in an area. To be asked when code is made: CPUID
 * takes long in a virtual machine. */
static UInt place_of(UInt i)
{
   UInt here[CPUID_REGISTERS];
   cg2_cpuid_here(LEAF, FIRST + i, here);
   return here[CPUID_EBX];
}

/*--- What the program's code calls --------------------------------------*/

static Bool is_clear(const UChar* bytes, UInt n)
{
   for (UInt i = 0; i < n; i++)
      if (bytes[i]) return False;
   return True;
}

/* A part that is as a processor begins is not said to be there. */
static void save(UChar* guest, Addr area, UWord i, UWord place)
{
   XsavePart p = part(i);
   ULong* header = (ULong*)(area + HEADER);
   VG_(memcpy)((void*)(area + place), guest + p.from, p.size);
   *header =
      is_clear(guest + p.from, p.size) ? *header & ~p.bit : *header | p.bit;
}

static void restore(UChar* guest, Addr area, UWord i, UWord place)
{
   XsavePart p = part(i);
   VG_(memcpy)(guest + p.from, (const void*)(area + place), p.size);
}

static void clear(UChar* guest, Addr area, UWord i, UWord place)
{
   XsavePart p = part(i);
   (void)area, (void)place;
   VG_(memset)(guest + p.from, 0, p.size);
}

/*--- The calls ----------------------------------------------------------*/

static IRExpr* has_bit(IRSB* out, IRExpr* bits, ULong bit)
{
   IRExpr* masked = cg2_vecir_binop(out, Iop_And64, bits, mkIRExpr_HWord(bit));
   return cg2_vecir_assign(
      out, Ity_I1, IRExpr_Binop(Iop_CmpNE64, masked, mkIRExpr_HWord(0)));
}

/* A call for part number `i`. With an effect `memory` it reads or writes the
 * area; `state` is what it does to the part. */
static void write_call(IRSB* out,
                       const HChar* name,
                       void (*function)(UChar*, Addr, UWord, UWord),
                       IRExpr* guard,
                       IRExpr* area,
                       UInt i,
                       IREffect memory,
                       IREffect state)
{
   XsavePart p = part(i);
   IRExpr* place = mkIRExpr_HWord(place_of(i));
   IRDirty* call = unsafeIRDirty_0_N(
      0, name, VG_(fnptr_to_fnentry)((void*)function),
      mkIRExprVec_4(IRExpr_GSPTR(), area, mkIRExpr_HWord(i), place));
   call->guard = guard;
   call->mFx = memory;
   if (memory != Ifx_None) {
      call->mAddr = cg2_vecir_binop(out, Iop_Add64, area, place);
      call->mSize = p.size;
   }
   VG_(memset)(call->fxState, 0, sizeof call->fxState);
   call->nFxState = 1;
   call->fxState[0].fx = state;
   call->fxState[0].offset = p.from;
   call->fxState[0].size = p.size;
   addStmtToIRSB(out, IRStmt_Dirty(call));
}

static IRExpr* wanted(IRSB* out)
{
   return cg2_vecir_get(out, cg2_vecstate_word(&cg2_vecir_state, 0));
}

static void write_save(IRSB* out, IRExpr* area)
{
   IRExpr* bits = wanted(out);
   for (UInt i = 0; i < N_PARTS; i++)
      write_call(out, "cg2_vecxsave_save", save,
                 has_bit(out, bits, part(i).bit), area, i, Ifx_Write, Ifx_Read);
}

/* `header` is what the area says to have. What it has not becomes as a
 * processor begins. */
static void write_restore(IRSB* out, IRExpr* area, IRExpr* header)
{
   IRExpr* bits = wanted(out);
   IRExpr* there = cg2_vecir_binop(out, Iop_And64, bits, header);
   IRExpr* missing = cg2_vecir_binop(out, Iop_Xor64, bits, there);
   for (UInt i = 0; i < N_PARTS; i++) {
      write_call(out, "cg2_vecxsave_restore", restore,
                 has_bit(out, there, part(i).bit), area, i, Ifx_Read,
                 Ifx_Write);
      write_call(out, "cg2_vecxsave_clear", clear,
                 has_bit(out, missing, part(i).bit), area, i, Ifx_None,
                 Ifx_Write);
   }
}

/*--- The block ----------------------------------------------------------*/

typedef enum XsaveKind { IS_OTHER, IS_SAVE, IS_RESTORE } XsaveKind;

/* The instruction that is being written. */
typedef struct Xsave {
   XsaveKind kind;
   VecMemory memory;
   Addr behind;
   IRExpr* header; /* what XRSTOR has read of the area; NULL: nothing yet */
} Xsave;

static Xsave instruction(const IRStmt* mark)
{
   Addr address = mark->Ist.IMark.addr;
   UInt n = mark->Ist.IMark.len;
   Xsave found = {.kind = IS_OTHER, .behind = address + n};
   Bool is_saved;
   if (cg2_vecdecode_kept((const UChar*)address, n, &found.memory, &is_saved))
      found.kind = is_saved ? IS_SAVE : IS_RESTORE;
   return found;
}

static Bool is_concerned(const IRSB* block)
{
   for (Int i = 0; i < block->stmts_used; i++) {
      const IRStmt* s = block->stmts[i];
      if (s->tag == Ist_IMark && instruction(s).kind != IS_OTHER) return True;
   }
   return False;
}

/* VEX's first load of 64 bits for XRSTOR is of the header; it refuses parts
 * that it does not know, so it does not see them. */
static Bool reads_header(const Xsave* x, const IRStmt* s)
{
   return x->kind == IS_RESTORE && !x->header && s->tag == Ist_WrTmp &&
          s->Ist.WrTmp.data->tag == Iex_Load &&
          s->Ist.WrTmp.data->Iex.Load.ty == Ity_I64;
}

static void write_header(IRSB* out, Xsave* x, const IRStmt* s)
{
   x->header = cg2_vecir_word(out, s->Ist.WrTmp.data);
   ULong hidden = ((1UL << N_PARTS) - 1) << FIRST;
   addStmtToIRSB(out, IRStmt_WrTmp(s->Ist.WrTmp.tmp,
                                   IRExpr_Binop(Iop_And64, x->header,
                                                mkIRExpr_HWord(~hidden))));
}

/* Behind the instruction. What it asked for is still in RAX, and addresses are
 * what they were. */
static void write_kept(IRSB* out, const Xsave* x)
{
   if (x->kind == IS_OTHER) return;
   IRExpr* area = cg2_vecaccess_address(out, &x->memory, x->behind);
   if (x->kind == IS_SAVE)
      write_save(out, area);
   else if (x->header)
      write_restore(out, area, x->header);
}

void cg2_vecxsave_rewrite(IRSB* block)
{
   if (!is_concerned(block)) return;
   Int n;
   IRStmt** stmts = cg2_vecir_take(block, &n);
   Xsave xsave = {.kind = IS_OTHER};
   for (Int i = 0; i < n; i++) {
      IRStmt* s = stmts[i];
      if (s->tag == Ist_IMark) {
         write_kept(block, &xsave);
         xsave = instruction(s);
      }
      if (reads_header(&xsave, s))
         write_header(block, &xsave, s);
      else
         addStmtToIRSB(block, s);
   }
   write_kept(block, &xsave);
}

#endif
