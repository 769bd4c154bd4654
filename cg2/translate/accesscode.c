#include "translate/accesscode.h"

#include "base/arena.h"

/* Marked lines know what they are used for. */
static Bool has_use(AccessKind kind)
{
   return cg2_accesses_config.looks_at_use && cg2_accesses_marks(kind).marks.of;
}

/*--- Reading ------------------------------------------------------------*/

static void note(BlockEvents* events, const AccessSite* site, Bool is_stub)
{
   const AccessEvents* of = &cg2_accesses_config.events[site->kind];
   if (of->access)
      cg2_block_note_event(
         events, cg2_where_event(site->where, of->access, site->guard ? 0 : 1));
   if (is_stub) return;
   for (UInt i = 0; i < of->n; i++)
      cg2_block_note_event(
         events, (BlockEvent){.instr = site->where.instr, .event = of->of[i]});
   if (cg2_accesses_config.looks_at_use)
      cg2_accesscode_note_use(site->where.instr, events);
}

static void add(AccessSites* sites, AccessSite site)
{
   UInt max = cg2_accesses_data_max();
   if (!cg2_accesses_counts(site.kind)) return;
   tl_assert(sites->n < ACCESS_SITES_MAX);
   site.times = site.n_together = 1;
   site.part = sites->part;
   if (site.kind != ACCESS_FETCH) {
      if (site.size > max) site.size = max;
      site.range =
         cg2_spots_range(cg2_spots_at(&sites->spots, site.address), site.size);
   }
   sites->of[sites->n++] = site;
}

static void add_read(AccessSites* sites, AccessSite site)
{
   site.kind = ACCESS_READ;
   add(sites, site);
}

/* A read of the same instruction from the same place becomes a write. */
static void add_write(AccessSites* sites, AccessSite site)
{
   AccessSite* before = sites->n ? &sites->of[sites->n - 1] : NULL;
   if (before && before->where.instr == site.where.instr &&
       before->kind == ACCESS_READ && before->size == site.size &&
       !before->guard && !site.guard &&
       eqIRAtom(before->address, site.address)) {
      before->kind = ACCESS_WRITE;
      return;
   }
   site.kind = ACCESS_WRITE;
   add(sites, site);
}

static UWord line_of(Addr address)
{
   return address & -cg2_accesses_code_line();
}

static Addr last_byte_of(const AccessSite* fetch)
{
   return fetch->code + fetch->size - 1;
}

/* The sections of a line that `size` bytes of a fetch at `code`, all in that
 * line, lie in. */
static UInt sections_of(Addr code, UInt size)
{
   UWord offset = code & (cg2_accesses_code_line() - 1);
   return cg2_cacheuse_sections(ACCESS_FETCH, size)[offset];
}

/* Notes a fetch for cache use. A fetch that begins in the line that the one
 * before it ends in joins that one. */
static void read_used_fetch(AccessSites* sites, AccessSite site)
{
   UWord last = line_of(last_byte_of(&site));
   Bool joins =
      sites->fetch && line_of(last_byte_of(sites->fetch)) == line_of(site.code);
   if (joins) {
      sites->fetch->times++;
      sites->fetch->sections |= sections_of(site.code, site.size);
   }
   if (joins && last == line_of(site.code)) return;
   site.is_first = !joins;
   site.sections = last == line_of(site.code)
                      ? sections_of(site.code, site.size)
                      : sections_of(last, site.code + site.size - last);
   add(sites, site);
   sites->fetch = &sites->of[sites->n - 1];
}

static void
read_fetch(AccessSites* sites, AccessSite site, const IRStmt* s, Addr last_byte)
{
   site.kind = ACCESS_FETCH;
   site.code = s->Ist.IMark.addr;
   site.size = s->Ist.IMark.len;
   site.is_first = site.where.instr == 0;
   if (has_use(ACCESS_FETCH)) {
      read_used_fetch(sites, site);
      return;
   }
   Bool each = cg2_accesses_config.looks_at_use; /* counts */
   if (!each && !site.is_first &&
       line_of(last_byte) == line_of(last_byte_of(&site)))
      return;
   add(sites, site);
}

/* A helper that VEX calls for an instruction, such as one that saves the
 * registers of the x87. */
static void read_helper(AccessSites* sites, AccessSite site, const IRDirty* d)
{
   Bool is_certain = d->guard->tag == Iex_Const;
   site.address = d->mAddr;
   site.size = d->mSize;
   site.guard = is_certain ? NULL : d->guard;
   if (d->mFx == Ifx_Read || d->mFx == Ifx_Modify) add_read(sites, site);
   if (d->mFx == Ifx_Write || d->mFx == Ifx_Modify) add_write(sites, site);
}

static void
read_atomic(AccessSites* sites, AccessSite site, const IRSB* in, const IRCAS* c)
{
   site.address = c->addr;
   site.size = sizeofIRType(typeOfIRExpr(in->tyenv, c->dataLo));
   if (c->dataHi) site.size *= 2;
   add_read(sites, site);
   add_write(sites, site);
}

static void
read_guarded_load(AccessSites* sites, AccessSite site, const IRLoadG* l)
{
   IRType to, from;
   typeOfIRLoadGOp(l->cvt, &to, &from);
   site.address = l->addr;
   site.guard = l->guard;
   site.size = sizeofIRType(from);
   add_read(sites, site);
}

static UShort size_of(const IRSB* in, const IRExpr* e)
{
   return sizeofIRType(typeOfIRExpr(in->tyenv, e));
}

static void
read_data(AccessSites* sites, AccessSite site, const IRSB* in, const IRStmt* s)
{
   switch (s->tag) {
   case Ist_WrTmp:
      if (s->Ist.WrTmp.data->tag != Iex_Load) return;
      site.address = s->Ist.WrTmp.data->Iex.Load.addr;
      site.size = sizeofIRType(s->Ist.WrTmp.data->Iex.Load.ty);
      add_read(sites, site);
      return;
   case Ist_Store:
      site.address = s->Ist.Store.addr;
      site.size = size_of(in, s->Ist.Store.data);
      add_write(sites, site);
      return;
   case Ist_StoreG:
      site.address = s->Ist.StoreG.details->addr;
      site.guard = s->Ist.StoreG.details->guard;
      site.size = size_of(in, s->Ist.StoreG.details->data);
      add_write(sites, site);
      return;
   case Ist_LoadG:
      read_guarded_load(sites, site, s->Ist.LoadG.details);
      return;
   case Ist_LLSC:
      site.address = s->Ist.LLSC.addr;
      if (s->Ist.LLSC.storedata) {
         site.size = size_of(in, s->Ist.LLSC.storedata);
         add_write(sites, site);
      } else {
         site.size = sizeofIRType(typeOfIRTemp(in->tyenv, s->Ist.LLSC.result));
         add_read(sites, site);
      }
      return;
   case Ist_Dirty:
      read_helper(sites, site, s->Ist.Dirty.details);
      return;
   case Ist_CAS:
      read_atomic(sites, site, in, s->Ist.CAS.details);
      return;
   default:
      return;
   }
}

void cg2_accesscode_init(AccessSites* sites, const IRSB* in)
{
   sites->n = sites->part = 0;
   sites->fetch = NULL;
   if (cg2_accesses_config.is_on) cg2_spots_init(&sites->spots, in);
}

void cg2_accesscode_read(
   AccessSites* sites, const IRSB* in, Int stmt, Where where, Addr last_byte)
{
   const IRStmt* s = in->stmts[stmt];
   AccessSite site = {.stmt = stmt, .where = where};
   cg2_spots_read(&sites->spots, s);
   if (s->tag == Ist_Exit) sites->part++;
   if (s->tag == Ist_IMark)
      read_fetch(sites, site, s, last_byte);
   else
      read_data(sites, site, in, s);
}

static Bool can_be_together(const AccessSite* site, const AccessMarks* marks)
{
   UWord line = (UWord)1 << marks->line_bits;
   return site->kind != ACCESS_FETCH && !site->guard && site->size <= line &&
          site->size <= ACCESSES_MARKED_MAX && site->range.base != SPOT_FIXED;
}

/* How many, from number i on; *all: what they access. */
static UInt count_together(const AccessSites* sites,
                           UInt i,
                           const AccessMarks* marks,
                           SpotRange* all)
{
   const AccessSite* first = &sites->of[i];
   UInt n = 0;
   *all = first->range;
   for (; i + n < sites->n; n++) {
      const AccessSite* site = &first[n];
      if (!can_be_together(site, marks) || site->part != first->part ||
          !cg2_spots_join(all, &site->range, (UWord)1 << marks->line_bits))
         break;
   }
   return n;
}

/* Two are no more work alone. */
void cg2_accesscode_join(AccessSites* sites)
{
   enum { LEAST = 3 };
   if (!cg2_accesses_is_plain(ACCESS_WRITE)) return;
   AccessMarks marks = cg2_accesses_marks(ACCESS_WRITE);
   UWord line = (UWord)1 << marks.line_bits;
   if (!marks.marks.of || marks.written.of || marks.near < line) return;
   for (UInt i = 0, n = 0; i < sites->n; i += n) {
      SpotRange all;
      n = count_together(sites, i, &marks, &all);
      if (n < LEAST) {
         n = 1;
         continue;
      }
      for (UInt k = 0; k < n; k++)
         sites->of[i + k].n_together = 0;
      sites->of[i].n_together = n;
      sites->of[i].together = all;
   }
}

void cg2_accesscode_note(const AccessSites* sites,
                         Bool is_stub,
                         BlockEvents* events)
{
   for (UInt i = 0; i < sites->n; i++)
      note(events, &sites->of[i], is_stub);
}

void cg2_accesscode_note_use(UInt instr, BlockEvents* events)
{
   for (UInt i = 0; i < USE_EVENTS; i++)
      cg2_block_note_event(
         events, (BlockEvent){.instr = instr,
                              .event = cg2_accesses_config.use_events[i]});
}

/*--- Their records ------------------------------------------------------*/

static void fill(Access* access,
                 const AccessSite* site,
                 const AccessSite* first,
                 const Block* block)
{
   const AccessEvents* of = &cg2_accesses_config.events[site->kind];
   access->size = site->size;
   access->kind = site->kind;
   access->is_guarded = site->guard != NULL;
   access->is_of_stub = block->is_stub;
   access->instr = block->address + cg2_block_instrs(block)[site->where.instr];
   access->n_together = site->n_together;
   if (first->n_together > 1)
      access->offset = site->range.low - first->together.low;
   if (block->is_stub) return;
   if (access->is_guarded)
      access->counted = cg2_block_slot_of(block, site->where.instr, of->access);
   access->slot = cg2_block_slot_of(block, site->where.instr, of->of[0]);
   if (cg2_accesses_config.looks_at_use)
      access->use_slot = cg2_block_slot_of(block, site->where.instr,
                                           cg2_accesses_config.use_events[0]);
}

void cg2_accesscode_place(const AccessSites* sites, Block* block)
{
   if (sites->n > block->n_accesses) {
      block->accesses = cg2_arena_new(sites->n * sizeof *block->accesses);
      block->n_accesses = sites->n;
   }
   const AccessSite* first = NULL; /* of those that this one is checked with */
   for (UInt i = 0; i < sites->n; i++) {
      if (sites->of[i].n_together) first = &sites->of[i];
      fill(&block->accesses[i], &sites->of[i], first, block);
   }
}

/*--- Writing ------------------------------------------------------------*/

/* A mark that an access is put into, if its line is there. */
typedef struct Marking {
   IRExpr* base; /* the mark is at base + offset */
   HWord offset;
   IRExpr* known;  /* the line that it is of */
   HWord written;  /* likewise, the mark of the line as written; 0: none */
   IRExpr* wanted; /* the line of the access, or its address in there */
} Marking;

static IRExpr* load(Emitter* e, IRType type, const Marking* m, SizeT field)
{
   return cg2_emit_load(e, type, m->base, m->offset + field);
}

/* The line with this stamp is accessed so many times, in these sections. */
static void put_use(
   Emitter* e, AccessKind kind, IRExpr* stamp, UInt times, IRExpr* sections)
{
   UInt log = __builtin_ctz(CACHEUSE_SCALE);
   IRExpr* offset = cg2_emit_word(e, Iop_Shl64, Iop_Shl32, stamp,
                                  IRExpr_Const(IRConst_U8(log)));
   IRExpr* use = cg2_emit_word(e, Iop_Add64, Iop_Add32, offset,
                               mkIRExpr_HWord(cg2_cacheuse_base(kind)));
   SizeT n = offsetof(Use, n_accesses), of = offsetof(Use, sections);
   cg2_emit_store(e, use, n,
                  cg2_emit_plus(e, cg2_emit_load(e, Ity_I64, use, n),
                                cg2_emit_number(times)));
   IRExpr* all =
      IRExpr_Binop(Iop_Or32, cg2_emit_load(e, Ity_I32, use, of), sections);
   cg2_emit_store(e, use, of, cg2_emit_assign(e, Ity_I32, all));
}

/* Puts so many accesses into a mark: the time; and for cache use the sections,
 * which otherwise are NULL. */
static void put_access(Emitter* e,
                       AccessKind kind,
                       const Marking* m,
                       IRExpr* time,
                       UInt times,
                       IRExpr* sections)
{
   IRExpr* stamp = load(e, e->host_word, m, offsetof(Mark, stamp));
   cg2_emit_store(e, stamp, 0, time);
   if (sections) put_use(e, kind, stamp, times, sections);
}

static void
put_fetch(Emitter* e, const Marking* m, IRExpr* time, UInt times, UInt sections)
{
   put_access(e, ACCESS_FETCH, m, time, times,
              sections ? IRExpr_Const(IRConst_U32(sections)) : NULL);
}

/* The sections of its first line that an access to data lies in, for cache use.
 */
static IRExpr*
sections_at(Emitter* e, const AccessSite* site, const AccessMarks* marks)
{
   if (!has_use(site->kind)) return NULL;
   const UInt* of = cg2_cacheuse_sections(site->kind, site->size);
   UWord mask = ((UWord)1 << marks->line_bits) - 1;
   IRExpr* offset = cg2_emit_word(e, Iop_And64, Iop_And32,
                                  (IRExpr*)site->address, mkIRExpr_HWord(mask));
   offset = cg2_emit_word(e, Iop_Shl64, Iop_Shl32, offset,
                          IRExpr_Const(IRConst_U8(__builtin_ctz(sizeof *of))));
   return cg2_emit_load(e, Ity_I32, offset, (HWord)of);
}

/* The marking for an address that never changes. All marks are reached from
 * Registers.marks, which is near them. */
static Marking marking_at(Emitter* e, const AccessMarks* marks, UWord address)
{
   UWord line = address >> marks->line_bits;
   const Mark* mark = cg2_marks_at(marks->marks, line);
   Marking to = {.base = cg2_emit_get(e, e->host_word, CG2_REGISTER(marks)),
                 .offset = (HWord)mark - (HWord)cg2_now.regs.marks,
                 .wanted = mkIRExpr_HWord(line << marks->line_bits)};
   if (marks->written.of)
      to.written =
         (HWord)cg2_marks_at(marks->written, line) - (HWord)cg2_now.regs.marks;
   to.known = load(e, e->host_word, &to, offsetof(Mark, line));
   return to;
}

static Marking marking_of(Emitter* e, const AccessMarks* marks, IRExpr* address)
{
   UInt bits = marks->line_bits, log = __builtin_ctz(sizeof(Mark));
   IRExpr* base = address;
   if (bits > log)
      base = cg2_emit_word(e, Iop_Shr64, Iop_Shr32, address,
                           IRExpr_Const(IRConst_U8(bits - log)));
   base = cg2_emit_word(e, Iop_And64, Iop_And32, base,
                        mkIRExpr_HWord((marks->marks.n - 1) << log));
   Marking to = {.base = base,
                 .offset = (HWord)marks->marks.of,
                 .wanted = address,
                 .written = (HWord)marks->written.of};
   to.known = load(e, e->host_word, &to, offsetof(Mark, line));
   return to;
}

/* Less than a line if the marks are those of the line. */
static IRExpr* difference(Emitter* e, const Marking* m)
{
   IRExpr* from = cg2_emit_word(e, Iop_Xor64, Iop_Xor32, m->known, m->wanted);
   if (!m->written) return from;
   IRExpr* written = cg2_emit_load(e, e->host_word, m->base,
                                   m->written + offsetof(Mark, line));
   IRExpr* other = cg2_emit_word(e, Iop_Xor64, Iop_Xor32, m->known, written);
   return cg2_emit_word(e, Iop_Or64, Iop_Or32, from, other);
}

/* Whether the marked line is another than the wanted one, which `wanted` is the
 * first byte of. */
static IRExpr* is_other(Emitter* e, const Marking* m)
{
   return m->written ? cg2_emit_differ(e, difference(e, m), mkIRExpr_HWord(0))
                     : cg2_emit_differ(e, m->known, m->wanted);
}

static IRExpr* is_beyond(Emitter* e, IRExpr* n, UWord most)
{
   IROp le = e->host_word == Ity_I64 ? Iop_CmpLE64U : Iop_CmpLE32U;
   IRExpr* fits = IRExpr_Binop(le, n, mkIRExpr_HWord(most));
   return cg2_emit_assign(
      e, Ity_I1, IRExpr_Unop(Iop_Not1, cg2_emit_assign(e, Ity_I1, fits)));
}

/* Whether size bytes from `wanted` on do not lie in the marked line. */
static IRExpr*
misses(Emitter* e, const AccessMarks* marks, const Marking* to, UInt size)
{
   UWord room = ((UWord)1 << marks->line_bits) - size;
   return is_beyond(e, difference(e, to), room);
}

/* Writes the call that makes an access, if `guard`. */
static void
write_call(Emitter* e, const Access* access, IRExpr* address, IRExpr* guard)
{
   cg2_emit_probe(
      e, CG2_PROBE(cg2_accesses_make),
      mkIRExprVec_3(cg2_emit_pointer(access), address, IRExpr_GSPTR()), guard);
}

/* Writes the call that makes an access that a Use is still to learn of, if
 * `guard`. */
static void
write_use_call(Emitter* e, const Access* access, IRExpr* address, IRExpr* guard)
{
   cg2_emit_probe(
      e, CG2_PROBE(cg2_accesses_make_marked),
      mkIRExprVec_3(cg2_emit_pointer(access), address, IRExpr_GSPTR()), guard);
}

/* Writes the call of a function that knows nothing of the guest state and makes
 * an access, or several together, if `guard`. */
static void write_sim_call(
   Emitter* e, Access* access, AccessCall call, IRExpr* address, IRExpr* guard)
{
   const HChar* name = "cg2_accesses_marked";
   Bool is_fixed = address->tag == Iex_Const;
   UWord fixed = is_fixed ? cg2_emit_address(address->Iex.Const.con) : 0;
   void* thunk =
      cg2_thunk_code(&access->thunk, call.function, fixed, call.word);
   if (!thunk)
      cg2_emit_call(e, name, call.function,
                    mkIRExprVec_2(address, mkIRExpr_HWord(call.word)), guard);
   else if (fixed)
      cg2_emit_call(e, name, thunk, mkIRExprVec_0(), guard);
   else
      cg2_emit_call(e, name, thunk, mkIRExprVec_1(address), guard);
}

/* Writes the call that makes an access whose line is not marked, if `guard`. */
static void
write_marked_call(Emitter* e, Access* access, IRExpr* address, IRExpr* guard)
{
   if (has_use(access->kind))
      write_use_call(e, access, address, guard);
   else if (!cg2_accesses_is_plain(access->kind))
      write_call(e, access, address, guard);
   else
      write_sim_call(e, access, cg2_accesses_marked_call(access), address,
                     guard);
}

/* The line that a fetch ends in; and the one that it begins in, if that has
 * not just been fetched. A second line of the same set is touched a tick later.
 */
static void
write_fetch(Emitter* e, const AccessSite* site, Access* access, Clock* clock)
{
   AccessMarks marks = cg2_accesses_marks(ACCESS_FETCH);
   SpotRange range = {SPOT_FIXED, site->code, site->code + site->size};
   UWord last = site->code + site->size - 1;
   Bool is_in_two = line_of(site->code) != line_of(last);
   IRExpr* address = mkIRExpr_HWord(site->code);
   if (!marks.marks.of) {
      write_call(e, access, address, NULL);
      cg2_clock_pass(clock, ACCESS_FETCH);
      return;
   }
   Marking to = marking_at(e, &marks, last);
   Marking from = to;
   if (is_in_two && site->is_first) {
      from = marking_at(e, &marks, site->code);
      IRExpr* all = cg2_emit_word(e, Iop_Or64, Iop_Or32, difference(e, &from),
                                  difference(e, &to));
      write_marked_call(e, access, address,
                        cg2_emit_differ(e, all, mkIRExpr_HWord(0)));
   } else
      write_marked_call(e, access, address, is_other(e, &to));
   IRExpr* time = cg2_clock_access(e, clock, ACCESS_FETCH, &range, marks.near);
   if (is_in_two && site->is_first)
      put_fetch(e, &from, time, 1,
                site->sections ? sections_of(site->code, site->size) : 0);
   if (is_in_two && site->size > marks.near) time = cg2_clock_later(e, time, 1);
   put_fetch(e, &to, time, site->times, site->sections);
}

/* Data at an address that never changes. */
static void write_fixed_data(Emitter* e,
                             const AccessSite* site,
                             Access* access,
                             Clock* clock)
{
   AccessMarks marks = cg2_accesses_marks(site->kind);
   Addr address = cg2_emit_address(site->address->Iex.Const.con);
   Bool is_in_two = (address ^ (address + site->size - 1)) >> marks.line_bits;
   Marking to = marking_at(e, &marks, address);
   write_marked_call(e, access, (IRExpr*)site->address,
                     is_in_two ? NULL : is_other(e, &to));
   put_access(e, site->kind, &to,
              cg2_clock_access(e, clock, site->kind, &site->range, marks.near),
              1, sections_at(e, site, &marks));
}

static void
write_data(Emitter* e, const AccessSite* site, Access* access, Clock* clock)
{
   AccessMarks marks = cg2_accesses_marks(site->kind);
   IRExpr* address = (IRExpr*)site->address;
   if (site->guard || !marks.marks.of || site->size > ACCESSES_MARKED_MAX ||
       site->size > (UWord)1 << marks.line_bits) {
      write_call(e, access, address, (IRExpr*)site->guard);
      cg2_clock_pass(clock, site->kind);
      return;
   }
   if (address->tag == Iex_Const) {
      write_fixed_data(e, site, access, clock);
      return;
   }
   Marking to = marking_of(e, &marks, address);
   write_marked_call(e, access, address, misses(e, &marks, &to, site->size));
   put_access(e, site->kind, &to,
              cg2_clock_access(e, clock, site->kind, &site->range, marks.near),
              1, sections_at(e, site, &marks));
}

/* The address that is `offset` behind a base. */
static IRExpr* address_at(Emitter* e, IRTemp base, Long offset)
{
   if (offset == 0) return IRExpr_RdTmp(base);
   return cg2_emit_word(e, Iop_Add64, Iop_Add32, IRExpr_RdTmp(base),
                        mkIRExpr_HWord(offset));
}

/* Writes the check of accesses that are checked together: whether the lines of
 * the first and of the last byte are marked. */
static void
write_together(Emitter* e, const AccessSite* site, Access* access, Clock* clock)
{
   AccessMarks marks = cg2_accesses_marks(site->kind);
   const SpotRange* all = &site->together;
   IRExpr* low = address_at(e, all->base, all->low);
   IRExpr* high = address_at(e, all->base, all->high - 1);
   Marking from = marking_of(e, &marks, low);
   Marking to = marking_of(e, &marks, high);
   IRExpr* both = cg2_emit_word(e, Iop_Or64, Iop_Or32, difference(e, &from),
                                difference(e, &to));
   write_sim_call(e, access, cg2_accesses_marked_calls(access), low,
                  is_beyond(e, both, ((UWord)1 << marks.line_bits) - 1));
   IRExpr* time = cg2_clock_access(e, clock, site->kind, all, marks.near);
   put_access(e, site->kind, &from, time, 1, NULL);
   put_access(e, site->kind, &to, time, 1, NULL);
}

/*--- Writing, for a described machine -----------------------------------*/

/* What two words differ in, and two others, if `c` is one. */
static IRExpr*
are_different(Emitter* e, IRExpr* a, IRExpr* b, IRExpr* c, IRExpr* d)
{
   if (!c) return cg2_emit_differ(e, a, b);
   IRExpr* ab = cg2_emit_word(e, Iop_Xor64, Iop_Xor32, a, b);
   IRExpr* cd = cg2_emit_word(e, Iop_Xor64, Iop_Xor32, c, d);
   IRExpr* any = cg2_emit_word(e, Iop_Or64, Iop_Or32, ab, cd);
   return cg2_emit_differ(e, any, mkIRExpr_HWord(0));
}

/* The word of a table for an address: that number `address >> bits & mask`. */
static IRExpr*
look_up(Emitter* e, const UWord* table, IRExpr* address, UInt bits, UWord mask)
{
   UInt log = __builtin_ctz(sizeof *table);
   IRExpr* offset = cg2_emit_word(e, Iop_Shr64, Iop_Shr32, address,
                                  IRExpr_Const(IRConst_U8(bits - log)));
   offset = cg2_emit_word(e, Iop_And64, Iop_And32, offset,
                          mkIRExpr_HWord(mask << log));
   return cg2_emit_load(e, e->host_word, offset, (HWord)table);
}

static IRExpr* known_at(Emitter* e, const UWord* entry)
{
   return cg2_emit_load(e, e->host_word, cg2_emit_pointer(entry), 0);
}

/* Whether the last line of a fetch, or its page, is not what its set was last
 * used for. NULL: it has to be made. */
static IRExpr* misses_code(Emitter* e, const AccessSite* site)
{
   MemoryFilter f = cg2_memorysetup_filter(ACCESS_FETCH);
   Addr end = site->code + site->size - 1;
   if (!f.lines || (site->is_first && line_of(site->code) != line_of(end)))
      return NULL;
   UWord line = end >> f.line_bits, page = end >> f.page_bits;
   IRExpr* known = known_at(e, &f.lines[line & f.line_mask]);
   IRExpr* known_page =
      f.pages ? known_at(e, &f.pages[page & f.page_mask]) : NULL;
   return are_different(e, known, mkIRExpr_HWord(line << f.line_bits),
                        known_page, mkIRExpr_HWord(page << f.page_bits));
}

/* Whether the line of an access to data, or its page, is not what its set was
 * last used for, or the address is no multiple of the access's size. NULL: the
 * access has to be made. */
static IRExpr* misses_data(Emitter* e, const AccessSite* site)
{
   MemoryFilter f = cg2_memorysetup_filter(site->kind);
   UWord line = (UWord)1 << f.line_bits, size = site->size;
   if (!f.lines || (size & (size - 1)) || size > line) return NULL;
   IRExpr* address = (IRExpr*)site->address;
   IRExpr* known = look_up(e, f.lines, address, f.line_bits, f.line_mask);
   IRExpr* start = cg2_emit_word(e, Iop_And64, Iop_And32, address,
                                 mkIRExpr_HWord(-line | (size - 1)));
   if (!f.pages) return cg2_emit_differ(e, known, start);
   IRExpr* page = cg2_emit_word(e, Iop_And64, Iop_And32, address,
                                mkIRExpr_HWord(-(UWord)1 << f.page_bits));
   return are_different(e, known, start,
                        look_up(e, f.pages, address, f.page_bits, f.page_mask),
                        page);
}

static void
write_described(Emitter* e, const AccessSite* site, const Access* access)
{
   if (site->kind == ACCESS_FETCH)
      write_call(e, access, mkIRExpr_HWord(site->code), misses_code(e, site));
   else
      write_call(e, access, (IRExpr*)site->address,
                 site->guard ? (IRExpr*)site->guard : misses_data(e, site));
}

void cg2_accesscode_write(Emitter* e,
                          const AccessSites* sites,
                          UInt number,
                          Access* access,
                          Clock* clock)
{
   const AccessSite* site = &sites->of[number];
   if (cg2_accesses_config.processor)
      write_described(e, site, access);
   else if (site->kind == ACCESS_FETCH)
      write_fetch(e, site, access, clock);
   else if (site->n_together == 1)
      write_data(e, site, access, clock);
   else if (site->n_together)
      write_together(e, site, access, clock);
}
