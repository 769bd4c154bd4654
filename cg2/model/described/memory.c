#include "model/described/memory.h"

/* Who calls whom. `ask` is for each level, from the first to memory:
 *
 *    access -> ask -> ask_line -+-> tell_others -> disown -> write_back
 *                               +-> ask_exclusive -> ask the next level
 *                               +-> use_line -+-> load -> ask the next level
 *                                             +-> evict -> hand_on -> leave
 *                                             +-> write_through -> ask below
 *                                             +-> train -> prefetch
 *    prefetch   -> ask the next level, then evict
 *    translate  -> translate_page -> clear_fresh -> bring_page -> ask
 *    leave      -> put (an exclusive level takes the line) -> leave
 *               or write_back (the line is dirty)
 *    write_back -> ask the next level, or the first shared one
 *
 * What a call finds out it returns; a Request does not change. */

static Memory* const memory = &cg2_memorysetup;

/* Whom all of this is for: an access, or what follows from an access. */
typedef struct Request {
   Core* core;
   Node* const* path; /* the core's levels for this kind of access */
   AccessKind kind;
   Addr instr, addr; /* of the access */
   UInt size;
   UInt* outcome;   /* of the access */
   UInt* brought;   /* of a prefetch: gets a bit, by depth, of each level that
                       lacks the line; else NULL */
   Bool is_silent;  /* a prefetch, or a write on its way through: nothing that
                       it does counts */
   Bool is_evicted; /* a dirty line is written: only that memory is written
                       counts, and not even that if it is silent */
} Request;

/* What a level is asked for. Two words, which are handed on in registers. */
typedef struct Bytes {
   Addr addr;
   UInt size;
   Bool is_write;
} Bytes;

/* Asks the level at `depth`, or memory behind the last level. Returns
 * LINE_DIRTY if an exclusive level gave a dirty line away, which whoever asked
 * has now; else 0. */
static UChar ask(const Request* r, UInt depth, Bytes bytes);

/* Whether misses of a request do not count, nor train prefetchers. */
static inline Bool is_quiet(const Request* r)
{
   return r->is_silent || r->is_evicted;
}

/*--- Lines --------------------------------------------------------------*/

static inline Addr address_of(const Node* node, UWord line)
{
   return line << node->line_bits;
}

static inline UInt line_size(const Node* node)
{
   return 1U << node->line_bits;
}

static inline Bytes whole_line(const Node* node, UWord line, Bool is_write)
{
   return (Bytes){address_of(node, line), line_size(node), is_write};
}

/* The lines of a level that some bytes lie in. */
typedef struct LineSpan {
   UWord first, last;
} LineSpan;

static inline LineSpan lines_of(const Node* node, Bytes bytes)
{
   return (LineSpan){bytes.addr >> node->line_bits,
                     (bytes.addr + bytes.size - 1) >> node->line_bits};
}

/* The part of `bytes` that lies in a line. */
static inline Bytes bytes_in(const Node* node, UWord line, Bytes bytes)
{
   Addr from = address_of(node, line), to = from + line_size(node);
   Addr end = bytes.addr + bytes.size;
   if (from < bytes.addr) from = bytes.addr;
   if (end - from < to - from) to = end;
   return (Bytes){from, to - from, bytes.is_write};
}

/* Whether two lines are in the same set of a level. */
static inline Bool share_set(const CacheLevel* level, UWord a, UWord b)
{
   return cg2_level_set(level, a) == cg2_level_set(level, b);
}

/* The slot of a line in the victim cache of a level, or CACHE_NONE. */
static inline UWord find_victim(const Node* node, UWord line)
{
   return node->config->victims ? cg2_level_find(&node->victims, line)
                                : CACHE_NONE;
}

/* Whether a level, or its victim cache, has a line. */
static Bool has(const Node* node, UWord line)
{
   return cg2_level_find(&node->level, line) != CACHE_NONE ||
          find_victim(node, line) != CACHE_NONE;
}

/*--- Known lines --------------------------------------------------------*/

/* The place of a page among those known to be in a TLB. */
static inline KnownPage* place_of(UInt tlb, UWord page)
{
   return &memory->pages[tlb][page & (MEMORY_KNOWN_PAGES - 1)];
}

/* Makes a line known that was touched by an access, and lies in `slot`, if its
 * page is known. Data that is written may be read as well, and data that was
 * read may be written if that changes nothing else, either. */
static void know(const Node* node, Bool is_code, UWord line, UWord slot)
{
   const KnownLines* known = &node->known[is_code ? ACCESS_FETCH : ACCESS_READ];
   const KnownLines* written = &node->known[ACCESS_WRITE];
   UInt* stamp = NULL;
   if (!known->of || !cg2_level_may_repeat(&node->level, slot)) return;
   if (memory->bits.tlb_miss[0]) {
      UWord page = address_of(node, line) >> memory->page_bits;
      const KnownPage* at = place_of(cg2_memorysetup_tlb(is_code), page);
      if (at->page != page) return;
      *at->groups |= cg2_knownlines_group(line);
      stamp = at->stamp;
   }
   KnownLine of =
      cg2_knownlines_describe(known, &node->level, line, slot, stamp);
   *cg2_knownlines_at(known, line) = of;
   UChar marks = node->level.marks[slot] & memory->write_marks;
   if (!is_code && written->of && marks == memory->write_marks)
      *cg2_knownlines_at(written, line) = of;
}

static inline void forget(const Node* node, UWord line)
{
   for (UInt kind = 0; kind < ACCESS_KINDS; kind++)
      cg2_knownlines_forget(&node->known[kind], line);
}

/* Forgets a page that leaves a slot of a TLB, with its lines. */
static void forget_page(const Core* core, UInt tlb, UWord page, UWord slot)
{
   KnownPage* at = place_of(tlb, page);
   ULong* groups = &core->groups[tlb][slot];
   UWord size = (UWord)1 << memory->page_bits;
   if (at->page == page) at->page = CACHE_NONE;
   for (UInt kind = 0; kind < ACCESS_KINDS; kind++) {
      Bool is_code = kind == ACCESS_FETCH;
      if (cg2_memorysetup_tlb(is_code) == tlb)
         cg2_knownlines_forget_page(&core->path[is_code][0]->known[kind],
                                    page << memory->page_bits, size, *groups);
   }
   *groups = 0;
}

/* Generated code touches the lines of an access once more, after all that the
 * access did. Where another line of the set was touched in between, that would
 * not be what the access did: then it must not, and the line is unknown. */
static inline void forget_doubtful(const Request* r, UInt depth, UWord line)
{
   const Node* node = r->path[depth];
   const KnownLines* known = &node->known[r->kind];
   if (depth > 0 || known->touching != TOUCH_BITS) return;
   LineSpan of = lines_of(node, (Bytes){r->addr, r->size, False});
   for (UWord other = of.first; other <= of.last; other++)
      if (other != line && share_set(&node->level, other, line))
         cg2_knownlines_forget(known, other);
}

/*--- Lines that come ----------------------------------------------------*/

/* A line that a level has just touched, and what went for it. */
typedef struct TakenLine {
   UWord line, slot;
   UWord gone; /* a line, or CACHE_NONE */
   Bool is_hit, gone_is_dirty;
} TakenLine;

/* The line that was just loaded into a level. */
static inline TakenLine loaded(const CacheLevel* level, UWord line)
{
   return (TakenLine){.line = line,
                      .slot = level->slot,
                      .gone = level->evicted,
                      .gone_is_dirty =
                         (level->evicted_marks & LINE_DIRTY) != 0};
}

/* Makes a line the newest of its set: a level takes it, if it is not there. */
static inline TakenLine take(CacheLevel* level, UWord line)
{
   if (!cg2_level_touch(level, line)) return loaded(level, line);
   return (TakenLine){
      .line = line, .slot = level->slot, .gone = CACHE_NONE, .is_hit = True};
}

/* Takes a line that is known not to be there. */
static inline TakenLine take_lacking(CacheLevel* level, UWord line)
{
   cg2_level_load(level, line);
   return loaded(level, line);
}

/*--- Lines that leave ---------------------------------------------------*/

/* Removes a line, if it is there, from a level and its victim cache. Returns
 * its marks, or 0. */
static UChar remove_line(Node* node, UWord line)
{
   UChar marks = 0;
   UWord slot = cg2_level_find(&node->level, line);
   UWord victim = find_victim(node, line);
   if (slot != CACHE_NONE) {
      forget(node, line);
      marks |= cg2_level_remove(&node->level, line, slot);
   }
   if (victim != CACHE_NONE)
      marks |= cg2_level_remove(&node->victims, line, victim);
   return marks;
}

/* Removes all lines of a level that some bytes lie in. Returns the marks that
 * any of them has. */
static UChar remove_lines(Node* node, Bytes bytes)
{
   UChar marks = 0;
   LineSpan lines = lines_of(node, bytes);
   for (UWord line = lines.first; line <= lines.last; line++)
      marks |= remove_line(node, line);
   return marks;
}

/* Removes bytes from all levels of a core above `depth`, of which only the
 * first may be another one for code. True: a line was dirty. */
static Bool remove_from_core(Core* core, UInt depth, Bytes bytes)
{
   UChar marks = depth ? remove_lines(core->path[MEMORY_CODE][0], bytes) : 0;
   for (UInt above = 0; above < depth; above++)
      marks |= remove_lines(core->path[MEMORY_DATA][above], bytes);
   return (marks & LINE_DIRTY) != 0;
}

/* Removes bytes from all levels above the one at `depth`, which all cores or
 * one core has. True: a line was dirty. */
static Bool remove_from_above(const Request* r, UInt depth, Bytes bytes)
{
   if (depth < memory->n_levels - memory->n_shared)
      return remove_from_core(r->core, depth, bytes);
   Bool is_dirty = False;
   for (UInt c = 0; c < memory->n_cores; c++)
      if (memory->cores[c])
         is_dirty |= remove_from_core(memory->cores[c], depth, bytes);
   return is_dirty;
}

/* Writes a dirty line of `node` to the level at `depth`. */
static void
write_back(const Request* r, UInt depth, const Node* node, UWord line)
{
   Request evicted = *r;
   evicted.is_evicted = True;
   evicted.brought = NULL;
   ask(&evicted, depth, whole_line(node, line, True));
}

static void leave(const Request* r, UInt depth, UWord line, Bool is_dirty);

/* Puts a line into an exclusive level, from the one above. */
static void put(const Request* r, UInt depth, UWord line, Bool is_dirty)
{
   CacheLevel* level = &r->path[depth]->level;
   TakenLine t = take(level, line);
   if (is_dirty) level->marks[t.slot] |= LINE_DIRTY;
   if (t.gone != CACHE_NONE) leave(r, depth, t.gone, t.gone_is_dirty);
}

/* Hands on a line that has gone from a level and its victim cache. */
static void leave(const Request* r, UInt depth, UWord line, Bool is_dirty)
{
   const Node* node = r->path[depth];
   if (node->config->inclusion == INCLUSIVE)
      is_dirty |= remove_from_above(r, depth, whole_line(node, line, False));
   if (depth + 1 < memory->n_levels &&
       r->path[depth + 1]->config->inclusion == EXCLUSIVE)
      put(r, depth + 1, line, is_dirty);
   else if (is_dirty)
      write_back(r, depth + 1, node, line);
}

/* Hands on a line that has gone from a level: to the victim cache, or out. */
static void hand_on(const Request* r, UInt depth, UWord line, Bool is_dirty)
{
   Node* node = r->path[depth];
   forget(node, line);
   if (!node->config->victims) {
      leave(r, depth, line, is_dirty);
      return;
   }
   TakenLine victim = take(&node->victims, line);
   if (is_dirty) node->victims.marks[victim.slot] = LINE_DIRTY;
   if (victim.gone != CACHE_NONE)
      leave(r, depth, victim.gone, victim.gone_is_dirty);
}

/* Hands on the line that went for another, if one did. */
static inline void evict(const Request* r, UInt depth, TakenLine t)
{
   if (t.gone != CACHE_NONE) hand_on(r, depth, t.gone, t.gone_is_dirty);
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

/* Notes that a write of another core took a line from `core`. */
static void add_lost(const Request* r, Core* core, UWord line)
{
   if (find_lost(core, line)) return;
   LostLine* lost = VG_(calloc)("cg2.memory", 1, sizeof *lost);
   lost->line = line;
   lost->by = (MemoryTaking){.addr = r->addr, .size = r->size};
   lost->next = memory->taken;
   memory->taken = lost;
   cg2_table_add(&core->lost, &lost->node, hash_of(line));
}

/* Forgets that a line was taken from `core`. True: it had been taken. */
static Bool remove_lost(Core* core, UWord line)
{
   LostLine* lost = find_lost(core, line);
   if (!lost) return False;
   memory->lost = lost->by;
   cg2_table_remove(&core->lost, &lost->node);
   VG_(free)(lost);
   return True;
}

/* Ends that a line, if `level` of a core has it, is the core's own: it is
 * written to the first shared level if it is dirty, and taken away for a write
 * of another core. True: the line was there. */
static Bool disown(const Request* r,
                   const Node* node,
                   CacheLevel* level,
                   UWord line,
                   Bool is_write)
{
   UWord slot = cg2_level_find(level, line);
   if (slot == CACHE_NONE) return False;
   Bool is_dirty = (level->marks[slot] & LINE_DIRTY) != 0;
   level->marks[slot] &= ~(LINE_DIRTY | LINE_OWNED);
   if (is_write) cg2_level_remove(level, line, slot);
   if (is_dirty) write_back(r, memory->n_levels - memory->n_shared, node, line);
   return True;
}

/* Disowns all lines of a level in which some bytes lie. True: one was there. */
static Bool disown_lines(const Request* r, Node* node, Bytes bytes)
{
   Bool had = False;
   LineSpan lines = lines_of(node, bytes);
   for (UWord line = lines.first; line <= lines.last; line++) {
      had |= disown(r, node, &node->level, line, bytes.is_write);
      if (node->config->victims)
         had |= disown(r, node, &node->victims, line, bytes.is_write);
   }
   return had;
}

static Bool disown_all(const Request* r, const Core* core, Bytes bytes)
{
   Bool had = False;
   UInt n_private = memory->n_levels - memory->n_shared;
   for (UInt kind = 0; kind < MEMORY_PATHS; kind++)
      for (UInt depth = 0; depth < n_private; depth++)
         had |= disown_lines(r, core->path[kind][depth], bytes);
   return had;
}

/* Before a core loads a line, or writes one, the others hear of it. */
static void tell_others(const Request* r, UWord line, Bool is_write)
{
   const Node* node = r->path[0];
   UWord slot = cg2_level_find(&node->level, line);
   Bool is_there = slot != CACHE_NONE;
   if (is_there && (!is_write || node->level.marks[slot] & LINE_OWNED)) return;
   for (UInt c = 0; c < memory->n_cores; c++) {
      Core* core = memory->cores[c];
      if (!core || core == r->core) continue;
      Bool had = disown_all(r, core, whole_line(node, line, is_write));
      if (!had || !is_write) continue;
      *r->outcome |= memory->bits.takes;
      add_lost(r, core, line);
   }
}

/*--- Prefetching --------------------------------------------------------*/

/* Tells all other cores that a line of `node` will be loaded. */
static void tell_prefetch(const Request* r, UInt depth, UWord line)
{
   LineSpan lines =
      lines_of(r->path[0], whole_line(r->path[depth], line, False));
   for (UWord part = lines.first; part <= lines.last; part++)
      tell_others(r, part, False);
   if (depth == 0 && r->kind != ACCESS_FETCH) remove_lost(r->core, line);
}

static void prefetch(const Request* demand, UInt depth, UWord line)
{
   Request r = *demand;
   Node* node = r.path[depth];
   UInt brought = 1U << depth;
   if (has(node, line)) return;
   r.is_silent = True;
   r.brought = &brought;
   if (memory->has_cores) {
      tell_prefetch(&r, depth, line);
      if (has(node, line)) return; /* another core has just written it here */
   }
   TakenLine t = take_lacking(&node->level, line);
   forget_doubtful(demand, depth, line);
   node->level.marks[t.slot] = LINE_PREFETCHED;
   UChar moved = ask(&r, depth + 1, whole_line(node, line, False));
   node->level.marks[t.slot] |= moved;
   if (cg2_level_holds(&node->level, t.slot, line))
      node->level.marks[t.slot] |= brought * LINE_BROUGHT;
   evict(&r, depth, t);
}

/* Tells the prefetcher that an access needed a line first, and follows it. */
static void train(const Request* r, UInt depth, UWord line)
{
   Node* node = r->path[depth];
   UWord lines[PREFETCH_DEGREE_MAX];
   /* The access's own bytes in this line. */
   Addr addr = address_of(node, line);
   if (r->addr > addr) addr = r->addr;
   UInt n = cg2_prefetcher_see(&node->prefetcher, r->instr, addr, lines);
   for (UInt i = 0; i < n; i++)
      prefetch(r, depth, lines[i]);
   if (n)
      node->level.now++; /* a level's lines that are prefetched at once are
                            in sets of their own */
}

/*--- Asking for a line --------------------------------------------------*/

static inline void count_miss(const Request* r, UInt depth)
{
   if (!is_quiet(r))
      *r->outcome |= 1U << depth;
   else if (r->brought)
      *r->brought |= 1U << depth;
}

static inline void count_lost(const Request* r, UInt depth, UWord line)
{
   if (depth > 0 || !memory->has_cores || r->kind == ACCESS_FETCH) return;
   if (remove_lost(r->core, line)) *r->outcome |= memory->bits.lost;
}

static void write_through(const Request* r, UInt depth, Bytes bytes)
{
   Request through = *r;
   through.is_silent = True;
   through.is_evicted = False;
   through.brought = NULL;
   ask(&through, depth + 1, bytes);
}

/* Asks an exclusive level. A read takes the line away; a write changes it where
 * it is. Returns as ask() does. */
static UChar
ask_exclusive(const Request* r, UInt depth, UWord line, Bytes bytes)
{
   CacheLevel* level = &r->path[depth]->level;
   UWord slot = cg2_level_find(level, line);
   if (slot == CACHE_NONE) {
      count_miss(r, depth);
      return ask(r, depth + 1, bytes);
   }
   if (!bytes.is_write) return cg2_level_remove(level, line, slot) & LINE_DIRTY;
   cg2_level_touch(level, line);
   if (r->path[depth]->config->writing == WRITE_BACK)
      level->marks[slot] |= LINE_DIRTY;
   return 0;
}

/* Gets what a level lacks, for `slot`: from its victim cache, or from the next
 * level, unless `is_whole`: all of the line is being written. */
static void
load(const Request* r, UInt depth, UWord line, UWord slot, Bool is_whole)
{
   Node* node = r->path[depth];
   UWord victim = find_victim(node, line);
   if (victim != CACHE_NONE) {
      node->level.marks[slot] = cg2_level_remove(&node->victims, line, victim);
      return;
   }
   count_miss(r, depth);
   count_lost(r, depth, line);
   if (is_whole) return;
   UChar moved = ask(r, depth + 1, whole_line(node, line, False));
   node->level.marks[slot] |= moved;
}

/* What a write does to a line that lies in `slot`. */
static inline void mark_written(Node* node, UWord slot)
{
   UChar marks = memory->has_cores ? LINE_OWNED : 0;
   if (node->config->writing == WRITE_BACK) marks |= LINE_DIRTY;
   node->level.marks[slot] |= marks;
}

/* Notes a request for a line that is there. True: it is the first demand for
 * it, as until now the line was only prefetched. A prefetch of a level above
 * takes over what the line was brought past. */
static inline Bool note_demand(const Request* r, Node* node, UWord slot)
{
   UChar* marks = &node->level.marks[slot];
   if (!(*marks & LINE_PREFETCHED)) return False;
   UInt brought = *marks / LINE_BROUGHT;
   if (is_quiet(r)) {
      if (!r->brought) return False;
      *r->brought |= brought;
      *marks &= LINE_BROUGHT - 1;
      return False;
   }
   *r->outcome |= brought << memory->bits.brought_shift[r->kind];
   *marks &= (LINE_BROUGHT - 1) & ~LINE_PREFETCHED;
   return True;
}

/* Completes the access to a line that a level has just touched. Inline, like
 * ask_line, as a further call for each level would take a hundredth more time.
 */
static inline __attribute__((always_inline)) void
use_line(const Request* r, UInt depth, Bytes bytes, TakenLine t)
{
   Node* node = r->path[depth];
   Bool is_whole =
      bytes.is_write && r->is_evicted && bytes.size == line_size(node);
   Bool is_first = !t.is_hit || note_demand(r, node, t.slot);
   if (!t.is_hit) load(r, depth, t.line, t.slot, is_whole);
   /* What a level below loaded besides may have taken the line away again. */
   Bool stays = t.is_hit || cg2_level_holds(&node->level, t.slot, t.line);
   if (bytes.is_write && stays) mark_written(node, t.slot);
   if (stays && depth == 0) know(node, r->kind == ACCESS_FETCH, t.line, t.slot);
   evict(r, depth, t);
   if (bytes.is_write && (!stays || node->config->writing == WRITE_THROUGH))
      write_through(r, depth, bytes);
   if (is_first && !is_quiet(r)) train(r, depth, t.line);
}

/* Asks the level at `depth` for bytes in one of its lines, which it may be
 * known to lack. Returns as ask() does. */
static inline __attribute__((always_inline)) UChar
ask_line(const Request* r, UInt depth, UWord line, Bytes bytes, Bool is_lacking)
{
   Node* node = r->path[depth];
   if (node->config->inclusion == EXCLUSIVE)
      return ask_exclusive(r, depth, line, bytes);
   if (memory->has_cores && depth == 0) tell_others(r, line, bytes.is_write);
   if (bytes.is_write && node->config->is_not_allocated && !has(node, line)) {
      count_miss(r, depth);
      ask(r, depth + 1, bytes);
      return 0;
   }
   TakenLine t =
      is_lacking ? take_lacking(&node->level, line) : take(&node->level, line);
   node->level.now++;
   forget_doubtful(r, depth, line);
   use_line(r, depth, bytes, t);
   return 0;
}

/*--- Asking a level -----------------------------------------------------*/

/* Asks as Callgrind does: see Processor's asks_for_whole. */
static void ask_whole(const Request* r, UInt depth, Bytes bytes)
{
   Node* node = r->path[depth];
   LineSpan lines = lines_of(node, bytes);
   Bool misses = False;
   for (UWord line = lines.first; line <= lines.last; line++) {
      if (memory->has_cores && depth == 0) tell_others(r, line, bytes.is_write);
      TakenLine t = take(&node->level, line);
      node->level.now++;
      forget_doubtful(r, depth, line);
      if (!t.is_hit) count_lost(r, depth, line);
      if (bytes.is_write) mark_written(node, t.slot);
      if (depth == 0) know(node, r->kind == ACCESS_FETCH, line, t.slot);
      evict(r, depth, t);
      misses |= !t.is_hit;
   }
   if (misses) {
      count_miss(r, depth);
      ask(r, depth + 1, (Bytes){bytes.addr, bytes.size, False});
   }
   if (bytes.is_write && node->config->writing == WRITE_THROUGH)
      write_through(r, depth, bytes);
}

static void ask_memory(const Request* r, Bytes bytes)
{
   if (bytes.is_write && r->is_evicted && !r->is_silent)
      *r->outcome |= memory->bits.dirty;
}

/* Asks for bytes in several lines, one after the other. */
static __attribute__((noinline)) UChar
ask_lines(const Request* r, UInt depth, LineSpan lines, Bytes bytes)
{
   UChar moved = 0;
   for (UWord line = lines.first; line <= lines.last; line++)
      moved |= ask(r, depth, bytes_in(r->path[depth], line, bytes));
   return moved;
}

static UChar ask(const Request* r, UInt depth, Bytes bytes)
{
   if (depth == memory->n_levels) {
      ask_memory(r, bytes);
      return 0;
   }
   if (memory->processor->asks_for_whole) {
      ask_whole(r, depth, bytes);
      return 0;
   }
   LineSpan lines = lines_of(r->path[depth], bytes);
   return lines.first == lines.last
             ? ask_line(r, depth, lines.first, bytes, False)
             : ask_lines(r, depth, lines, bytes);
}

/*--- Pages --------------------------------------------------------------*/

/* Brings the lines of a page to which the kernel has just written zeroes into
 * the first level and those below. They come as if they were read: no other
 * core loses a line of memory that is new. */
static void bring_page(Core* core, Addr page, UInt time)
{
   UInt outcome = 0; /* which nobody counts */
   Node* first = core->path[MEMORY_DATA][0];
   Request r = {.core = core,
                .path = core->path[MEMORY_DATA],
                .kind = ACCESS_READ,
                .addr = page,
                .size = line_size(first),
                .outcome = &outcome,
                .is_silent = True};
   Addr end = page + memory->processor->page;
   for (; r.addr != end; r.addr += r.size) {
      first->level.now = time;
      ask(&r, 0, (Bytes){r.addr, r.size, False});
   }
}

/* Clears a page, as the kernel does, if the program touches it first. */
static void clear_fresh(Core* core, UWord page, UInt time)
{
   Addr placed = page << memory->page_bits, address = placed - memory->moved;
   if (memory->is_cleared && cg2_freshpages_touch(&memory->fresh, address) &&
       memory->is_cleared(address))
      bring_page(core, placed, time);
}

/* Touches a page that is not known. Returns which TLBs missed, as bits of an
 * outcome. A function of its own, as most pages are known. */
static __attribute__((noinline)) UInt
translate_page(Core* core, UInt first, UWord page, Bool is_code)
{
   const UInt* miss = memory->bits.tlb_miss;
   CacheLevel* tlb = &core->tlbs[first];
   Bool is_hit = cg2_level_touch(tlb, page);
   if (core->groups[first]) {
      if (!is_hit && tlb->evicted != CACHE_NONE)
         forget_page(core, first, tlb->evicted, tlb->slot);
      *place_of(first, page) =
         (KnownPage){page, tlb->stamps ? &tlb->stamps[tlb->slot] : NULL,
                     &core->groups[first][tlb->slot]};
   }
   if (is_hit) return 0;
   if (miss[1] && cg2_level_touch(&core->tlbs[TLB_SECOND], page))
      return miss[0];
   if (!is_code) clear_fresh(core, page, tlb->now);
   return miss[0] | miss[1];
}

static inline UInt
translate(Core* core, Bool is_code, Addr addr, UInt size, UInt time)
{
   UInt first = cg2_memorysetup_tlb(is_code);
   UWord page = addr >> memory->page_bits;
   UWord last = (addr + size - 1) >> memory->page_bits;
   UInt outcome = 0;
   for (;; page++, time++) {
      const KnownPage* known = place_of(first, page);
      if (known->page == page) {
         if (known->stamp) *known->stamp = time;
      } else {
         core->tlbs[first].now = time;
         outcome |= translate_page(core, first, page, is_code);
      }
      if (page == last) return outcome;
   }
}

/*--- Accesses -----------------------------------------------------------*/

/* Makes an access of any kind; `is_lacking`: to one line that the first level
 * is known to lack. A function of its own, so that cg2_memory_access() needs
 * few registers. */
static __attribute__((noinline)) UInt
access_lines(AccessKind kind, Addr addr, UInt size, Addr instr, Bool is_lacking)
{
   UInt outcome = 0;
   Core* core = memory->cores[memory->now];
   Request r = {.core = core,
                .path = core->path[kind == ACCESS_FETCH],
                .kind = kind,
                .instr = instr,
                .addr = addr,
                .size = size,
                .outcome = &outcome};
   Bytes bytes = {addr, size, kind == ACCESS_WRITE};
   memory->taken = NULL;
   if (is_lacking && !memory->processor->asks_for_whole)
      ask_line(&r, 0, lines_of(r.path[0], bytes).first, bytes, True);
   else
      ask(&r, 0, bytes);
   return outcome;
}

/* Whether an access to a line that is there only touches it, as most do. */
static inline Bool is_plain(const Node* node, UWord slot, Bool is_write)
{
   UChar marks = node->level.marks[slot];
   if (marks & LINE_PREFETCHED) return False;
   return !is_write || (node->config->writing != WRITE_THROUGH &&
                        (marks & memory->write_marks) == memory->write_marks);
}

/* Makes an access to one line if it only touches it. False: nothing has changed
 * but the touch of a line that is there, and the access is still to be made;
 * `is_lacking`: the line is not there. */
static inline Bool
make_plain(Node* first, UWord line, AccessKind kind, Bool* is_lacking)
{
   CacheLevel* level = &first->level;
   const KnownLine* at = cg2_knownlines_find(&first->known[kind], line);
   if (at) {
      cg2_knownlines_touch(&first->known[kind], at, level->now);
      return True;
   }
   *is_lacking = !cg2_level_hit(level, line);
   if (*is_lacking || !is_plain(first, level->slot, kind == ACCESS_WRITE))
      return False;
   know(first, kind == ACCESS_FETCH, line, level->slot);
   return True;
}

/* Forgets what is known at the place of a line, unless it is that line: what is
 * known there, generated code touches now. */
static inline void forget_another(const KnownLines* known, UWord line)
{
   if (known->of && !cg2_knownlines_find(known, line))
      cg2_knownlines_empty(cg2_knownlines_at(known, line));
}

UInt cg2_memory_access(
   AccessKind kind, Addr addr, UInt size, Addr instr, UInt time)
{
   Bool is_code = kind == ACCESS_FETCH, is_lacking = False;
   Core* core = memory->cores[memory->now];
   UInt outcome =
      memory->bits.tlb_miss[0] ? translate(core, is_code, addr, size, time) : 0;
   Node* first = core->path[is_code][0];
   UWord line = addr >> first->line_bits;
   first->level.now = time;
   UWord last = (addr + size - 1) >> first->line_bits;
   if (line != last || !make_plain(first, line, kind, &is_lacking))
      outcome |= access_lines(kind, addr, size, instr, is_lacking);
   forget_another(&first->known[kind], line);
   if (is_code) forget_another(&first->known[kind], last);
   return outcome;
}

const MemoryTaking* cg2_memory_lost(void)
{
   return &memory->lost;
}

void cg2_memory_sign(const void* place)
{
   for (LostLine* lost = memory->taken; lost; lost = lost->next)
      lost->by.place = place;
}
