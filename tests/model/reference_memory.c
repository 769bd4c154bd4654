#include "reference_memory.h"

#include <stdlib.h>
#include <string.h>

/*--- A store: any cache or TLB ------------------------------------------*/

typedef struct Line {
   Bool is_there, is_dirty, is_prefetched, is_owned;
   UWord number;
   ULong touched, loaded;
   UInt distance; /* SRRIP */
   UInt
      spared; /* bit i: a prefetch kept the next demand from missing level i */
} Line;

enum { PAGE_LINES_MAX = 1 << 14 };

/* A page that a prefetcher knows. */
typedef struct SeenPage {
   UWord page;
   PtrdiffT step;
   UInt n_near; /* how often a line next to those before moved it */
   UInt n;
   UShort lines[PAGE_LINES_MAX]; /* of the page, that were seen */
} SeenPage;

typedef struct Store {
   const CacheConfig* config;
   Replacement replacement;
   UWord n_sets;
   UInt n_ways;
   Line* lines;        /* [n_sets][n_ways] */
   Bool* points_right; /* PLRU: [n_sets][n_ways - 1], the root first, then its
                          two halves, and so on */
   Chance chance;
   ULong now;
   struct Store* victims;
   /* The prefetcher. */
   PrefetchEntry* known; /* of each instruction, or stream */
   SeenPage* pages;
   Bool goes_down; /* the page that was moved last */
} Store;

static Store* new_store(const CacheConfig* config)
{
   Store* s = calloc(1, sizeof *s);
   const Geometry* g = &config->geometry;
   s->config = config;
   s->replacement = config->replacement;
   s->n_ways = g->ways;
   s->n_sets = g->size / g->ways / g->line;
   s->lines = calloc(s->n_sets * s->n_ways, sizeof *s->lines);
   s->points_right = calloc(s->n_sets * s->n_ways, 1);
   s->chance.state = config->seed;
   s->known = calloc(config->prefetcher.entries + 1, sizeof *s->known);
   if (config->prefetcher.kind == PREFETCH_PAGE)
      s->pages = calloc(config->prefetcher.entries, sizeof *s->pages);
   if (config->victims) {
      CacheConfig* full = calloc(1, sizeof *full);
      full->geometry =
         (Geometry){(ULong)config->victims * g->line, config->victims, g->line};
      s->victims = new_store(full);
   }
   return s;
}

static void free_store(Store* s)
{
   if (!s) return;
   if (s->victims) {
      free((void*)s->victims->config);
      free_store(s->victims);
   }
   free(s->lines);
   free(s->points_right);
   free(s->known);
   free(s->pages);
   free(s);
}

static Line* set_of(const Store* s, UWord number)
{
   return s->lines + number % s->n_sets * s->n_ways;
}

static Line* find(const Store* s, UWord number)
{
   Line* set = set_of(s, number);
   for (UInt i = 0; i < s->n_ways; i++)
      if (set[i].is_there && set[i].number == number) return &set[i];
   return NULL;
}

/* Walks down the tree of one set: `low` to `high` are the ways of the subtree
 * whose node is `node`. */
static UInt walk_tree(const Bool* points_right, UInt node, UInt low, UInt high)
{
   if (high - low == 1) return low;
   UInt middle = (low + high) / 2;
   return points_right[node]
             ? walk_tree(points_right, 2 * node + 2, middle, high)
             : walk_tree(points_right, 2 * node + 1, low, middle);
}

static void
turn_tree(Bool* points_right, UInt node, UInt low, UInt high, UInt way)
{
   if (high - low == 1) return;
   UInt middle = (low + high) / 2;
   points_right[node] = way < middle;
   if (way < middle)
      turn_tree(points_right, 2 * node + 1, low, middle, way);
   else
      turn_tree(points_right, 2 * node + 2, middle, high, way);
}

static Line* choose(Store* s, UWord number)
{
   Line* set = set_of(s, number);
   Line* best = &set[0];
   for (UInt i = 0; i < s->n_ways; i++)
      if (!set[i].is_there) return &set[i];
   switch (s->replacement) {
   case REPLACE_LRU:
      for (UInt i = 1; i < s->n_ways; i++)
         if (set[i].touched < best->touched) best = &set[i];
      return best;
   case REPLACE_FIFO:
      for (UInt i = 1; i < s->n_ways; i++)
         if (set[i].loaded < best->loaded) best = &set[i];
      return best;
   case REPLACE_RANDOM:
      return &set[(chance_next(&s->chance) >> 32) % s->n_ways];
   case REPLACE_PLRU:
      return &set[walk_tree(s->points_right + number % s->n_sets * s->n_ways, 0,
                            0, s->n_ways)];
   default:
      for (;;) {
         for (UInt i = 0; i < s->n_ways; i++)
            if (set[i].distance == 3) return &set[i];
         for (UInt i = 0; i < s->n_ways; i++)
            set[i].distance++;
      }
   }
}

/* Finds or loads a line. What made room for it, if anything, is in *gone. */
static Line* touch(Store* s, UWord number, Bool* is_hit, Line* gone)
{
   Line* line = find(s, number);
   memset(gone, 0, sizeof *gone);
   *is_hit = line != NULL;
   s->now++;
   if (!line) {
      line = choose(s, number);
      *gone = *line;
      *line = (Line){.is_there = True, .number = number, .loaded = s->now};
   }
   line->touched = s->now;
   line->distance = *is_hit ? 0 : 2;
   UWord set = number % s->n_sets;
   if (s->replacement == REPLACE_PLRU)
      turn_tree(s->points_right + set * s->n_ways, 0, 0, s->n_ways,
                line - set_of(s, number));
   return line;
}

/*--- The machine --------------------------------------------------------*/

enum { CORES = 8 };

static struct {
   const Processor* p;
   Bool has_cores;
   UInt core;
   Store* caches[CORES][PROCESSOR_CACHES_MAX]; /* as in p */
   Store* tlbs[CORES][3];
   struct {
      UWord lines[1 << 16];
      UInt n;
   } lost[CORES];
   UInt outcome;
   UInt spared; /* by the prefetch that is under way */
   AccessKind kind;
   Addr instr, addr;
} m;

/* How an access came about. */
typedef enum Why { DEMAND, THROUGH, EVICTED, PREFETCHED, PREFETCH_EVICTED } Why;

static Store* at(UInt core, UInt depth, Bool is_code)
{
   return m.caches[core][cg2_processor_cache(m.p, depth, is_code)];
}

static Bool is_code(void)
{
   return m.kind == ACCESS_FETCH;
}

static UInt line_bytes(const Store* s)
{
   return s->config->geometry.line;
}

static UInt private_levels(void)
{
   UInt n = 0;
   while (n < m.p->n_levels && !at(0, n, False)->config->is_shared)
      n++;
   return n;
}

static UInt bit_behind_misses(UInt n)
{
   UInt bit = 1 << m.p->n_levels;
   return bit << n;
}

static UInt n_tlb_levels(void)
{
   return (m.p->tlbs[0].geometry.size > 0) + (m.p->tlbs[2].geometry.size > 0);
}

static Bool has_dirty(void)
{
   for (UInt depth = 0; depth < m.p->n_levels; depth++)
      for (UInt code = 0; code < 2; code++)
         if (at(0, depth, code)->config->writing == WRITE_BACK &&
             (depth > 0 || !code || m.p->is_unified))
            return True;
   return False;
}

static void memory_written(Why why)
{
   if (why == EVICTED) m.outcome |= bit_behind_misses(n_tlb_levels());
}

static void count_lost(void)
{
   m.outcome |= bit_behind_misses(n_tlb_levels() + has_dirty());
}

static void count_taken(void)
{
   m.outcome |= bit_behind_misses(n_tlb_levels() + has_dirty()) * 2;
}

/* Levels that a prefetch kept an access from missing: behind all else that the
 * access may count, without the levels before the first that prefetches. */
static void count_spared(UInt levels)
{
   UInt first = 0, others = n_tlb_levels() + has_dirty();
   while (first < m.p->n_levels &&
          at(m.core, first, is_code())->config->prefetcher.kind ==
             PREFETCH_NONE)
      first++;
   if (m.has_cores) others += m.kind; /* a fetch, a read, a write: 0, 1, 2 */
   m.outcome |= bit_behind_misses(others) * (levels >> first);
}

static Bool was_lost(UWord line)
{
   for (UInt i = 0; i < m.lost[m.core].n; i++)
      if (m.lost[m.core].lines[i] == line) {
         m.lost[m.core].lines[i] = m.lost[m.core].lines[--m.lost[m.core].n];
         return True;
      }
   return False;
}

static Why evicted_by(Why why)
{
   if (why == PREFETCHED || why == PREFETCH_EVICTED || why == THROUGH)
      return PREFETCH_EVICTED;
   return EVICTED;
}

static void request(
   Why why, UInt depth, Addr addr, UInt size, Bool is_write, Bool* got_dirty);

static void send_down(Why why, UInt depth, Addr addr, UInt size)
{
   Bool ignored = False;
   request(why, depth, addr, size, True, &ignored);
}

/* Takes the lines of some bytes from one store. */
static Bool purge(Store* s, Addr addr, UInt size)
{
   Bool is_dirty = False;
   UWord first = addr / line_bytes(s), last = (addr + size - 1) / line_bytes(s);
   for (Store* part = s; part; part = part->victims)
      for (UWord number = first; number <= last; number++) {
         Line* line = find(part, number);
         if (!line) continue;
         is_dirty |= line->is_dirty;
         memset(line, 0, sizeof *line);
      }
   return is_dirty;
}

static void line_left(Why why, UInt depth, Line line)
{
   const Store* s = at(m.core, depth, is_code());
   Addr addr = line.number * line_bytes(s);
   if (s->config->inclusion == INCLUSIVE)
      for (UInt c = 0; c < CORES; c++)
         for (UInt d = 0; d < depth; d++)
            for (UInt code = 0; code < 2; code++)
               if (m.caches[c][0] && (s->config->is_shared || c == m.core))
                  line.is_dirty |= purge(at(c, d, code), addr, line_bytes(s));
   Store* below =
      depth + 1 < m.p->n_levels ? at(m.core, depth + 1, is_code()) : NULL;
   if (below && below->config->inclusion == EXCLUSIVE) {
      Bool is_hit;
      Line gone;
      Line* taken = touch(below, line.number, &is_hit, &gone);
      taken->is_dirty |= line.is_dirty;
      if (gone.is_there) line_left(why, depth + 1, gone);
   } else if (line.is_dirty)
      send_down(evicted_by(why), depth + 1, addr, line_bytes(s));
}

static void make_go(Why why, UInt depth, Line gone)
{
   Store* victims = at(m.core, depth, is_code())->victims;
   if (!gone.is_there) return;
   if (victims) {
      Bool is_hit;
      Line out;
      touch(victims, gone.number, &is_hit, &out)->is_dirty = gone.is_dirty;
      if (!out.is_there) return;
      gone = out;
   }
   line_left(why, depth, gone);
}

/*--- Cores --------------------------------------------------------------*/

static Bool hear(Why why, Store* s, Addr addr, UInt size, Bool takes)
{
   Bool had = False;
   UWord first = addr / line_bytes(s), last = (addr + size - 1) / line_bytes(s);
   for (UWord n = first; n <= last; n++)
      for (Store* part = s; part; part = part->victims) {
         Line* line = find(part, n);
         if (!line) continue;
         Bool was_dirty = line->is_dirty;
         had = True;
         line->is_dirty = line->is_owned = False;
         if (takes) memset(line, 0, sizeof *line);
         if (was_dirty)
            send_down(evicted_by(why), private_levels(), n * line_bytes(s),
                      line_bytes(s));
      }
   return had;
}

static void ask_others(Why why, UWord number, Bool is_write)
{
   Store* first = at(m.core, 0, is_code());
   Line* here = find(first, number);
   Addr addr = number * line_bytes(first);
   if (!m.has_cores || (here && (!is_write || here->is_owned))) return;
   for (UInt c = 0; c < CORES; c++) {
      if (c == m.core || !m.caches[c][0]) continue;
      Bool had = False;
      for (UInt code = 0; code < 2; code++)
         for (UInt depth = 0; depth < private_levels(); depth++)
            had |=
               hear(why, at(c, depth, code), addr, line_bytes(first), is_write);
      if (!had || !is_write) continue;
      count_taken();
      UInt now = m.core;
      m.core = c;
      was_lost(number);
      m.lost[c].lines[m.lost[c].n++] = number;
      m.core = now;
   }
}

/*--- Prefetching --------------------------------------------------------*/

static void fetch_ahead(UInt depth, UWord number)
{
   Store* s = at(m.core, depth, is_code());
   Addr addr = number * line_bytes(s);
   if (find(s, number) || (s->victims && find(s->victims, number))) return;
   if (m.has_cores) {
      Store* first = at(m.core, 0, is_code());
      UWord last = (addr + line_bytes(s) - 1) / line_bytes(first);
      for (UWord n = addr / line_bytes(first); n <= last; n++)
         ask_others(PREFETCHED, n, False);
      if (depth == 0 && !is_code()) was_lost(number);
      if (find(s, number) || (s->victims && find(s->victims, number))) return;
   }
   Bool is_hit, got_dirty = False;
   Line gone;
   Line* line = touch(s, number, &is_hit, &gone);
   line->is_prefetched = True;
   m.spared = 1 << depth;
   request(PREFETCHED, depth + 1, addr, line_bytes(s), False, &got_dirty);
   line->is_dirty |= got_dirty;
   if (line->is_there && line->number == number) line->spared = m.spared;
   make_go(PREFETCHED, depth, gone);
}

/* Prefetches the lines of `n_steps` addresses, from `distance` steps of so many
 * bytes on. */
static void fetch_steps(UInt depth, Addr addr, PtrdiffT step, UInt n_steps)
{
   Store* s = at(m.core, depth, is_code());
   const PrefetcherConfig* c = &s->config->prefetcher;
   UWord wanted[PREFETCH_DEGREE_MAX], previous = addr / line_bytes(s);
   UInt n = 0;
   for (UInt i = 0; i < n_steps; i++) {
      Addr to = addr + step * ((PtrdiffT)c->distance + i);
      if (to / m.p->page != addr / m.p->page) continue;
      if (to / line_bytes(s) == previous) continue;
      wanted[n++] = previous = to / line_bytes(s);
   }
   for (UInt i = 0; i < n; i++)
      fetch_ahead(depth, wanted[i]);
}

static void see_stride(UInt depth, Addr addr)
{
   Store* s = at(m.core, depth, is_code());
   PrefetchEntry* e = &s->known[m.instr % s->config->prefetcher.entries];
   if (e->key != m.instr) {
      memset(e, 0, sizeof *e);
      e->key = m.instr;
   } else if ((PtrdiffT)(addr - e->last) == e->step && e->step != 0)
      e->n_repeats++;
   else {
      e->step = addr - e->last;
      e->n_repeats = 0;
   }
   e->last = addr;
   if (e->n_repeats >= 2)
      fetch_steps(depth, addr, e->step, s->config->prefetcher.degree);
}

/* The streams lie in the order in which they were moved, the last one first. */
static void see_stream(UInt depth, Addr addr)
{
   Store* s = at(m.core, depth, is_code());
   UInt n = s->config->prefetcher.entries, found = n;
   UWord line = addr / line_bytes(s);
   /* The oldest place in the tool's table wins where several go on; places are
    * told by `key`. */
   for (UInt i = 0; i < n; i++) {
      PrefetchEntry* e = &s->known[i];
      if (!e->moved) continue;
      Bool up = line == e->last + 1 || line == e->last + 2;
      Bool down = line + 1 == e->last || line + 2 == e->last;
      if ((up && e->step >= 0) || (down && e->step <= 0))
         if (found == n || e->key < s->known[found].key) found = i;
   }
   PrefetchEntry e;
   if (found < n) {
      e = s->known[found];
      e.step = line > e.last ? 1 : -1;
      e.n_repeats++;
   } else {
      found = n - 1;
      e = (PrefetchEntry){.moved = 1};
      /* A new one takes a free place first, the lowest. */
      if (!s->known[found].moved) {
         while (found > 0 && !s->known[found - 1].moved)
            found--;
         e.key = found;
      } else
         e.key = s->known[found].key;
   }
   e.last = line;
   memmove(&s->known[1], &s->known[0], found * sizeof e);
   s->known[0] = e;
   if (e.n_repeats >= 2)
      fetch_steps(depth, addr, e.step * (PtrdiffT)line_bytes(s),
                  s->config->prefetcher.degree);
}

/* A page's entry has its lines that were seen, one after the other: what the
 * tool adds up is found anew each time. */
static void see_page(UInt depth, Addr addr)
{
   Store* s = at(m.core, depth, is_code());
   const PrefetcherConfig* c = &s->config->prefetcher;
   UWord page = addr / m.p->page, line = addr / line_bytes(s);
   SeenPage* seen = &s->pages[(page + 1) % c->entries];
   if (!seen->n || seen->page != page)
      *seen = (SeenPage){.page = page, .step = s->goes_down ? -1 : 1};
   Bool is_highest = seen->n > 0, is_lowest = seen->n > 0;
   UWord nearest = ~0UL; /* how far the nearest line is that was seen */
   for (UInt i = 0; i < seen->n; i++) {
      UWord other = page * (m.p->page / line_bytes(s)) + seen->lines[i];
      UWord far = line > other ? line - other : other - line;
      if (line <= other) is_highest = False;
      if (line >= other) is_lowest = False;
      if (far < nearest) nearest = far;
   }
   if (is_highest || is_lowest) {
      seen->step = is_lowest ? -1 : 1;
      s->goes_down = is_lowest;
      if (nearest <= 4) seen->n_near++;
   }
   if (nearest > 0) seen->lines[seen->n++] = line % (m.p->page / line_bytes(s));
   fetch_steps(depth, addr, seen->step * (PtrdiffT)line_bytes(s),
               seen->n_near >= 2 ? c->degree : (c->degree + 3) / 4);
}

static void tell_prefetcher(UInt depth, UWord number)
{
   Store* s = at(m.core, depth, is_code());
   Addr addr = number * line_bytes(s);
   if (addr < m.addr) addr = m.addr;
   switch (s->config->prefetcher.kind) {
   case PREFETCH_NEXT:
      fetch_steps(depth, addr, line_bytes(s), s->config->prefetcher.degree);
      break;
   case PREFETCH_STRIDE:
      see_stride(depth, addr);
      break;
   case PREFETCH_STREAM:
      see_stream(depth, addr);
      break;
   case PREFETCH_PAGE:
      see_page(depth, addr);
      break;
   default:
      break;
   }
}

/*--- Requests -----------------------------------------------------------*/

static void miss(Why why, UInt depth)
{
   if (why == DEMAND) m.outcome |= 1 << depth;
   if (why == PREFETCHED) m.spared |= 1 << depth;
}

static void request_exclusive(Why why,
                              UInt depth,
                              UWord number,
                              Addr addr,
                              UInt size,
                              Bool is_write,
                              Bool* got_dirty)
{
   Store* s = at(m.core, depth, is_code());
   Line* line = find(s, number);
   if (!line) {
      miss(why, depth);
      request(why, depth + 1, addr, size, is_write, got_dirty);
   } else if (is_write) {
      Bool is_hit;
      Line gone;
      line = touch(s, number, &is_hit, &gone);
      if (s->config->writing == WRITE_BACK) line->is_dirty = True;
   } else {
      *got_dirty = line->is_dirty;
      memset(line, 0, sizeof *line);
   }
}

static void look_for_lost(UInt depth, UWord number)
{
   if (depth == 0 && m.has_cores && !is_code() && was_lost(number))
      count_lost();
}

static void request_line(
   Why why, UInt depth, UWord number, Addr addr, UInt size, Bool is_write)
{
   Store* s = at(m.core, depth, is_code());
   if (depth == 0) ask_others(why, number, is_write);
   Line* victim = s->victims ? find(s->victims, number) : NULL;
   if (is_write && s->config->is_not_allocated && !find(s, number) && !victim) {
      Bool ignored = False;
      miss(why, depth);
      request(why, depth + 1, addr, size, True, &ignored);
      return;
   }
   Bool is_hit;
   Line gone;
   Line* line = touch(s, number, &is_hit, &gone);
   Bool tells = why == DEMAND && (!is_hit || line->is_prefetched);
   if (is_hit && why == DEMAND) count_spared(line->spared);
   if (is_hit && why == PREFETCHED) m.spared |= line->spared;
   if (!is_hit || why == DEMAND || why == PREFETCHED) line->spared = 0;
   if (why == DEMAND) line->is_prefetched = False;
   if (!is_hit && victim) {
      line->is_dirty = victim->is_dirty;
      memset(victim, 0, sizeof *victim);
   } else if (!is_hit) {
      miss(why, depth);
      look_for_lost(depth, number);
      Bool is_all = (why == EVICTED || why == PREFETCH_EVICTED) && is_write &&
                    size == line_bytes(s);
      Bool got_dirty = False;
      if (!is_all)
         request(why, depth + 1, number * line_bytes(s), line_bytes(s), False,
                 &got_dirty);
      line->is_dirty = got_dirty;
   }
   Bool stays = line->is_there; /* or an inclusive level took it away */
   if (is_write && s->config->writing == WRITE_BACK) line->is_dirty = True;
   if (is_write) line->is_owned = True;
   make_go(why, depth, gone);
   if (is_write && (!stays || s->config->writing == WRITE_THROUGH))
      send_down(THROUGH, depth + 1, addr, size);
   if (tells) tell_prefetcher(depth, number);
}

static void
request_whole(Why why, UInt depth, Addr addr, UInt size, Bool is_write)
{
   Store* s = at(m.core, depth, is_code());
   UWord first = addr / line_bytes(s), last = (addr + size - 1) / line_bytes(s);
   Bool misses = False, ignored = False;
   for (UWord number = first; number <= last; number++) {
      Bool is_hit;
      Line gone;
      if (depth == 0) ask_others(why, number, is_write);
      Line* line = touch(s, number, &is_hit, &gone);
      if (!is_hit) look_for_lost(depth, number);
      if (is_write && s->config->writing == WRITE_BACK) line->is_dirty = True;
      if (is_write) line->is_owned = True;
      make_go(why, depth, gone);
      if (!is_hit) misses = True;
   }
   if (misses) {
      miss(why, depth);
      request(why, depth + 1, addr, size, False, &ignored);
   }
   if (is_write && s->config->writing == WRITE_THROUGH)
      send_down(THROUGH, depth + 1, addr, size);
}

static void request(
   Why why, UInt depth, Addr addr, UInt size, Bool is_write, Bool* got_dirty)
{
   if (depth == m.p->n_levels) {
      if (is_write) memory_written(why);
      return;
   }
   if (m.p->asks_for_whole) {
      request_whole(why, depth, addr, size, is_write);
      return;
   }
   Store* s = at(m.core, depth, is_code());
   UInt done = 0;
   for (UInt end = 1; end <= size; end++)
      if (end == size || (addr + end) % line_bytes(s) == 0) {
         UWord number = (addr + done) / line_bytes(s);
         if (s->config->inclusion == EXCLUSIVE)
            request_exclusive(why, depth, number, addr + done, end - done,
                              is_write, got_dirty);
         else
            request_line(why, depth, number, addr + done, end - done, is_write);
         done = end;
      }
}

/*--- Accesses -----------------------------------------------------------*/

static void translate(Addr addr, UInt size)
{
   Store* const* tlbs = m.tlbs[m.core];
   Store* first = !is_code() && tlbs[1] ? tlbs[1] : tlbs[0];
   for (UWord page = addr / m.p->page; page <= (addr + size - 1) / m.p->page;
        page++) {
      Bool is_hit;
      Line gone;
      touch(first, page, &is_hit, &gone);
      if (is_hit) continue;
      m.outcome |= bit_behind_misses(0);
      if (!tlbs[2]) continue;
      touch(tlbs[2], page, &is_hit, &gone);
      if (!is_hit) m.outcome |= bit_behind_misses(1);
   }
}

UInt reference_memory_access(AccessKind kind, Addr addr, UInt size, Addr instr)
{
   Bool ignored = False;
   m.outcome = 0;
   m.kind = kind;
   m.addr = addr;
   m.instr = instr;
   if (m.tlbs[m.core][0]) translate(addr, size);
   request(DEMAND, 0, addr, size, kind == ACCESS_WRITE, &ignored);
   return m.outcome;
}

void reference_memory_run_on(UInt core)
{
   m.core = core;
   if (m.caches[core][0]) return;
   for (UInt i = 0; i <= m.p->n_levels; i++) {
      if (i == 1 && m.p->is_unified) continue;
      m.caches[core][i] = core > 0 && m.p->caches[i].is_shared
                             ? m.caches[0][i]
                             : new_store(&m.p->caches[i]);
   }
   for (UInt i = 0; i < 3; i++)
      if (m.p->tlbs[i].geometry.size)
         m.tlbs[core][i] = new_store(&m.p->tlbs[i]);
}

void reference_memory_init(const Processor* processor, Bool has_cores)
{
   memset(&m, 0, sizeof m);
   m.p = processor;
   m.has_cores = has_cores;
   reference_memory_run_on(0);
}

void reference_memory_free(void)
{
   for (UInt core = 0; core < CORES; core++)
      for (UInt i = 0; i < PROCESSOR_CACHES_MAX; i++) {
         if (core == 0 || m.caches[core][i] != m.caches[0][i])
            if (core == 0 || !m.p->caches[i].is_shared)
               free_store(m.caches[core][i]);
         if (i < 3) free_store(m.tlbs[core][i]);
      }
}
