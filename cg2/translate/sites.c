#include "translate/sites.h"

#include "base/arena.h"
#include "layout/placement.h"
#include "model/callgrind/cacheuse.h"

Bool cg2_sites_have_use(AccessKind kind)
{
   return cg2_events_config.accesses.looks_at_use &&
          cg2_accesses_marks(kind).marks.of;
}

UWord cg2_sites_line(Addr code)
{
   Addr placed =
      cg2_events_config.accesses.layout ? cg2_placement_of(code) : code;
   return placed & -cg2_accesses_code_line();
}

UInt cg2_sites_sections(Addr code, UInt size)
{
   UWord offset = code & (cg2_accesses_code_line() - 1);
   return cg2_cacheuse_sections(ACCESS_FETCH, size)[offset];
}

/*--- Finding accesses ---------------------------------------------------*/

static void add(AccessSites* sites, AccessSite site)
{
   UInt max = cg2_accesses_data_max();
   if (!cg2_accesses_counts(site.kind)) return;
   tl_assert(sites->n < ACCESS_SITES_MAX);
   site.use.times = site.n_together = 1;
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

/* Whether the instruction of a site has another one that reads there: VEX has
 * `lock add` load, and then compare what it loaded. */
static Bool has_read(const AccessSites* sites, const AccessSite* site)
{
   for (const AccessSite* s = site; s-- > sites->of;) {
      if (s->where.instr != site->where.instr) break;
      if (s->kind == ACCESS_READ && eqIRAtom(s->address, site->address))
         return True;
   }
   return False;
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
      before->modifies = !has_read(sites, before);
      return;
   }
   site.kind = ACCESS_WRITE;
   add(sites, site);
}

static Addr last_byte_of(const AccessSite* fetch)
{
   return fetch->code + fetch->size - 1;
}

/* A fetch for cache use. It joins the fetch before it if it begins in the line
 * in which the other one ends. Then it counts in the use of that line, and is
 * made itself only if it goes on into a second line. */
static void read_used_fetch(AccessSites* sites, AccessSite site)
{
   UWord last = cg2_sites_line(last_byte_of(&site));
   Bool joins = sites->fetch && cg2_sites_line(last_byte_of(sites->fetch)) ==
                                   cg2_sites_line(site.code);
   if (joins) {
      sites->fetch->use.times++;
      sites->fetch->use.sections |= cg2_sites_sections(site.code, site.size);
   }
   if (joins && last == cg2_sites_line(site.code)) return;
   site.is_first = !joins;
   site.use.sections =
      last == cg2_sites_line(site.code)
         ? cg2_sites_sections(site.code, site.size)
         : cg2_sites_sections(last, site.code + site.size - last);
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
   if (cg2_sites_have_use(ACCESS_FETCH)) {
      read_used_fetch(sites, site);
      return;
   }
   Bool counts_each = cg2_events_config.accesses.looks_at_use;
   if (!counts_each && !site.is_first &&
       cg2_sites_line(last_byte) == cg2_sites_line(last_byte_of(&site)))
      return;
   add(sites, site);
}

/* A function that VEX calls for an instruction, such as for saving the
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

void cg2_sites_init(AccessSites* sites, const IRSB* in)
{
   sites->n = sites->part = 0;
   sites->fetch = NULL;
   if (cg2_events_config.accesses.is_on) cg2_spots_init(&sites->spots, in);
}

void cg2_sites_read(
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

/*--- Checking accesses together -----------------------------------------*/

static Bool can_be_together(const AccessSite* site, const AccessMarks* marks)
{
   UWord line = (UWord)1 << marks->line_bits;
   return site->kind != ACCESS_FETCH && !site->guard && site->size <= line &&
          site->size <= ACCESSES_MARKED_MAX && site->range.base != SPOT_FIXED;
}

/* How many accesses, from site number `i` on, can be checked together. *all:
 * the bytes that they access. */
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

/* Two accesses are no more work if each is checked alone. */
void cg2_sites_join(AccessSites* sites)
{
   enum { LEAST = 3 };
   if (!cg2_accesses_is_plain(ACCESS_WRITE)) return;
   AccessMarks marks = cg2_accesses_marks(ACCESS_WRITE);
   UWord line = (UWord)1 << marks.line_bits;
   if (cg2_touches_config.mode == DATA_ACCESSES) return;
   if (cg2_events_config.accesses.forwards) return;
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

/*--- The events of accesses ---------------------------------------------*/

/* Notes the events of one access. */
static void note(BlockEvents* events, const AccessSite* site, Bool is_stub)
{
   const AccessEvents* of = &cg2_events_config.accesses.events[site->kind];
   if (of->access)
      cg2_block_note_event(
         events, cg2_where_event(site->where, of->access, site->guard ? 0 : 1));
   if (is_stub) return;
   for (UInt i = 0; i < of->n; i++)
      cg2_block_note_event(
         events, (BlockEvent){.instr = site->where.instr, .event = of->of[i]});
   if (cg2_events_config.accesses.looks_at_use)
      cg2_sites_note_use(site->where.instr, events);
}

void cg2_sites_note(const AccessSites* sites, Bool is_stub, BlockEvents* events)
{
   for (UInt i = 0; i < sites->n; i++)
      note(events, &sites->of[i], is_stub);
}

void cg2_sites_note_use(UInt instr, BlockEvents* events)
{
   for (UInt i = 0; i < USE_EVENTS; i++)
      cg2_block_note_event(
         events,
         (BlockEvent){.instr = instr,
                      .event = cg2_events_config.accesses.use_events[i]});
}

/*--- The records of accesses ---------------------------------------------*/

/* How many accesses of its kind the instruction makes before `site`. */
static UInt number_of(const AccessSites* sites, const AccessSite* site)
{
   UInt n = 0;
   for (const AccessSite* s = site; s-- > sites->of;) {
      if (s->where.instr != site->where.instr) break;
      n += s->kind == site->kind;
   }
   return n;
}

/* How far the slot of another event of the instruction is from the access's. */
static Short slot_from(const Access* access,
                       const Block* block,
                       const AccessSite* site,
                       UInt event)
{
   return cg2_block_slot_of(block, site->where.instr, event) - access->slot;
}

/* Fills the record of an access. `first` is the first of the accesses that it
 * is checked together with. */
static void fill(Access* access,
                 const AccessSite* site,
                 const AccessSite* first,
                 const Block* block)
{
   const AccessEvents* of = &cg2_events_config.accesses.events[site->kind];
   access->size = site->size;
   access->kind = site->kind;
   access->is_guarded = site->guard != NULL;
   access->is_of_stub = block->is_stub;
   if (cg2_events_config.accesses.processor)
      access->instr =
         block->address + cg2_block_instrs(block)[site->where.instr];
   access->n_together = site->n_together;
   if (first->n_together > 1)
      access->offset = site->range.low - first->together.low;
   if (block->is_stub) return;
   access->slot = cg2_block_slot_of(block, site->where.instr, of->of[0]);
   if (access->is_guarded)
      access->counted = slot_from(access, block, site, of->access);
   if (cg2_events_config.accesses.looks_at_use)
      access->use = slot_from(access, block, site,
                              cg2_events_config.accesses.use_events[0]);
}

/* The instruction of an access to data, where what is forwarded is counted. */
static ForwardingPlace* forwarding_place(const AccessSite* site,
                                         const Block* block)
{
   Forwarding* forwarding = cg2_events_config.accesses.forwarding;
   if (!forwarding || site->kind == ACCESS_FETCH || block->is_stub) return NULL;
   return cg2_forwarding_place(forwarding, block->object,
                               block->offset +
                                  cg2_block_instrs(block)[site->where.instr]);
}

/* Fills what touches know of an access whose record is filled in. What they
 * counted for another instruction stays that one's. */
static void fill_toucher(Access* access,
                         const AccessSites* sites,
                         const AccessSite* site,
                         const Block* block)
{
   Toucher* by = access->toucher;
   UInt instr = site->where.instr, number = number_of(sites, site);
   if (!by || by->instr != instr || by->kind != site->kind ||
       by->number != number)
      by = cg2_toucher_new();
   by->block = block;
   by->instr = instr;
   by->kind = site->kind;
   by->number = number;
   by->slot = access->slot;
   by->size = access->size;
   access->toucher = by;
}

Bool cg2_sites_is_checked(const AccessSite* site, const AccessMarks* marks)
{
   return marks->marks.of &&
          (site->kind == ACCESS_FETCH ||
           (!site->guard && site->size <= ACCESSES_MARKED_MAX &&
            site->size <= (UWord)1 << marks->line_bits));
}

/* Whether what is known of an access is asked for when it happens, or when the
 * block is translated again. */
static Bool is_kept(const AccessSite* site)
{
   if (site->n_together != 1 || !cg2_accesses_is_plain(site->kind) ||
       cg2_touches_are_on(site->kind) || cg2_events_config.accesses.forwards)
      return True;
   AccessMarks marks = cg2_accesses_marks(site->kind);
   return !cg2_sites_is_checked(site, &marks);
}

/* Finds out which accesses are kept, and gives these their records. */
static void give_records(AccessSites* sites, Block* block)
{
   UInt n = 0;
   for (UInt i = 0; i < sites->n; i++) {
      AccessSite* site = &sites->of[i];
      sites->own[i] = (Access){.slot = 0};
      site->access = is_kept(site) ? NULL : &sites->own[i];
      n += site->access == NULL;
   }
   if (n == 0) return;
   if (n > block->n_accesses) {
      block->accesses = cg2_arena_new(n * sizeof *block->accesses);
      block->n_accesses = n;
   }
   Access* kept = block->accesses;
   for (UInt i = 0; i < sites->n; i++)
      if (!sites->of[i].access) sites->of[i].access = kept++;
}

void cg2_sites_place(AccessSites* sites, Block* block)
{
   const AccessSite* first = NULL; /* of those that this one is checked with */
   give_records(sites, block);
   for (UInt i = 0; i < sites->n; i++) {
      AccessSite* site = &sites->of[i];
      if (site->n_together) first = site;
      fill(site->access, site, first, block);
      site->access->forwarding =
         (ForwardingAccess){forwarding_place(site, block), site->size};
      if (cg2_touches_are_on(site->kind) && !block->is_stub)
         fill_toucher(site->access, sites, site, block);
      else
         site->access->toucher = NULL;
   }
}
