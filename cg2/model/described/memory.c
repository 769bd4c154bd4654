#include "model/described/memory.h"

#include "base/table.h"

/*--- What there is ------------------------------------------------------*/

/* A level of one core, or of all. */
typedef struct Node {
   const CacheConfig* config;
   UInt line_bits;
   Level level, victims; /* `victims` if config->victims */
   Prefetcher prefetcher;
   /* Tables of what was touched last in each set, or NULL. */
   UWord *reads, *writes;
} Node;

/* A line that a write took from a core. */
typedef struct LostLine {
   TableNode node;
   UWord line;
} LostLine;

typedef struct Core {
   Node* path[2][PROCESSOR_LEVELS_MAX]; /* [1]: of code */
   Level tlbs[3];
   Table lost; /* LostLine */
} Core;

enum { DATA, CODE };
enum { KNOWN_SETS = 4096 };

/* Reason for mutable file-scope objects: the memory of the process's machine.
 * Generated code has the addresses of the tables. */
static struct {
   const Processor* processor;
   Bool has_cores;
   UInt n_levels, n_shared; /* the last so many levels are shared */
   Core** cores;            /* NULL: has not run yet */
   UInt n_cores, now;
   Node* shared[PROCESSOR_LEVELS_MAX];
   UInt page_bits;
   Bool has_data_tlb; /* or one for code and data */
   Bool knows_pages;  /* the tables of first-level TLBs are kept */
   UChar write_marks; /* what a line has that a write does not change */
   /* Bits of outcomes; 0: is no event. */
   UInt tlb_miss[2], dirty, lost, takes;
} memory;
static UWord code_lines[KNOWN_SETS], read_lines[KNOWN_SETS],
   write_lines[KNOWN_SETS];
static UWord code_pages[KNOWN_SETS], data_pages[KNOWN_SETS];

/* One access, or what follows from it. */
typedef struct Request {
   Core* core;
   Node* const* path;
   AccessKind kind;
   Addr instr, addr; /* of the access */
   UInt* outcome;
   Bool is_quiet;   /* what it misses does not count, nor trains prefetchers */
   Bool is_unknown; /* nor what it writes to memory */
   Bool is_evicted; /* it writes a dirty line */
   Bool is_lacking; /* the first level is known to lack its one line */
   UChar moved;     /* marks of the line that an exclusive level just gave */
} Request;

/*--- What was touched last ----------------------------------------------*/

static inline UWord filter_set(const Node* node, UWord line)
{
   return line & (node->level.n_sets - 1);
}

static inline void forget_set(Node* node, UWord line)
{
   if (!node->reads) return;
   node->reads[filter_set(node, line)] = CACHE_NONE;
   if (node->writes) node->writes[filter_set(node, line)] = CACHE_NONE;
}

/* A line was touched and lies in `slot`. */
static inline void note_touched(Node* node, UWord line, UWord slot, Bool is_new)
{
   if (!node->reads) return;
   UWord set = filter_set(node, line);
   Bool may_change = is_new && cg2_level_learns_from_hit(&node->level);
   UWord known = may_change ? CACHE_NONE : line << node->line_bits;
   node->reads[set] = known;
   if (!node->writes) return; /* for code only */
   UChar marks = node->level.marks[slot] & memory.write_marks;
   node->writes[set] = marks == memory.write_marks ? known : CACHE_NONE;
}

/*--- Lines that come ----------------------------------------------------*/

/* A line that a level has just touched, and what went for it. */
typedef struct Taken {
   UWord line, slot, gone;
   Bool is_hit, gone_is_dirty;
} Taken;

static inline Taken take(Level* level, UWord line)
{
   Taken t = {.line = line, .gone = CACHE_NONE};
   t.is_hit = cg2_level_touch(level, line);
   t.slot = level->slot;
   if (t.is_hit) return t;
   t.gone = level->evicted;
   t.gone_is_dirty = (level->evicted_marks & LINE_DIRTY) != 0;
   return t;
}

/* Likewise, if it is known not to be there. */
static inline Taken take_lacking(Level* level, UWord line)
{
   cg2_level_load(level, line);
   return (Taken){.line = line,
                  .slot = level->slot,
                  .gone = level->evicted,
                  .gone_is_dirty = (level->evicted_marks & LINE_DIRTY) != 0};
}

/*--- Lines that leave ---------------------------------------------------*/

static void ask(Request* r, UInt depth, Addr addr, UInt size, Bool is_write);

static inline Addr address_of(const Node* node, UWord line)
{
   return line << node->line_bits;
}

static inline UInt line_size(const Node* node)
{
   return 1U << node->line_bits;
}

/* The lines of `node` in which so many bytes lie. */
#define FOR_LINES(line, node, addr, size)                                      \
   for (UWord line = (addr) >> (node)->line_bits,                              \
              last_##line = ((addr) + (size)-1) >> (node)->line_bits;          \
        line <= last_##line; line++)

static UChar remove_line(Node* node, UWord line)
{
   UChar marks = cg2_level_remove(&node->level, line);
   if (node->config->victims) marks |= cg2_level_remove(&node->victims, line);
   forget_set(node, line);
   return marks;
}

/* From all levels above `depth` of a core. Whether one was dirty. */
static Bool take_from_core(Core* core, UInt depth, Addr addr, UInt size)
{
   UChar marks = 0;
   for (UInt kind = 0; kind < 2; kind++)
      for (UInt above = 0; above < depth; above++) {
         Node* node = core->path[kind][above];
         FOR_LINES(line, node, addr, size) marks |= remove_line(node, line);
      }
   return (marks & LINE_DIRTY) != 0;
}

static Bool take_from_above(Request* r, UInt depth, Addr addr, UInt size)
{
   if (depth < memory.n_levels - memory.n_shared)
      return take_from_core(r->core, depth, addr, size);
   Bool is_dirty = False;
   for (UInt c = 0; c < memory.n_cores; c++)
      if (memory.cores[c])
         is_dirty |= take_from_core(memory.cores[c], depth, addr, size);
   return is_dirty;
}

static void write_back(const Request* r, UInt depth, Addr addr, UInt size)
{
   Request evicted = *r;
   evicted.is_quiet = evicted.is_evicted = True;
   ask(&evicted, depth, addr, size, True);
}

static void leave(Request* r, UInt depth, UWord line, Bool is_dirty);

/* Into an exclusive level, from the one above. */
static void put(Request* r, UInt depth, UWord line, Bool is_dirty)
{
   Level* level = &r->path[depth]->level;
   Taken t = take(level, line);
   if (is_dirty) level->marks[t.slot] |= LINE_DIRTY;
   if (t.gone != CACHE_NONE) leave(r, depth, t.gone, t.gone_is_dirty);
}

/* A line has gone from a level and its victim cache. */
static void leave(Request* r, UInt depth, UWord line, Bool is_dirty)
{
   const Node* node = r->path[depth];
   Addr addr = address_of(node, line);
   if (node->config->inclusion == INCLUSIVE)
      is_dirty |= take_from_above(r, depth, addr, line_size(node));
   if (depth + 1 < memory.n_levels &&
       r->path[depth + 1]->config->inclusion == EXCLUSIVE)
      put(r, depth + 1, line, is_dirty);
   else if (is_dirty)
      write_back(r, depth + 1, addr, line_size(node));
}

static void evict(Request* r, UInt depth, UWord line, Bool is_dirty)
{
   Node* node = r->path[depth];
   if (line == CACHE_NONE) return;
   if (node->config->victims) {
      Taken t = take(&node->victims, line);
      if (is_dirty) node->victims.marks[t.slot] = LINE_DIRTY;
      if (t.gone == CACHE_NONE) return;
      line = t.gone;
      is_dirty = t.gone_is_dirty;
   }
   leave(r, depth, line, is_dirty);
}

/*--- Cores --------------------------------------------------------------*/

static ULong hash_of(UWord line)
{
   return cg2_hash_word(0, line);
}

static LostLine* find_lost(const Core* core, UWord line)
{
   TableNode* n = cg2_table_first(&core->lost, hash_of(line));
   while (n && ((LostLine*)n)->line != line)
      n = cg2_table_next(n);
   return (LostLine*)n;
}

static void lose(Core* core, UWord line)
{
   if (find_lost(core, line)) return;
   LostLine* lost = VG_(calloc)("cg2.memory", 1, sizeof *lost);
   lost->line = line;
   cg2_table_add(&core->lost, &lost->node, hash_of(line));
}

/* Whether it was lost; it is no more. */
static Bool regain(Core* core, UWord line)
{
   LostLine* lost = find_lost(core, line);
   if (!lost) return False;
   cg2_table_remove(&core->lost, &lost->node);
   VG_(free)(lost);
   return True;
}

/* What a core has of a line is not its own any more, or not there. Whether it
 * was there. */
static Bool disown(Request* r, Node* node, Level* level, UWord line, Bool takes)
{
   UWord slot = cg2_level_find(level, line);
   if (slot == CACHE_NONE) return False;
   Bool is_dirty = (level->marks[slot] & LINE_DIRTY) != 0;
   level->marks[slot] &= ~(LINE_DIRTY | LINE_OWNED);
   if (takes) cg2_level_remove(level, line);
   if (is_dirty)
      write_back(r, memory.n_levels - memory.n_shared, address_of(node, line),
                 line_size(node));
   return True;
}

static Bool disown_all(Request* r, Core* core, Addr addr, UInt size, Bool takes)
{
   Bool had = False;
   UInt n = memory.n_levels - memory.n_shared;
   for (UInt kind = 0; kind < 2; kind++)
      for (UInt depth = 0; depth < n; depth++) {
         Node* node = core->path[kind][depth];
         FOR_LINES(line, node, addr, size)
         {
            had |= disown(r, node, &node->level, line, takes);
            if (node->config->victims)
               had |= disown(r, node, &node->victims, line, takes);
         }
      }
   return had;
}

/* Before a core loads a line, or writes one: the others hear of it. */
static void tell_others(Request* r, UWord line, Bool is_write)
{
   const Node* node = r->path[0];
   UWord slot = cg2_level_find(&node->level, line);
   Bool is_there = slot != CACHE_NONE;
   if (is_there && (!is_write || node->level.marks[slot] & LINE_OWNED)) return;
   for (UInt c = 0; c < memory.n_cores; c++) {
      Core* core = memory.cores[c];
      if (!core || core == r->core) continue;
      Bool had =
         disown_all(r, core, address_of(node, line), line_size(node), is_write);
      if (!had || !is_write) continue;
      *r->outcome |= memory.takes;
      lose(core, line);
   }
}

/*--- Prefetching --------------------------------------------------------*/

static Bool has(const Node* node, UWord line)
{
   return cg2_level_find(&node->level, line) != CACHE_NONE ||
          (node->config->victims &&
           cg2_level_find(&node->victims, line) != CACHE_NONE);
}

static void prefetch(const Request* demand, UInt depth, UWord line)
{
   Request r = *demand;
   Node* node = r.path[depth];
   Level* level = &node->level;
   if (has(node, line)) return;
   r.is_quiet = r.is_unknown = True;
   r.moved = 0;
   Addr addr = address_of(node, line);
   if (memory.has_cores) {
      const Node* first = r.path[0];
      FOR_LINES(part, first, addr, line_size(node))
      tell_others(&r, part, False);
      if (depth == 0 && r.kind != ACCESS_FETCH) regain(r.core, line);
      if (has(node, line)) return; /* another core has just written it here */
   }
   Taken t = take(level, line);
   level->marks[t.slot] = LINE_PREFETCHED;
   forget_set(node, line);
   ask(&r, depth + 1, addr, line_size(node), False);
   level->marks[t.slot] |= r.moved;
   evict(&r, depth, t.gone, t.gone_is_dirty);
}

static void train(const Request* r, UInt depth, UWord line)
{
   Node* node = r->path[depth];
   UWord lines[PREFETCH_DEGREE_MAX];
   /* Its own bytes in this line. */
   Addr addr = address_of(node, line);
   if (r->addr > addr) addr = r->addr;
   UInt n = cg2_prefetcher_see(&node->prefetcher, r->instr, addr, lines);
   for (UInt i = 0; i < n; i++)
      prefetch(r, depth, lines[i]);
}

/*--- Asking -------------------------------------------------------------*/

static inline void count_miss(Request* r, UInt depth)
{
   if (!r->is_quiet) *r->outcome |= 1U << depth;
}

static inline void count_lost(Request* r, UInt depth, UWord line)
{
   if (depth > 0 || !memory.has_cores || r->kind == ACCESS_FETCH) return;
   if (regain(r->core, line)) *r->outcome |= memory.lost;
}

static void write_through(const Request* r, UInt depth, Addr addr, UInt size)
{
   Request through = *r;
   through.is_quiet = through.is_unknown = True;
   through.is_evicted = False;
   ask(&through, depth + 1, addr, size, True);
}

/* A read takes the line away; what is written is written here if it is. */
static void ask_exclusive(
   Request* r, UInt depth, UWord line, Addr addr, UInt size, Bool is_write)
{
   Level* level = &r->path[depth]->level;
   UWord slot = cg2_level_find(level, line);
   if (slot == CACHE_NONE) {
      count_miss(r, depth);
      ask(r, depth + 1, addr, size, is_write);
   } else if (is_write) {
      cg2_level_touch(level, line);
      if (r->path[depth]->config->writing == WRITE_BACK)
         level->marks[slot] |= LINE_DIRTY;
   } else
      r->moved = cg2_level_remove(level, line) & LINE_DIRTY;
}

/* What a level lacks; if `is_whole` all of it is being written. */
static void load(Request* r, UInt depth, UWord line, UWord slot, Bool is_whole)
{
   Node* node = r->path[depth];
   if (node->config->victims &&
       cg2_level_find(&node->victims, line) != CACHE_NONE) {
      node->level.marks[slot] = cg2_level_remove(&node->victims, line);
      return;
   }
   count_miss(r, depth);
   count_lost(r, depth, line);
   if (is_whole) return;
   ask(r, depth + 1, address_of(node, line), line_size(node), False);
   node->level.marks[slot] |= r->moved;
   r->moved = 0;
}

/* What a write does to a line that lies in `slot`. */
static inline void mark_written(Node* node, UWord slot)
{
   UChar marks = memory.has_cores ? LINE_OWNED : 0;
   if (node->config->writing == WRITE_BACK) marks |= LINE_DIRTY;
   node->level.marks[slot] |= marks;
}

static void ask_line(
   Request* r, UInt depth, UWord line, Addr addr, UInt size, Bool is_write)
{
   Node* node = r->path[depth];
   Level* level = &node->level;
   Bool is_lacking = r->is_lacking;
   r->is_lacking = False; /* of what follows, nothing is known */
   if (node->config->inclusion == EXCLUSIVE) {
      ask_exclusive(r, depth, line, addr, size, is_write);
      return;
   }
   if (memory.has_cores && depth == 0) tell_others(r, line, is_write);
   if (is_write && node->config->is_not_allocated && !has(node, line)) {
      count_miss(r, depth);
      ask(r, depth + 1, addr, size, True);
      return;
   }
   Taken t = is_lacking ? take_lacking(level, line) : take(level, line);
   Bool is_first = !t.is_hit;
   if (!t.is_hit)
      load(r, depth, line, t.slot,
           is_write && r->is_evicted && size == line_size(node));
   else if (level->marks[t.slot] & LINE_PREFETCHED && !r->is_quiet) {
      level->marks[t.slot] &= ~LINE_PREFETCHED;
      is_first = True;
   }
   /* What a level below loaded besides may have taken it away again. */
   Bool stays = t.is_hit || cg2_level_holds(level, t.slot, line);
   if (is_write && stays) mark_written(node, t.slot);
   if (stays) note_touched(node, line, t.slot, !t.is_hit);
   evict(r, depth, t.gone, t.gone_is_dirty);
   if (is_write && (!stays || node->config->writing == WRITE_THROUGH))
      write_through(r, depth, addr, size);
   if (is_first && !r->is_quiet) train(r, depth, line);
}

/* As Callgrind does: see asks_for_whole. */
static void
ask_whole(Request* r, UInt depth, Addr addr, UInt size, Bool is_write)
{
   Node* node = r->path[depth];
   Level* level = &node->level;
   Bool misses = False;
   FOR_LINES(line, node, addr, size)
   {
      if (memory.has_cores && depth == 0) tell_others(r, line, is_write);
      Taken t = take(level, line);
      if (!t.is_hit) count_lost(r, depth, line);
      if (is_write) mark_written(node, t.slot);
      note_touched(node, line, t.slot, !t.is_hit);
      evict(r, depth, t.gone, t.gone_is_dirty);
      misses |= !t.is_hit;
   }
   if (misses) {
      count_miss(r, depth);
      ask(r, depth + 1, addr, size, False);
   }
   if (is_write && node->config->writing == WRITE_THROUGH)
      write_through(r, depth, addr, size);
}

static void ask(Request* r, UInt depth, Addr addr, UInt size, Bool is_write)
{
   if (depth == memory.n_levels) {
      if (is_write && r->is_evicted && !r->is_unknown)
         *r->outcome |= memory.dirty;
      return;
   }
   if (memory.processor->asks_for_whole) {
      ask_whole(r, depth, addr, size, is_write);
      return;
   }
   const Node* node = r->path[depth];
   Addr end = addr + size;
   FOR_LINES(line, node, addr, size)
   {
      Addr from = address_of(node, line), to = from + line_size(node);
      if (from < addr) from = addr;
      if (end - from < to - from) to = end;
      ask_line(r, depth, line, from, to - from, is_write);
   }
}

/*--- Accesses -----------------------------------------------------------*/

/* A TLB, and the table of what was touched last in its sets. */
typedef struct Pages {
   Level* tlb;
   UWord* known;
} Pages;

static inline Pages pages_of(Core* core, Bool is_code)
{
   if (is_code || !memory.has_data_tlb)
      return (Pages){&core->tlbs[TLB_CODE], code_pages};
   return (Pages){&core->tlbs[TLB_DATA], data_pages};
}

static inline UWord page_set(const Level* tlb, UWord page)
{
   return page & (tlb->n_sets - 1) & (KNOWN_SETS - 1);
}

static UInt translate_page(Core* core, Pages pages, UWord page)
{
   Bool is_hit = cg2_level_touch(pages.tlb, page);
   Bool may_change = !is_hit && cg2_level_learns_from_hit(pages.tlb);
   pages.known[page_set(pages.tlb, page)] =
      may_change || !memory.knows_pages ? CACHE_NONE : page << memory.page_bits;
   if (is_hit) return 0;
   if (!memory.tlb_miss[1]) return memory.tlb_miss[0];
   is_hit = cg2_level_touch(&core->tlbs[TLB_SECOND], page);
   return memory.tlb_miss[0] | (is_hit ? 0 : memory.tlb_miss[1]);
}

static inline UInt translate(Core* core, Bool is_code, Addr addr, UInt size)
{
   Pages pages = pages_of(core, is_code);
   UWord page = addr >> memory.page_bits;
   UWord last = (addr + size - 1) >> memory.page_bits;
   UInt outcome = 0;
   for (;; page++) {
      if (pages.known[page_set(pages.tlb, page)] != page << memory.page_bits)
         outcome |= translate_page(core, pages, page);
      if (page == last) return outcome;
   }
}

/* All but what is below; apart, so that that needs few registers. */
static __attribute__((noinline)) UInt
access_lines(AccessKind kind, Addr addr, UInt size, Addr instr, Bool is_lacking)
{
   UInt outcome = 0;
   Core* core = memory.cores[memory.now];
   Request r = {.core = core,
                .path = core->path[kind == ACCESS_FETCH],
                .kind = kind,
                .is_lacking = is_lacking && !memory.processor->asks_for_whole,
                .instr = instr,
                .addr = addr,
                .outcome = &outcome};
   ask(&r, 0, addr, size, kind == ACCESS_WRITE);
   return outcome;
}

/* Most accesses are to one line that the first level has, and change nothing
 * but what was touched last. */
static inline Bool is_plain(Node* node, UWord slot, Bool is_write)
{
   UChar marks = node->level.marks[slot];
   if (marks & LINE_PREFETCHED) return False;
   return !is_write || (node->config->writing != WRITE_THROUGH &&
                        (marks & memory.write_marks) == memory.write_marks);
}

UInt cg2_memory_access(AccessKind kind, Addr addr, UInt size, Addr instr)
{
   Core* core = memory.cores[memory.now];
   UInt outcome = memory.tlb_miss[0]
                     ? translate(core, kind == ACCESS_FETCH, addr, size)
                     : 0;
   Node* first = core->path[kind == ACCESS_FETCH][0];
   UWord line = addr >> first->line_bits;
   Bool is_one = line == (addr + size - 1) >> first->line_bits, is_hit = False;
   if (is_one) {
      is_hit = cg2_level_hit(&first->level, line);
      if (is_hit && is_plain(first, first->level.slot, kind == ACCESS_WRITE)) {
         note_touched(first, line, first->level.slot, False);
         return outcome;
      }
   }
   return outcome | access_lines(kind, addr, size, instr, is_one && !is_hit);
}

UInt cg2_memory_data_max(void)
{
   const Processor* p = memory.processor;
   UInt line = p->caches[0].geometry.line;
   for (UInt i = p->is_unified ? 2 : 1; i <= p->n_levels; i++)
      if (p->caches[i].geometry.line < line) line = p->caches[i].geometry.line;
   return cg2_access_data_max(line);
}

/*--- Events -------------------------------------------------------------*/

static const HChar* const kind_letters[] = {"I", "D", "D"};
static const HChar* const kind_ends[] = {"mr", "mr", "mw"};
static const HChar* const kind_words[] = {"Instr. Fetch", "Data Read",
                                          "Data Write"};

/* An event of a kind: its name is that letter, `part`, and mr or mw; what
 * viewers show is `where`, the kind, and `what`. */
static void name_event(MemoryEvent* e,
                       AccessKind kind,
                       const HChar* part,
                       const HChar* where,
                       const HChar* what)
{
   VG_(sprintf)(e->name, "%s%s%s", kind_letters[kind], part, kind_ends[kind]);
   VG_(sprintf)(e->meaning, "%s%s%s", where, kind_words[kind], what);
   VG_(sprintf)(e->title, "%smisses", where);
   e->cycles = 0;
}

/* What it costs to go on to the next level. */
static UInt cycles_below(const Processor* p, UInt depth, Bool is_code)
{
   UInt here = p->caches[cg2_processor_cache(p, depth, is_code)].latency;
   UInt next =
      depth + 1 == p->n_levels
         ? p->memory_latency
         : p->caches[cg2_processor_cache(p, depth + 1, is_code)].latency;
   return next - here;
}

static UInt add_misses(AccessKind kind, MemoryEvent* events)
{
   const Processor* p = memory.processor;
   for (UInt depth = 0; depth < p->n_levels; depth++) {
      Bool is_last = depth > 0 && depth + 1 == p->n_levels;
      HChar level[8], where[8];
      VG_(sprintf)(level, "%u", depth + 1);
      VG_(sprintf)(where, "L%s ", is_last ? "L" : level);
      name_event(&events[depth], kind, is_last ? "L" : level, where, " Miss");
      events[depth].cycles = cycles_below(p, depth, kind == ACCESS_FETCH);
   }
   return p->n_levels;
}

static UInt add_translations(AccessKind kind, MemoryEvent* events)
{
   const Processor* p = memory.processor;
   const CacheConfig* second = &p->tlbs[TLB_SECOND];
   Bool has_second = second->geometry.size > 0;
   if (!cg2_processor_has_tlb(p)) return 0;
   name_event(&events[0], kind, "T1", "L1 TLB ", " Miss");
   events[0].cycles = has_second ? second->latency : p->walk_latency;
   if (!has_second) return 1;
   name_event(&events[1], kind, "T2", "L2 TLB ", " Miss");
   events[1].cycles = p->walk_latency;
   return 2;
}

static Bool writes_back(const Processor* p)
{
   for (UInt i = p->is_unified ? 2 : 1; i <= p->n_levels; i++)
      if (p->caches[i].writing == WRITE_BACK) return True;
   return p->caches[0].writing == WRITE_BACK && p->is_unified;
}

UInt cg2_memory_events(AccessKind kind, MemoryEvent* events)
{
   UInt n = add_misses(kind, events);
   n += add_translations(kind, &events[n]);
   if (writes_back(memory.processor)) {
      name_event(&events[n], kind, "Ld", "", " That Has Memory Written");
      VG_(sprintf)(events[n++].title, "Memory writes");
   }
   if (!memory.has_cores || kind == ACCESS_FETCH) return n;
   name_event(&events[n], kind, "c", "L1 ", " Miss, Another Thread Wrote");
   VG_(sprintf)(events[n++].title, "Lines lost");
   if (kind == ACCESS_READ) return n;
   events[n] = (MemoryEvent){"Dciw", "Data Write That Takes Others' Line",
                             "Lines taken", 0};
   return n + 1;
}

/* As cg2_memory_events has them. */
static void set_bits(void)
{
   const Processor* p = memory.processor;
   UInt bit = 1U << p->n_levels;
   for (UInt level = 0; level < 2; level++) {
      Bool is_there = p->tlbs[level ? TLB_SECOND : TLB_CODE].geometry.size > 0;
      memory.tlb_miss[level] = is_there ? bit : 0;
      bit <<= is_there;
   }
   memory.dirty = writes_back(p) ? bit : 0;
   bit <<= writes_back(p);
   memory.lost = memory.has_cores ? bit : 0;
   memory.takes = memory.has_cores ? bit << 1 : 0;
}

/*--- What was touched last, for generated code --------------------------*/

static Bool has_table(UWord n_sets)
{
   return !(n_sets & (n_sets - 1)) && n_sets <= KNOWN_SETS;
}

static Bool has_table_of(const Processor* p, UInt tlb)
{
   const Geometry* g = &p->tlbs[tlb].geometry;
   return g->size == 0 || has_table(g->size / g->ways);
}

MemoryFilter cg2_memory_filter(AccessKind kind)
{
   Bool is_code = kind == ACCESS_FETCH;
   Core* core = memory.cores[0];
   const Node* node = core->path[is_code][0];
   const Processor* p = memory.processor;
   MemoryFilter filter = {.line_bits = node->line_bits,
                          .line_mask = node->level.n_sets - 1,
                          .lines =
                             kind == ACCESS_WRITE ? node->writes : node->reads};
   if (kind == ACCESS_WRITE && node->config->writing == WRITE_THROUGH)
      filter.lines = NULL;
   if (!cg2_processor_has_tlb(p)) return filter;
   Pages pages = pages_of(core, is_code);
   if (!memory.knows_pages) filter.lines = NULL;
   filter.pages = pages.known;
   filter.page_bits = memory.page_bits;
   filter.page_mask = pages.tlb->n_sets - 1;
   return filter;
}

static void forget_touched(void)
{
   UWord* tables[] = {code_lines, read_lines, write_lines, code_pages,
                      data_pages};
   for (UInt t = 0; t < sizeof tables / sizeof *tables; t++)
      for (UInt set = 0; set < KNOWN_SETS; set++)
         tables[t][set] = CACHE_NONE;
}

/*--- Making it ----------------------------------------------------------*/

static Node* new_node(const CacheConfig* config)
{
   Node* node = VG_(calloc)("cg2.memory", 1, sizeof *node);
   UInt line = config->geometry.line;
   node->config = config;
   node->line_bits = __builtin_ctz(line);
   cg2_level_init(&node->level, config);
   if (config->victims) {
      CacheConfig victims = {
         .geometry = {(ULong)config->victims * line, config->victims, line}};
      cg2_level_init(&node->victims, &victims);
   }
   cg2_prefetcher_init(&node->prefetcher, &config->prefetcher, line,
                       memory.processor->page);
   return node;
}

static void keep_touched(Node* node, UWord* reads, UWord* writes)
{
   if (!has_table(node->level.n_sets)) return;
   node->reads = reads;
   node->writes = writes;
}

static Node* level_of(Core* core, UInt depth, Bool is_code)
{
   const Processor* p = memory.processor;
   const CacheConfig* config =
      &p->caches[cg2_processor_cache(p, depth, is_code)];
   if (depth >= memory.n_levels - memory.n_shared) {
      if (!memory.shared[depth]) memory.shared[depth] = new_node(config);
      return memory.shared[depth];
   }
   Bool is_known = is_code && (depth > 0 || p->is_unified);
   return is_known ? core->path[DATA][depth] : new_node(config);
}

static Core* new_core(void)
{
   const Processor* p = memory.processor;
   Core* core = VG_(calloc)("cg2.memory", 1, sizeof *core);
   for (UInt is_code = 0; is_code < 2; is_code++)
      for (UInt depth = 0; depth < memory.n_levels; depth++)
         core->path[is_code][depth] = level_of(core, depth, is_code);
   keep_touched(core->path[DATA][0], read_lines, write_lines);
   if (!p->is_unified) keep_touched(core->path[CODE][0], code_lines, NULL);
   for (UInt i = 0; i < 3; i++)
      if (p->tlbs[i].geometry.size) cg2_level_init(&core->tlbs[i], &p->tlbs[i]);
   return core;
}

void cg2_memory_run_on(UInt core)
{
   if (!memory.has_cores || (core == memory.now && memory.n_cores)) return;
   if (core >= memory.n_cores) {
      UInt n = core + 8;
      memory.cores =
         VG_(realloc)("cg2.memory", memory.cores, n * sizeof *memory.cores);
      for (UInt i = memory.n_cores; i < n; i++)
         memory.cores[i] = NULL;
      memory.n_cores = n;
   }
   if (!memory.cores[core]) memory.cores[core] = new_core();
   memory.now = core;
   forget_touched();
}

static UInt shared_levels(const Processor* p)
{
   UInt n = 0;
   for (UInt depth = 0; depth < p->n_levels; depth++)
      n += p->caches[cg2_processor_cache(p, depth, False)].is_shared;
   return n;
}

void cg2_memory_init(const Processor* p, Bool has_cores)
{
   VG_(memset)(&memory, 0, sizeof memory);
   memory.processor = p;
   memory.has_cores = has_cores;
   memory.n_levels = p->n_levels;
   memory.n_shared = shared_levels(p);
   memory.page_bits = __builtin_ctz(p->page);
   if (has_cores) memory.write_marks |= LINE_OWNED;
   if (p->caches[cg2_processor_cache(p, 0, False)].writing == WRITE_BACK)
      memory.write_marks |= LINE_DIRTY;
   memory.has_data_tlb = p->tlbs[TLB_DATA].geometry.size > 0;
   memory.knows_pages = has_table_of(p, TLB_CODE) && has_table_of(p, TLB_DATA);
   set_bits();
   memory.n_cores = 1;
   memory.cores = VG_(calloc)("cg2.memory", 1, sizeof *memory.cores);
   memory.cores[0] = new_core();
   forget_touched();
}

static void clear_node(Node* node)
{
   cg2_level_clear(&node->level);
   if (node->config->victims) cg2_level_clear(&node->victims);
   cg2_prefetcher_clear(&node->prefetcher);
}

static void forget_lost(Core* core)
{
   for (UWord b = 0; b < core->lost.n_buckets; b++)
      while (core->lost.buckets[b]) {
         TableNode* node = core->lost.buckets[b];
         cg2_table_remove(&core->lost, node);
         VG_(free)(node);
      }
}

static void clear_core(Core* core)
{
   for (UInt is_code = 0; is_code < 2; is_code++)
      for (UInt depth = 0; depth < memory.n_levels; depth++)
         clear_node(core->path[is_code][depth]);
   for (UInt i = 0; i < 3; i++)
      if (memory.processor->tlbs[i].geometry.size)
         cg2_level_clear(&core->tlbs[i]);
   forget_lost(core);
}

void cg2_memory_clear(void)
{
   for (UInt c = 0; c < memory.n_cores; c++)
      if (memory.cores[c]) clear_core(memory.cores[c]);
   forget_touched();
}
