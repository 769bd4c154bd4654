#include "instrument.h"

#include "probe.h"
#include "pub_tool_machine.h"
#include "symbols.h"
#include <stddef.h>

InstrumentConfig cg2_instrument_config = {.skip_stubs = True};

/* VEX ends a block after at most 100 instructions (--vex-guest-max-insns). */
enum { INSTRS_MAX = 128, EXITS_MAX = INSTRS_MAX + 1, AT_END = -1 };

/* A block on its way from IR to IR. */
typedef struct Translation {
   IRSB* in;
   IRSB* out;
   const VexGuestLayout* layout;
   IRType guest_word, host_word;
   Int first; /* statement: the first IMark */
   Addr address;
   Place place;
   UShort instrs[INSTRS_MAX];
   UShort segments[INSTRS_MAX];
   struct {
      Int stmt; /* of a side exit; AT_END for the last */
      UShort instr;
      UShort kind;
      UShort end; /* bytes from the block's start to behind its instruction */
   } exits[EXITS_MAX];
   UInt n_instrs, n_segments, n_exits;
   UInt end; /* bytes to behind the last instruction so far */
   Block* block;
   IRTemp now; /* holds &cg2_now */
   IRExpr* sp; /* what the block put into the stack pointer last, or NULL */
} Translation;

/*--- Reading the block --------------------------------------------------*/

static Bool find_first_instr(Translation* t)
{
   for (t->first = 0; t->first < t->in->stmts_used; t->first++) {
      const IRStmt* s = t->in->stmts[t->first];
      if (s->tag != Ist_IMark) continue;
      t->address = s->Ist.IMark.addr;
      t->place = cg2_symbols_find(t->address);
      return True;
   }
   return False;
}

static Addr constant_target(const IRConst* c)
{
   return c->tag == Ico_U64 ? c->Ico.U64 : c->Ico.U32;
}

static void add_exit(Translation* t, Int stmt, ExitKind kind)
{
   tl_assert(t->n_exits < EXITS_MAX);
   t->exits[t->n_exits].stmt = stmt;
   t->exits[t->n_exits].instr = t->n_instrs - 1;
   t->exits[t->n_exits].kind = kind;
   t->exits[t->n_exits].end = t->end;
   t->n_exits++;
}

/* A conditional branch to somewhere that is not in this function. */
static Bool side_exit_leaves(const Translation* t, const IRStmt* s)
{
   return s->Ist.Exit.jk == Ijk_Boring &&
          cg2_symbols_leaves(&t->place, t->address,
                             constant_target(s->Ist.Exit.dst));
}

static ExitKind final_exit_kind(const Translation* t)
{
   switch (t->in->jumpkind) {
   case Ijk_Call:
      return EXIT_CALL;
   case Ijk_Ret:
      return EXIT_RETURN;
   case Ijk_Boring: {
      const IRExpr* next = t->in->next;
      Bool leaves = next->tag != Iex_Const ||
                    cg2_symbols_leaves(&t->place, t->address,
                                       constant_target(next->Iex.Const.con));
      return leaves ? EXIT_JUMP : EXIT_NONE;
   }
   default:
      return EXIT_NONE;
   }
}

static void read_instr(Translation* t, const IRStmt* s, Bool starts_segment)
{
   tl_assert(t->n_instrs < INSTRS_MAX);
   UShort offset = s->Ist.IMark.addr - t->address;
   t->instrs[t->n_instrs++] = offset;
   t->end = offset + s->Ist.IMark.len;
   if (starts_segment) t->segments[t->n_segments++] = 0;
   t->segments[t->n_segments - 1]++;
}

static void read_block(Translation* t)
{
   Bool starts_segment = True;
   Bool is_stub = t->place.is_stub && cg2_instrument_config.skip_stubs;
   for (Int i = t->first; i < t->in->stmts_used; i++) {
      const IRStmt* s = t->in->stmts[i];
      if (s->tag == Ist_IMark) {
         read_instr(t, s, starts_segment);
         starts_segment = False;
      } else if (s->tag == Ist_Exit) {
         starts_segment = True;
         if (!is_stub && side_exit_leaves(t, s)) add_exit(t, i, EXIT_JUMP);
      }
   }
   if (is_stub) return;
   ExitKind final = final_exit_kind(t);
   if (final != EXIT_NONE) add_exit(t, AT_END, final);
}

/*--- Its record ---------------------------------------------------------*/

/* Where code without a symbol has its slots. Any function would do; best is
 * the one that will run there. */
static Function* choose_home(const Place* place)
{
   const Context* context = cg2_thread_expect();
   if (context && context->function->object == place->object)
      return context->function;
   return cg2_code_function_at(place->object, place->offset);
}

static void find_or_add_block(Translation* t)
{
   BlockShape shape = {.object = t->place.object,
                       .offset = t->place.offset,
                       .n_instrs = t->n_instrs,
                       .n_segments = t->n_segments,
                       .n_exits = t->n_exits,
                       .instrs = t->instrs,
                       .segments = t->segments};
   Block* b = cg2_code_find_block(&shape);
   if (!b) {
      Bool is_stub = t->place.is_stub && cg2_instrument_config.skip_stubs;
      Function* home = is_stub             ? NULL
                       : t->place.function ? t->place.function
                                           : choose_home(&t->place);
      b = cg2_code_add_block(&shape, t->place.function, home);
      b->is_entry = t->place.is_entry;
      b->is_stub = is_stub;
      if (home) cg2_context_grow_cells(home);
      cg2_thread_refresh();
   }
   b->address = t->address;
   for (UInt i = 0; i < t->n_exits; i++) {
      Exit* exit = &cg2_block_exits(b)[i];
      exit->block = b;
      exit->instr = t->exits[i].instr;
      exit->kind = t->exits[i].kind;
      exit->return_address = t->address + t->exits[i].end;
   }
   t->block = b;
}

/*--- Writing IR ---------------------------------------------------------*/

static IRExpr* assign(Translation* t, IRType type, IRExpr* e)
{
   IRTemp temp = newIRTemp(t->out->tyenv, type);
   addStmtToIRSB(t->out, IRStmt_WrTmp(temp, e));
   return IRExpr_RdTmp(temp);
}

#if defined(VG_BIGENDIAN)
#define ENDNESS Iend_BE
#else
#define ENDNESS Iend_LE
#endif

static IRExpr* pointer(const void* p)
{
   return mkIRExpr_HWord((HWord)p);
}

/* Generated code reaches cg2_now through a register that is loaded once per
 * block from the first word of the guest state's shadow, where main puts its
 * address. As a constant the address would be spelled out, 10 bytes, at each of
 * four to eight accesses. */
static void write_now(Translation* t)
{
   t->now = newIRTemp(t->out->tyenv, t->host_word);
   addStmtToIRSB(t->out, IRStmt_WrTmp(t->now, IRExpr_Get(t->layout->total_sizeB,
                                                         t->host_word)));
}

/* base + offset. A new temporary for each access: VEX folds one that is used
 * once into the addressing mode. */
static IRExpr* at(Translation* t, IRTemp base, HWord offset)
{
   IROp add = t->host_word == Ity_I64 ? Iop_Add64 : Iop_Add32;
   if (offset == 0) return IRExpr_RdTmp(base);
   return assign(t, t->host_word,
                 IRExpr_Binop(add, IRExpr_RdTmp(base), mkIRExpr_HWord(offset)));
}

static IRExpr* load(Translation* t, IRType type, IRTemp base, HWord offset)
{
   return assign(t, type, IRExpr_Load(ENDNESS, type, at(t, base, offset)));
}

static void store(Translation* t, IRTemp base, HWord offset, IRExpr* value)
{
   addStmtToIRSB(t->out, IRStmt_Store(ENDNESS, at(t, base, offset), value));
}

/* The 64-bit counter at base + offset. */
static void add_to(Translation* t, IRTemp base, HWord offset, ULong n)
{
   IRExpr* old = load(t, Ity_I64, base, offset);
   IRExpr* sum = IRExpr_Binop(Iop_Add64, old, IRExpr_Const(IRConst_U64(n)));
   store(t, base, offset, assign(t, Ity_I64, sum));
}

/* if (cg2_now.home_number != mine) cg2_probe_enter(block); */
static void write_guard(Translation* t)
{
   IRExpr* home = load(t, Ity_I32, t->now, offsetof(Thread, home_number));
   IRExpr* mine = IRExpr_Const(IRConst_U32(t->block->home_number));
   IRDirty* call = unsafeIRDirty_0_N(1, "cg2_probe_enter",
                                     VG_(fnptr_to_fnentry)(cg2_probe_enter),
                                     mkIRExprVec_1(pointer(t->block)));
   call->guard = assign(t, Ity_I1, IRExpr_Binop(Iop_CmpNE32, home, mine));
   addStmtToIRSB(t->out, IRStmt_Dirty(call));
}

static void write_count(Translation* t, UInt segment)
{
   ULong n = t->segments[segment];
   add_to(t, t->now, offsetof(Thread, total.of[EVENT_IR]), n);
   if (t->block->is_stub) {
      add_to(t, t->now, offsetof(Thread, skipped.of[EVENT_IR]), n);
      return;
   }
   IRTemp cells = newIRTemp(t->out->tyenv, t->host_word);
   addStmtToIRSB(
      t->out,
      IRStmt_WrTmp(cells, IRExpr_Load(ENDNESS, t->host_word,
                                      at(t, t->now, offsetof(Thread, cells)))));
   add_to(t, cells, (t->block->slot + segment) * sizeof(ULong), 1);
}

static void write_sp(Translation* t, HWord offset)
{
   IRExpr* sp = t->sp;
   if (!sp)
      sp = assign(t, t->guest_word,
                  IRExpr_Get(t->layout->offset_SP, t->guest_word));
   store(t, t->now, offset, sp);
}

static void write_exit(Translation* t, UInt exit)
{
   store(t, t->now, offsetof(Thread, exit),
         pointer(&cg2_block_exits(t->block)[exit]));
   write_sp(t, offsetof(Thread, sp));
}

static void write_home(Translation* t, UInt number)
{
   store(t, t->now, offsetof(Thread, home_number),
         IRExpr_Const(IRConst_U32(number)));
}

static void write_block(Translation* t)
{
   UInt segment = 0, exit = 0;
   Bool starts_segment = True;
   write_now(t);
   if (!t->block->is_stub) write_guard(t);
   for (Int i = t->first; i < t->in->stmts_used; i++) {
      IRStmt* s = t->in->stmts[i];
      if (s->tag == Ist_IMark && starts_segment) {
         write_count(t, segment++);
         starts_segment = False;
      } else if (s->tag == Ist_Exit) {
         starts_segment = True;
         if (exit < t->n_exits && t->exits[exit].stmt == i)
            write_exit(t, exit++);
      }
      if (s->tag == Ist_Put && s->Ist.Put.offset == t->layout->offset_SP)
         t->sp = s->Ist.Put.data;
      addStmtToIRSB(t->out, s);
   }
   if (t->block->is_stub) {
      write_sp(t, offsetof(Thread, stub_sp));
      write_home(t, HOME_IN_STUB);
   }
   if (exit == t->n_exits) return;
   write_exit(t, exit);
   /* After a call or return the next block must look where it is, even in the
      same function. */
   if (t->exits[exit].kind != EXIT_JUMP) write_home(t, HOME_LEFT);
}

IRSB* cg2_instrument(VgCallbackClosure* closure,
                     IRSB* in,
                     const VexGuestLayout* layout,
                     const VexGuestExtents* extents,
                     const VexArchInfo* arch,
                     IRType guest_word,
                     IRType host_word)
{
   (void)closure, (void)extents, (void)arch;
   Translation t = {.in = in,
                    .layout = layout,
                    .guest_word = guest_word,
                    .host_word = host_word};
   if (!find_first_instr(&t)) return in;
   read_block(&t);
   find_or_add_block(&t);
   t.out = deepCopyIRSBExceptStmts(in);
   for (Int i = 0; i < t.first; i++)
      addStmtToIRSB(t.out, in->stmts[i]);
   write_block(&t);
   return t.out;
}
