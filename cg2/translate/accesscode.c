#include "translate/accesscode.h"

#include "data/counting/visits.h"
#include "model/callgrind/cacheuse.h"
#include "model/described/memorysetup.h"
#include "translate/filtercode.h"

/*--- Marks --------------------------------------------------------------*/

/* The mark that an access is put into, if its line is there. */
typedef struct Marking {
   IRExpr* base; /* the mark is at base + offset */
   HWord offset;
   HWord written;  /* the mark of the line as written is at base + written; 0:
                      there is no such mark */
   IRExpr* known;  /* the line that the mark is of */
   IRExpr* wanted; /* the line of the access, or an address in that line */
} Marking;

static IRExpr* load(Emitter* e, IRType type, const Marking* m, SizeT field)
{
   return cg2_emit_load(e, type, m->base, m->offset + field);
}

/* Notes in the Use of the line with this stamp that the line is accessed so
 * many times, in these sections. */
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

/* Puts so many accesses into a mark: the time, and for cache use the sections.
 * Without cache use `sections` is NULL. */
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

/* The sections of its first line that an access to data is in, for cache use;
 * else NULL. */
static IRExpr*
sections_at(Emitter* e, const AccessSite* site, const AccessMarks* marks)
{
   if (!cg2_sites_have_use(site->kind)) return NULL;
   const UInt* of = cg2_cacheuse_sections(site->kind, site->size);
   UWord mask = ((UWord)1 << marks->line_bits) - 1;
   IRExpr* offset = cg2_emit_word(e, Iop_And64, Iop_And32,
                                  (IRExpr*)site->address, mkIRExpr_HWord(mask));
   offset = cg2_emit_word(e, Iop_Shl64, Iop_Shl32, offset,
                          IRExpr_Const(IRConst_U8(__builtin_ctz(sizeof *of))));
   return cg2_emit_load(e, Ity_I32, offset, (HWord)of);
}

/* The marking of an address that never changes. Registers.marks is near all
 * marks, so that short addresses get there. */
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

/* The marking of an address that is computed. */
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

/* How far the wanted address is from the start of the marked line: less than
 * the size of a line if it lies in that line, and is known to be written where
 * that matters. */
static IRExpr* difference(Emitter* e, const Marking* m)
{
   IRExpr* from = cg2_emit_word(e, Iop_Xor64, Iop_Xor32, m->known, m->wanted);
   if (!m->written) return from;
   IRExpr* written = cg2_emit_load(e, e->host_word, m->base,
                                   m->written + offsetof(Mark, line));
   IRExpr* other = cg2_emit_word(e, Iop_Xor64, Iop_Xor32, m->known, written);
   return cg2_emit_word(e, Iop_Or64, Iop_Or32, from, other);
}

/* Whether a mark is of another line than the wanted one, which is given as the
 * line's own address. */
static IRExpr* is_other(Emitter* e, const Marking* m)
{
   return m->written ? cg2_emit_differ(e, difference(e, m), mkIRExpr_HWord(0))
                     : cg2_emit_differ(e, m->known, m->wanted);
}

/* Whether `size` bytes from the wanted address on do not all lie in the marked
 * line. */
static IRExpr*
misses(Emitter* e, const AccessMarks* marks, const Marking* to, UInt size)
{
   UWord room = ((UWord)1 << marks->line_bits) - size;
   return cg2_emit_exceeds(e, difference(e, to), room);
}

/*--- Calls --------------------------------------------------------------*/

/* Calls what makes an access, if `guard`, which may be NULL. */
static void
write_call(Emitter* e, const Access* access, IRExpr* address, IRExpr* guard)
{
   IRExpr** arguments =
      mkIRExprVec_3(cg2_emit_pointer(access), address, IRExpr_GSPTR());
   if (cg2_events_config.accesses.layout)
      cg2_emit_probe(e, CG2_PROBE(cg2_accesses_make_placed), arguments, guard);
   else
      cg2_emit_probe(e, CG2_PROBE(cg2_accesses_make), arguments, guard);
}

/* Calls what makes an access of which generated code then tells the line's Use.
 */
static void
write_use_call(Emitter* e, const Access* access, IRExpr* address, IRExpr* guard)
{
   cg2_emit_probe(
      e, CG2_PROBE(cg2_accesses_make_marked),
      mkIRExprVec_3(cg2_emit_pointer(access), address, IRExpr_GSPTR()), guard);
}

/* Calls `call`, which makes an access and knows nothing of the guest state, by
 * a thunk if there can be one. */
static void write_plain_call(Emitter* e,
                             ThunkRun* thunks,
                             AccessCall call,
                             IRExpr* address,
                             IRExpr* guard)
{
   const HChar* name = "cg2_accesses_marked";
   Bool is_fixed = address->tag == Iex_Const;
   UWord fixed = is_fixed ? cg2_emit_address(address->Iex.Const.con) : 0;
   void* thunk = cg2_thunk_code(thunks, call.function, fixed, call.word);
   if (!thunk)
      cg2_emit_call(e, name, call.function,
                    mkIRExprVec_2(address, mkIRExpr_HWord(call.word)), guard);
   else if (fixed)
      cg2_emit_call(e, name, thunk, mkIRExprVec_0(), guard);
   else
      cg2_emit_call(e, name, thunk, mkIRExprVec_1(address), guard);
}

/* Calls what makes an access whose line is not marked. */
static void write_marked_call(Emitter* e,
                              const Access* access,
                              ThunkRun* thunks,
                              IRExpr* address,
                              IRExpr* guard)
{
   if (cg2_sites_have_use(access->kind))
      write_use_call(e, access, address, guard);
   else if (!cg2_accesses_is_plain(access->kind))
      write_call(e, access, address, guard);
   else
      write_plain_call(e, thunks, cg2_accesses_marked_call(access), address,
                       guard);
}

/*--- Accesses -----------------------------------------------------------*/

/* Writes a fetch of the line that the instruction ends in, and of the one that
 * it begins in, if that has not just been fetched. A second line of the same
 * set is touched a tick later. */
static void
write_fetch(Emitter* e, const AccessSite* site, Clock* clock, ThunkRun* thunks)
{
   AccessMarks marks = cg2_accesses_marks(ACCESS_FETCH);
   SpotRange range = {SPOT_FIXED, site->code, site->code + site->size};
   UWord last = site->code + site->size - 1;
   Bool is_in_two = cg2_sites_line(site->code) != cg2_sites_line(last);
   IRExpr* address = mkIRExpr_HWord(site->code);
   if (!marks.marks.of) {
      write_call(e, site->access, address, NULL);
      cg2_clock_pass(clock, ACCESS_FETCH);
      return;
   }
   Marking to = marking_at(e, &marks, last);
   Marking from = to;
   if (is_in_two && site->is_first) {
      from = marking_at(e, &marks, site->code);
      IRExpr* all = cg2_emit_word(e, Iop_Or64, Iop_Or32, difference(e, &from),
                                  difference(e, &to));
      write_marked_call(e, site->access, thunks, address,
                        cg2_emit_differ(e, all, mkIRExpr_HWord(0)));
   } else
      write_marked_call(e, site->access, thunks, address, is_other(e, &to));
   IRExpr* time = cg2_clock_access(e, clock, ACCESS_FETCH, &range, marks.near);
   if (is_in_two && site->is_first)
      put_fetch(e, &from, time, 1,
                site->use.sections ? cg2_sites_sections(site->code, site->size)
                                   : 0);
   if (is_in_two && site->size > marks.near) time = cg2_clock_later(e, time, 1);
   put_fetch(e, &to, time, site->use.times, site->use.sections);
}

/* Writes an access to data at an address that never changes. */
static void write_fixed_data(Emitter* e,
                             const AccessSite* site,
                             Clock* clock,
                             ThunkRun* thunks)
{
   AccessMarks marks = cg2_accesses_marks(site->kind);
   Addr address = cg2_emit_address(site->address->Iex.Const.con);
   Bool is_in_two = (address ^ (address + site->size - 1)) >> marks.line_bits;
   Marking to = marking_at(e, &marks, address);
   write_marked_call(e, site->access, thunks, (IRExpr*)site->address,
                     is_in_two ? NULL : is_other(e, &to));
   put_access(e, site->kind, &to,
              cg2_clock_access(e, clock, site->kind, &site->range, marks.near),
              1, sections_at(e, site, &marks));
}

static void
write_data(Emitter* e, const AccessSite* site, Clock* clock, ThunkRun* thunks)
{
   AccessMarks marks = cg2_accesses_marks(site->kind);
   IRExpr* address = (IRExpr*)site->address;
   if (!cg2_sites_is_checked(site, &marks)) {
      write_call(e, site->access, address, (IRExpr*)site->guard);
      cg2_clock_pass(clock, site->kind);
      return;
   }
   if (address->tag == Iex_Const) {
      write_fixed_data(e, site, clock, thunks);
      return;
   }
   Marking to = marking_of(e, &marks, address);
   write_marked_call(e, site->access, thunks, address,
                     misses(e, &marks, &to, site->size));
   put_access(e, site->kind, &to,
              cg2_clock_access(e, clock, site->kind, &site->range, marks.near),
              1, sections_at(e, site, &marks));
}

/* The address `offset` bytes behind a base. */
static IRExpr* address_at(Emitter* e, IRTemp base, Long offset)
{
   if (offset == 0) return IRExpr_RdTmp(base);
   return cg2_emit_word(e, Iop_Add64, Iop_Add32, IRExpr_RdTmp(base),
                        mkIRExpr_HWord(offset));
}

/* Writes the accesses that are checked together, of which `site` is the first:
 * what is checked is whether the lines of the first and of the last byte are
 * marked. */
static void write_together(Emitter* e,
                           const AccessSite* site,
                           Clock* clock,
                           ThunkRun* thunks)
{
   AccessMarks marks = cg2_accesses_marks(site->kind);
   const SpotRange* all = &site->together;
   IRExpr* low = address_at(e, all->base, all->low);
   IRExpr* high = address_at(e, all->base, all->high - 1);
   Marking from = marking_of(e, &marks, low);
   Marking to = marking_of(e, &marks, high);
   IRExpr* both = cg2_emit_word(e, Iop_Or64, Iop_Or32, difference(e, &from),
                                difference(e, &to));
   write_plain_call(
      e, thunks, cg2_accesses_marked_calls(site->access), low,
      cg2_emit_exceeds(e, both, ((UWord)1 << marks.line_bits) - 1));
   IRExpr* time = cg2_clock_access(e, clock, site->kind, all, marks.near);
   put_access(e, site->kind, &from, time, 1, NULL);
   put_access(e, site->kind, &to, time, 1, NULL);
}

/* Each access of a described machine has a tick of its own. Fetches are given
 * ticks apart from data, unless both go to one cache or TLB. */
static void write_described(Emitter* e, const AccessSite* site, Clock* clock)
{
   Bool is_fetch = site->kind == ACCESS_FETCH;
   SpotRange unknown = {.base = IRTemp_INVALID};
   IRExpr* time = cg2_clock_access(
      e, clock, cg2_memorysetup_is_unified() ? ACCESS_READ : site->kind,
      &unknown, 0);
   IRExpr* address =
      is_fetch ? mkIRExpr_HWord(site->code) : (IRExpr*)site->address;
   AccessPlaces places;
   IRExpr* guard = cg2_filtercode_find(e, site, &places);
   IRExpr* wide = time;
   if (e->host_word == Ity_I64)
      wide = cg2_emit_assign(e, Ity_I64, IRExpr_Unop(Iop_32Uto64, time));
   cg2_emit_call(e, CG2_PROBE(cg2_accesses_make_described),
                 mkIRExprVec_3(cg2_emit_pointer(site->access), address, wide),
                 guard);
   cg2_filtercode_touch(e, &places, time);
}

/* Charges a data object with an access that happens. */
static void write_touch(Emitter* e, const AccessSite* site)
{
   Toucher* toucher = site->access->toucher;
   if (!toucher || cg2_touches_config.mode != DATA_ACCESSES) return;
   cg2_emit_call(
      e, "cg2_touches_make",
      cg2_touches_config.counts_visits ? (void*)cg2_visits_touch
                                       : (void*)cg2_touches_make,
      mkIRExprVec_2((IRExpr*)site->address, cg2_emit_pointer(toucher)),
      (IRExpr*)site->guard);
}

/* Counts what an access that happens is forwarded, and notes what it stores. */
static void write_forwarding(Emitter* e, const AccessSite* site)
{
   if (!site->access->forwarding.by) return;
   void* called = site->kind == ACCESS_READ ? (void*)cg2_forwarding_load
                  : site->modifies          ? (void*)cg2_forwarding_modify
                                            : (void*)cg2_forwarding_store;
   cg2_emit_call(e, "cg2_forwarding", called,
                 mkIRExprVec_2((IRExpr*)site->address,
                               cg2_emit_pointer(&site->access->forwarding)),
                 (IRExpr*)site->guard);
}

void cg2_accesscode_write(Emitter* e,
                          const AccessSites* sites,
                          UInt number,
                          Clock* clock,
                          ThunkRun* thunks)
{
   const AccessSite* site = &sites->of[number];
   write_touch(e, site);
   write_forwarding(e, site);
   if (cg2_events_config.accesses.processor)
      write_described(e, site, clock);
   else if (site->kind == ACCESS_FETCH)
      write_fetch(e, site, clock, thunks);
   else if (site->n_together == 1)
      write_data(e, site, clock, thunks);
   else if (site->n_together)
      write_together(e, site, clock, thunks);
}
