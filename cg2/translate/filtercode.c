#include "translate/filtercode.h"

#include "model/described/memorysetup.h"
#include "translate/clock.h"

/*--- Places -------------------------------------------------------------*/

static IRExpr* load(Emitter* e, IRType type, const KnownPlace* at, SizeT field)
{
   return cg2_emit_load(e, type, at->base, at->offset + field);
}

/* The place of an address that never changes. Registers.marks is near all
 * places, so that short addresses get there. */
static KnownPlace place_at(Emitter* e, const KnownLines* known, UWord address)
{
   const KnownLine* at = cg2_knownlines_at(known, address >> known->line_bits);
   return (KnownPlace){cg2_emit_get(e, e->host_word, CG2_REGISTER(marks)),
                       (HWord)at - (HWord)cg2_now.regs.marks};
}

/* The place of an address that is computed. */
static KnownPlace place_of(Emitter* e, const KnownLines* known, IRExpr* address)
{
   Int shift = (Int)known->line_bits - __builtin_ctz(sizeof(KnownLine));
   UWord mask = (known->n - 1) * sizeof(KnownLine);
   IRExpr* by = IRExpr_Const(IRConst_U8(shift < 0 ? -shift : shift));
   IRExpr* to = shift < 0 ? cg2_emit_word(e, Iop_Shl64, Iop_Shl32, address, by)
                          : cg2_emit_word(e, Iop_Shr64, Iop_Shr32, address, by);
   return (KnownPlace){
      cg2_emit_word(e, Iop_And64, Iop_And32, to, mkIRExpr_HWord(mask)),
      (HWord)known->of};
}

/* How far an address is from the line that is known at a place. */
static IRExpr* difference(Emitter* e, const KnownPlace* at, IRExpr* address)
{
   IRExpr* line = load(e, e->host_word, at, offsetof(KnownLine, line));
   return cg2_emit_word(e, Iop_Xor64, Iop_Xor32, line, address);
}

/*--- Finding ------------------------------------------------------------*/

/* Whether the line of an address that never changes is not known. */
static IRExpr* difference_at(Emitter* e,
                             const AccessPlaces* p,
                             const KnownPlace* at,
                             Addr addr)
{
   UInt bits = p->known.line_bits;
   return difference(e, at, mkIRExpr_HWord(addr >> bits << bits));
}

/* A fetch of the line that the instruction ends in, and of the one that it
 * begins in, if that has not just been fetched. One of more lines is always to
 * be made. */
static IRExpr* find_fetch(Emitter* e, const AccessSite* site, AccessPlaces* p)
{
   Addr first = site->code, last = site->code + site->size - 1;
   UInt bits = p->known.line_bits;
   p->last_time = (last >> bits) - (first >> bits);
   if (p->last_time > 1) return NULL;
   p->last = place_at(e, &p->known, last);
   IRExpr* other = difference_at(e, p, &p->last, last);
   if (p->last_time && site->is_first) {
      p->first = place_at(e, &p->known, first);
      other = cg2_emit_word(e, Iop_Or64, Iop_Or32, other,
                            difference_at(e, p, &p->first, first));
   }
   return cg2_emit_differ(e, other, mkIRExpr_HWord(0));
}

static IRExpr* find_data(Emitter* e, const AccessSite* site, AccessPlaces* p)
{
   UWord line = (UWord)1 << p->known.line_bits;
   if (site->size > line) return NULL;
   p->last = place_of(e, &p->known, (IRExpr*)site->address);
   return cg2_emit_exceeds(e, difference(e, &p->last, (IRExpr*)site->address),
                           line - site->size);
}

IRExpr* cg2_filtercode_find(Emitter* e, const AccessSite* site, AccessPlaces* p)
{
   *p = (AccessPlaces){.stamps_pages = False};
   if (cg2_events_config.accesses.layout) return (IRExpr*)site->guard;
   p->known = cg2_memorysetup_known(site->kind);
   p->stamps_pages = cg2_memorysetup_stamps_pages(site->kind);
   if (site->guard) return (IRExpr*)site->guard;
   if (!p->known.of) return NULL;
   return site->kind == ACCESS_FETCH ? find_fetch(e, site, p)
                                     : find_data(e, site, p);
}

/*--- Touching -----------------------------------------------------------*/

/* Changes the bits of a word that a touch changes. */
static void touch_bits(Emitter* e, const KnownPlace* at, IRExpr* word)
{
   IRExpr* bits = cg2_emit_load(e, Ity_I32, word, 0);
   IRExpr* kept = load(e, Ity_I32, at, offsetof(KnownLine, kept));
   IRExpr* set = load(e, Ity_I32, at, offsetof(KnownLine, set));
   bits = cg2_emit_assign(e, Ity_I32, IRExpr_Binop(Iop_And32, bits, kept));
   bits = cg2_emit_assign(e, Ity_I32, IRExpr_Binop(Iop_Or32, bits, set));
   cg2_emit_store(e, word, 0, bits);
}

static void
touch(Emitter* e, const AccessPlaces* p, const KnownPlace* at, IRExpr* time)
{
   if (!at->base) return;
   if (p->known.touching != TOUCH_NOTHING) {
      IRExpr* word = load(e, e->host_word, at, offsetof(KnownLine, word));
      if (p->known.touching == TOUCH_BITS)
         touch_bits(e, at, word);
      else
         cg2_emit_store(e, word, 0, time);
   }
   if (p->stamps_pages)
      cg2_emit_store(e, load(e, e->host_word, at, offsetof(KnownLine, page)), 0,
                     time);
}

void cg2_filtercode_touch(Emitter* e, const AccessPlaces* p, IRExpr* time)
{
   touch(e, p, &p->first, time);
   touch(e, p, &p->last,
         p->last_time ? cg2_clock_later(e, time, p->last_time) : time);
}
