#include "model/described/prefetcher.h"

enum {
   REPEATS = 2, /* of a step, before lines are loaded, or all of them */
   NEAR = 4     /* lines: steps of a page that are repeats */
};

/* Adds the line of `to` to the `n` lines, if it is on the page of `from`, and
 * not just added. Returns how many lines there are then. */
static UInt add(const Prefetcher* p, Addr from, Addr to, UWord* lines, UInt n)
{
   UWord line = to >> p->line_bits;
   if (from >> p->page_bits != to >> p->page_bits) return n;
   if (line == (n ? lines[n - 1] : from >> p->line_bits)) return n;
   lines[n] = line;
   return n + 1;
}

/* Adds the `degree` lines that are `distance`, `distance` + 1, ... steps of so
 * many bytes away. Returns how many there are. */
static UInt add_steps(
   const Prefetcher* p, Addr from, PtrdiffT step, UInt degree, UWord* lines)
{
   UInt n = 0;
   for (UInt i = 0; i < degree; i++)
      n = add(p, from, from + step * (PtrdiffT)(p->config.distance + i), lines,
              n);
   return n;
}

static UInt see_stride(Prefetcher* p, Addr instr, Addr addr, UWord* lines)
{
   PrefetchEntry* e = &p->entries[instr & (p->config.entries - 1)];
   if (e->key != instr) {
      *e = (PrefetchEntry){.key = instr, .last = addr};
      return 0;
   }
   PtrdiffT step = addr - e->last;
   e->last = addr;
   if (step != e->step || step == 0) {
      e->step = step;
      e->n_repeats = 0;
      return 0;
   }
   if (e->n_repeats < REPEATS) e->n_repeats++;
   return e->n_repeats < REPEATS
             ? 0
             : add_steps(p, addr, step, p->config.degree, lines);
}

/* Whether `line` is where a stream goes on. Most streams are far from it. */
static inline Bool is_moved_by(const PrefetchEntry* e, UWord line)
{
   PtrdiffT step = line - e->last;
   Bool is_near = (UWord)step + 2 <= 4; /* -2 to 2 */
   if (!is_near || !e->moved) return False;
   if (e->step) return step == e->step || step == 2 * e->step;
   return step != 0;
}

/* The stream that was moved longest ago. */
static PrefetchEntry* find_oldest(const Prefetcher* p)
{
   PrefetchEntry* oldest = p->entries;
   for (UInt i = 1; i < p->config.entries; i++)
      if (p->entries[i].moved < oldest->moved) oldest = &p->entries[i];
   return oldest;
}

/* The stream that `line` moves; or a new one, in place of the oldest. */
static PrefetchEntry* find_stream(const Prefetcher* p, UWord line)
{
   for (UInt i = 0; i < p->config.entries; i++)
      if (is_moved_by(&p->entries[i], line)) return &p->entries[i];
   PrefetchEntry* oldest = find_oldest(p);
   *oldest = (PrefetchEntry){.last = line};
   return oldest;
}

static UInt see_stream(Prefetcher* p, Addr addr, UWord* lines)
{
   UWord line = addr >> p->line_bits;
   PrefetchEntry* e = find_stream(p, line);
   e->moved = ++p->now;
   if (line == e->last) return 0; /* the stream begins */
   e->step = (PtrdiffT)(line - e->last) > 0 ? 1 : -1;
   e->last = line;
   if (e->n_repeats < REPEATS) e->n_repeats++;
   return e->n_repeats < REPEATS
             ? 0
             : add_steps(p, addr, e->step * ((PtrdiffT)1 << p->line_bits),
                         p->config.degree, lines);
}

/* A page is moved by so many lines. */
static void move_page(Prefetcher* p, PrefetchEntry* e, PtrdiffT step, UWord by)
{
   p->last_step = e->step = step;
   if (by <= NEAR && e->n_repeats < REPEATS) e->n_repeats++;
}

static UInt see_page(Prefetcher* p, Addr addr, UWord* lines)
{
   UWord line = addr >> p->line_bits, key = (addr >> p->page_bits) + 1;
   PrefetchEntry* e = &p->entries[key & (p->config.entries - 1)];
   if (e->key != key)
      *e = (PrefetchEntry){
         .key = key, .last = line, .lowest = line, .step = p->last_step};
   if (line > e->last) {
      move_page(p, e, 1, line - e->last);
      e->last = line;
   } else if (line < e->lowest) {
      move_page(p, e, -1, e->lowest - line);
      e->lowest = line;
   }
   UInt degree = p->config.degree;
   return add_steps(p, addr, e->step * ((PtrdiffT)1 << p->line_bits),
                    e->n_repeats < REPEATS ? (degree + 3) / 4 : degree, lines);
}

UInt cg2_prefetcher_see(Prefetcher* p, Addr instr, Addr addr, UWord* lines)
{
   switch (p->config.kind) {
   case PREFETCH_NEXT:
      return add_steps(p, addr, (PtrdiffT)1 << p->line_bits, p->config.degree,
                       lines);
   case PREFETCH_STRIDE:
      return see_stride(p, instr, addr, lines);
   case PREFETCH_STREAM:
      return see_stream(p, addr, lines);
   case PREFETCH_PAGE:
      return see_page(p, addr, lines);
   default:
      return 0;
   }
}

void cg2_prefetcher_clear(Prefetcher* p)
{
   for (UInt i = 0; i < p->config.entries; i++)
      p->entries[i] = (PrefetchEntry){0};
   p->now = 0;
   p->last_step = 1;
}

void cg2_prefetcher_init(Prefetcher* p,
                         const PrefetcherConfig* config,
                         UInt line,
                         UInt page)
{
   *p = (Prefetcher){.config = *config,
                     .line_bits = __builtin_ctz(line),
                     .page_bits = __builtin_ctz(page),
                     .last_step = 1};
   if (config->entries)
      p->entries =
         VG_(calloc)("cg2.prefetcher", config->entries, sizeof *p->entries);
}
