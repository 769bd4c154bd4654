#include "refs.h"

#include "arena.h"

/*--- Reading ------------------------------------------------------------*/

static void note_counted(BlockEvents* events, UInt instr, UInt event)
{
   if (event)
      cg2_block_note_event(events,
                           (BlockEvent){.instr = instr, .event = event});
}

static void note(BlockEvents* events, const RefSite* site, Bool is_stub)
{
   const SimConfig* c = &cg2_sim_config;
   UInt kind = site->kind;
   BlockEvent access = {.instr = site->instr,
                        .event = c->accesses[kind],
                        .times = site->guard ? 0 : 1,
                        .is_late = site->is_late};
   if (kind != ACCESS_FETCH) cg2_block_note_event(events, access);
   if (is_stub) return;
   note_counted(events, site->instr, c->first[kind]);
   note_counted(events, site->instr, c->last[kind]);
   note_counted(events, site->instr, c->dirty[kind]);
}

static void add(Refs* refs, RefSite site)
{
   UInt max = cg2_hierarchy_data_max();
   tl_assert(refs->n < REFS_MAX);
   if (site.kind != ACCESS_FETCH && site.size > max) site.size = max;
   refs->of[refs->n++] = site;
}

static void add_read(Refs* refs, RefSite site)
{
   site.kind = ACCESS_READ;
   add(refs, site);
}

/* A read of the same instruction from the same place becomes a write. */
static void add_write(Refs* refs, RefSite site)
{
   RefSite* before = refs->n ? &refs->of[refs->n - 1] : NULL;
   if (before && before->instr == site.instr && before->kind == ACCESS_READ &&
       before->size == site.size && !before->guard && !site.guard &&
       eqIRAtom(before->address, site.address)) {
      before->kind = ACCESS_WRITE;
      return;
   }
   site.kind = ACCESS_WRITE;
   add(refs, site);
}

static UWord line_of(Addr address)
{
   return address & -(UWord)cg2_sim_config.hierarchy.i1.line;
}

static void
read_fetch(Refs* refs, RefSite site, const IRStmt* s, Addr last_byte)
{
   site.kind = ACCESS_FETCH;
   site.code = s->Ist.IMark.addr;
   site.size = s->Ist.IMark.len;
   site.is_first = site.instr == 0;
   if (!site.is_first &&
       line_of(last_byte) == line_of(site.code + site.size - 1))
      return;
   add(refs, site);
}

/* A helper that VEX calls for an instruction, such as one that saves the
 * registers of the x87. */
static void read_helper(Refs* refs, RefSite site, const IRDirty* d)
{
   Bool is_certain = d->guard->tag == Iex_Const;
   site.address = d->mAddr;
   site.size = d->mSize;
   site.guard = is_certain ? NULL : d->guard;
   if (d->mFx == Ifx_Read || d->mFx == Ifx_Modify) add_read(refs, site);
   if (d->mFx == Ifx_Write || d->mFx == Ifx_Modify) add_write(refs, site);
}

static void
read_atomic(Refs* refs, RefSite site, const IRSB* in, const IRCAS* c)
{
   site.address = c->addr;
   site.size = sizeofIRType(typeOfIRExpr(in->tyenv, c->dataLo));
   if (c->dataHi) site.size *= 2;
   add_read(refs, site);
   add_write(refs, site);
}

static void read_guarded_load(Refs* refs, RefSite site, const IRLoadG* l)
{
   IRType to, from;
   typeOfIRLoadGOp(l->cvt, &to, &from);
   site.address = l->addr;
   site.guard = l->guard;
   site.size = sizeofIRType(from);
   add_read(refs, site);
}

static UShort size_of(const IRSB* in, const IRExpr* e)
{
   return sizeofIRType(typeOfIRExpr(in->tyenv, e));
}

static void read_data(Refs* refs, RefSite site, const IRSB* in, const IRStmt* s)
{
   switch (s->tag) {
   case Ist_WrTmp:
      if (s->Ist.WrTmp.data->tag != Iex_Load) return;
      site.address = s->Ist.WrTmp.data->Iex.Load.addr;
      site.size = sizeofIRType(s->Ist.WrTmp.data->Iex.Load.ty);
      add_read(refs, site);
      return;
   case Ist_Store:
      site.address = s->Ist.Store.addr;
      site.size = size_of(in, s->Ist.Store.data);
      add_write(refs, site);
      return;
   case Ist_StoreG:
      site.address = s->Ist.StoreG.details->addr;
      site.guard = s->Ist.StoreG.details->guard;
      site.size = size_of(in, s->Ist.StoreG.details->data);
      add_write(refs, site);
      return;
   case Ist_LoadG:
      read_guarded_load(refs, site, s->Ist.LoadG.details);
      return;
   case Ist_LLSC:
      site.address = s->Ist.LLSC.addr;
      if (s->Ist.LLSC.storedata) {
         site.size = size_of(in, s->Ist.LLSC.storedata);
         add_write(refs, site);
      } else {
         site.size = sizeofIRType(typeOfIRTemp(in->tyenv, s->Ist.LLSC.result));
         add_read(refs, site);
      }
      return;
   case Ist_Dirty:
      read_helper(refs, site, s->Ist.Dirty.details);
      return;
   case Ist_CAS:
      read_atomic(refs, site, in, s->Ist.CAS.details);
      return;
   default:
      return;
   }
}

void cg2_refs_read(Refs* refs,
                   const IRSB* in,
                   Int stmt,
                   UInt instr,
                   Bool is_late,
                   Addr last_byte)
{
   const IRStmt* s = in->stmts[stmt];
   RefSite site = {.stmt = stmt, .instr = instr, .is_late = is_late};
   if (s->tag == Ist_IMark)
      read_fetch(refs, site, s, last_byte);
   else
      read_data(refs, site, in, s);
}

void cg2_refs_note(const Refs* refs, Bool is_stub, BlockEvents* events)
{
   for (UInt i = 0; i < refs->n; i++)
      note(events, &refs->of[i], is_stub);
}

/*--- Their records ------------------------------------------------------*/

static Ref ref_of(const RefSite* site, const Block* block)
{
   const SimConfig* c = &cg2_sim_config;
   UInt kind = site->kind;
   Ref ref = {.size = site->size,
              .kind = kind,
              .is_guarded = site->guard != NULL,
              .is_of_stub = block->is_stub};
   if (block->is_stub) return ref;
   if (ref.is_guarded)
      ref.counted = cg2_block_slot_of(block, site->instr, c->accesses[kind]);
   ref.first = cg2_block_slot_of(block, site->instr, c->first[kind]);
   ref.last = cg2_block_slot_of(block, site->instr, c->last[kind]);
   if (c->dirty[kind])
      ref.dirty = cg2_block_slot_of(block, site->instr, c->dirty[kind]);
   return ref;
}

Ref* cg2_refs_of(const Refs* refs, const Block* block)
{
   Ref* all = cg2_arena_new(refs->n * sizeof *all);
   for (UInt i = 0; i < refs->n; i++)
      all[i] = ref_of(&refs->of[i], block);
   return all;
}

/*--- Writing ------------------------------------------------------------*/

static UInt log2_of(UWord n)
{
   UInt log = 0;
   while (n >> (log + 1))
      log++;
   return log;
}

/* Whether the line that a fetch ends in is not the last that its set was used
 * for. NULL: it has to be made. */
static IRExpr* misses_code(Emitter* e, const RefSite* site, const Cache* cache)
{
   const UWord* lines = cg2_hierarchy_mru(ACCESS_FETCH);
   UWord last = line_of(site->code + site->size - 1);
   if (!lines || (site->is_first && line_of(site->code) != last)) return NULL;
   UWord set = last >> cache->line_bits & cache->set_mask;
   IRExpr* known =
      cg2_emit_load(e, e->host_word, cg2_emit_pointer(&lines[set]), 0);
   return cg2_emit_differ(e, known, mkIRExpr_HWord(last));
}

/* Likewise, for data: whether address and size, if that is a power of two and
 * the address a multiple of it, lie in such a line. */
static IRExpr* misses_data(Emitter* e, const RefSite* site, const Cache* cache)
{
   const UWord* lines = cg2_hierarchy_mru(site->kind);
   UWord line = (UWord)1 << cache->line_bits, size = site->size;
   if (!lines || (size & (size - 1)) || size > line) return NULL;
   UInt log = log2_of(sizeof *lines);
   IRExpr* address = (IRExpr*)site->address;
   IRExpr* offset =
      cg2_emit_word(e, Iop_Shr64, Iop_Shr32, address,
                    IRExpr_Const(IRConst_U8(cache->line_bits - log)));
   offset = cg2_emit_word(e, Iop_And64, Iop_And32, offset,
                          mkIRExpr_HWord(cache->set_mask << log));
   IRExpr* known = cg2_emit_load(e, e->host_word, offset, (HWord)lines);
   IRExpr* start = cg2_emit_word(e, Iop_And64, Iop_And32, address,
                                 mkIRExpr_HWord(-line | (size - 1)));
   return cg2_emit_differ(e, known, start);
}

void cg2_refs_write(Emitter* e, const RefSite* site, const Ref* ref)
{
   const Cache* cache = cg2_hierarchy_first(site->kind);
   IRExpr *address, *guard;
   if (site->kind == ACCESS_FETCH) {
      address = mkIRExpr_HWord(site->code);
      guard = misses_code(e, site, cache);
   } else {
      address = (IRExpr*)site->address;
      guard = site->guard ? (IRExpr*)site->guard : misses_data(e, site, cache);
   }
   cg2_emit_probe(e, CG2_PROBE(cg2_sim_access),
                  mkIRExprVec_3(cg2_emit_pointer(ref), address, IRExpr_GSPTR()),
                  guard);
}
