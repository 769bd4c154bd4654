#include "translate/filtercode.h"

#include "model/described/memorysetup.h"

/* Whether `a` differs from `b`, or, unless `c` is NULL, `c` from `d`: words. */
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

/* Whether the last line of a fetch, or the page, is not what its set was last
 * used for. NULL: the fetch has to be made. */
static IRExpr* misses_code(Emitter* e, const AccessSite* site)
{
   MemoryFilter f = cg2_memorysetup_filter(ACCESS_FETCH);
   Addr end = site->code + site->size - 1;
   if (!f.lines ||
       (site->is_first && cg2_sites_line(site->code) != cg2_sites_line(end)))
      return NULL;
   UWord line = end >> f.line_bits, page = end >> f.page_bits;
   IRExpr* known = known_at(e, &f.lines[line & f.line_mask]);
   IRExpr* known_page =
      f.pages ? known_at(e, &f.pages[page & f.page_mask]) : NULL;
   return are_different(e, known, mkIRExpr_HWord(line << f.line_bits),
                        known_page, mkIRExpr_HWord(page << f.page_bits));
}

/* Whether an access to data lies in no line, or on no page, that its set was
 * last used for. Only an access is looked at whose size is a power of two, and
 * whose address a multiple of the size: it lies in one line. NULL: the access
 * has to be made. */
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

IRExpr* cg2_filtercode_passes(Emitter* e, const AccessSite* site)
{
   if (site->kind == ACCESS_FETCH) return misses_code(e, site);
   return site->guard ? (IRExpr*)site->guard : misses_data(e, site);
}
