#include "model/callgrind/hierarchy.h"

enum {
   STREAMS = 8,
   PAGE_BITS = 12,
   AHEAD = 5 /* lines */
};

/* The last line of the pages that share a stream, and how many neighbours led
 * to it: above 0 upwards, below 0 downwards. */
typedef struct Stream {
   UWord line;
   Long n_steps;
} Stream;

/* Reason for a mutable file-scope object: the caches of the process's machine.
 */
static struct {
   MarkedCache i1, d1;
   Cache l2, ll;
   Bool has_l2, writes_back, prefetches;
   Bool has_others; /* beside ll, a miss of the first level asks for more: l2,
                       sweeps, dirty lines or prefetches */
   UInt l2_miss;    /* the bit of an outcome: a miss of l2 */
   UInt data_max;   /* bytes */
   UChar* is_dirty; /* [slot of ll]; only if written back */
   Marks written;   /* of lines that are dirty and the newest of their set in
                       ll; none unless ll is all, and has lines as d1 */
   Stream streams[STREAMS];
   Sweep* sweeps; /* asked for what ll is asked for; or NULL */
   /* The stride of i1, or d1, if it is usual and ll is all, with the same
      lines; else 0. */
   UInt usual_code, usual_data;
} hierarchy;

/*--- The levels ---------------------------------------------------------*/

/* Touches all lines of an access. True: all were there. */
static inline Bool touch(Cache* cache, Addr addr, UInt size)
{
   UWord line = cg2_cache_line(cache, addr);
   UWord last = cg2_cache_line(cache, addr + size - 1);
   Bool is_hit = cg2_cache_touch(cache, line);
   while (line != last)
      is_hit &= cg2_cache_touch(cache, ++line);
   return is_hit;
}

/* Touches all lines of an access in a first level. True: all were there. */
static Bool touch_first(MarkedCache* m, Addr addr, UInt size)
{
   UWord line = cg2_cache_line(&m->cache, addr);
   UWord last = cg2_cache_line(&m->cache, addr + size - 1);
   Bool is_hit = cg2_marked_touch(m, line);
   while (line != last)
      is_hit &= cg2_marked_touch(m, ++line);
   return is_hit;
}

static inline Bool is_in_one_line(const MarkedCache* m, Addr addr, UInt size)
{
   Bool is_it = cg2_cache_line(&m->cache, addr) ==
                cg2_cache_line(&m->cache, addr + size - 1);
   return __builtin_expect(is_it, 1);
}

/* Finds or loads the first line of an access, whose time the caller puts down
 * at its mark. True: the line was there. Mostly it was not, so that the last
 * level will be asked soon. */
static inline __attribute__((always_inline)) Bool find_first(MarkedCache* m,
                                                             Addr addr)
{
   cg2_cache_expect(&hierarchy.ll, cg2_cache_line(&hierarchy.ll, addr));
   return cg2_marked_find(m, cg2_cache_line(&m->cache, addr));
}

/* Whether two of the lines from `first` to `last` share a set. Then lines are
 * touched one after the other, as a line that has no time yet is the oldest of
 * its set. */
static Bool shares_set(const MarkedCache* m, UWord first, UWord last)
{
   return last - first >= m->cache.tags.n_sets;
}

/* Finds or loads all lines of an access to data. True: all were there. The
 * caller puts a time down for the first line only. If lines share a set, that
 * time would be later than the times that the others get here, so that it must
 * go nowhere. */
static Bool find_data_lines(Addr addr, UInt size)
{
   MarkedCache* m = &hierarchy.d1;
   UWord line = cg2_cache_line(&m->cache, addr);
   UWord last = cg2_cache_line(&m->cache, addr + size - 1);
   if (shares_set(m, line, last)) {
      Bool is_hit = touch_first(m, addr, size);
      cg2_marked_hide(m, line);
      return is_hit;
   }
   Bool is_hit = cg2_marked_has_mark(m, line) || cg2_marked_find(m, line);
   while (line != last)
      is_hit &= cg2_marked_touch(m, ++line);
   return is_hit;
}

/* Finds or loads all lines of a fetch. True: all were there. The caller puts
 * times down for the first and the last line; or the first line is the one that
 * was fetched last, and needs no time. */
static Bool find_code_lines(Addr addr, UInt size)
{
   MarkedCache* m = &hierarchy.i1;
   UWord line = cg2_cache_line(&m->cache, addr);
   UWord last = cg2_cache_line(&m->cache, addr + size - 1);
   if (shares_set(m, line, last) || last > line + 1)
      return touch_first(m, addr, size);
   return cg2_marked_find(m, line) & cg2_marked_find(m, last);
}

/* Keeps the marks of written lines when a line becomes the newest of its set in
 * the last level. */
static void note_written(UWord line, Bool is_write)
{
   UInt line_bits = hierarchy.ll.line_bits;
   UWord before = cg2_cache_newest(&hierarchy.ll, line);
   if (before != line && before != CACHE_NONE)
      cg2_marks_evict(hierarchy.written, before, line_bits);
   if (is_write)
      cg2_marks_at(hierarchy.written, line)->line = line << line_bits;
}

/* Touches a line of the last level, which remembers that it is dirty. */
static UInt touch_written_back(UWord line, Bool is_write)
{
   UInt outcome = 0;
   if (hierarchy.written.n) note_written(line, is_write);
   if (!cg2_cache_touch(&hierarchy.ll, line)) {
      outcome = OUTCOME_LL_MISS;
      if (hierarchy.is_dirty[hierarchy.ll.slot]) outcome |= OUTCOME_DIRTY;
      hierarchy.is_dirty[hierarchy.ll.slot] = False;
   }
   if (is_write) hierarchy.is_dirty[hierarchy.ll.slot] = True;
   return outcome;
}

/* Follows the stream of an access that goes to the last level, and loads a line
 * ahead. Nobody is charged for what that costs. */
static void prefetch(Addr addr)
{
   UWord line = cg2_cache_line(&hierarchy.ll, addr);
   Stream* stream = &hierarchy.streams[(addr >> PAGE_BITS) % STREAMS];
   if (line == stream->line) return;
   Int step = line == stream->line + 1 ? 1 : line == stream->line - 1 ? -1 : 0;
   stream->line = line;
   Bool goes_on = stream->n_steps == 0 || (stream->n_steps > 0) == (step > 0);
   stream->n_steps = step && goes_on ? stream->n_steps + step : 0;
   if (stream->n_steps > -2 && stream->n_steps < 2) return;
   line = cg2_cache_line(&hierarchy.ll,
                         addr + step * AHEAD * (1L << hierarchy.ll.line_bits));
   if (hierarchy.writes_back)
      touch_written_back(line, False);
   else
      cg2_cache_touch(&hierarchy.ll, line);
   if (hierarchy.sweeps)
      cg2_sweep_access(hierarchy.sweeps, line << hierarchy.ll.line_bits, 1);
}

/* Asks the last level, and whatever is beside it. */
static UInt ask_last(Addr addr, UInt size, Bool is_write)
{
   if (hierarchy.prefetches) prefetch(addr);
   UInt outcome = 0;
   if (hierarchy.sweeps)
      outcome = cg2_sweep_access(hierarchy.sweeps, addr, size);
   if (!hierarchy.writes_back)
      return outcome | (touch(&hierarchy.ll, addr, size) ? 0 : OUTCOME_LL_MISS);
   UWord line = cg2_cache_line(&hierarchy.ll, addr);
   UWord last = cg2_cache_line(&hierarchy.ll, addr + size - 1);
   outcome |= touch_written_back(line, is_write);
   while (line != last)
      outcome |= touch_written_back(++line, is_write);
   return outcome;
}

/* Completes an access that missed in the first level when there is more to ask
 * than the last level. */
static __attribute__((noinline)) UInt
ask_others(Addr addr, UInt size, Bool is_write)
{
   UInt outcome = OUTCOME_L1_MISS;
   if (hierarchy.has_l2) {
      if (touch(&hierarchy.l2, addr, size)) return outcome;
      outcome |= hierarchy.l2_miss;
   }
   return outcome | ask_last(addr, size, is_write);
}

/* Completes an access to several lines that missed in the first level. */
static __attribute__((noinline)) UInt ask_ll(Addr addr, UInt size)
{
   return touch(&hierarchy.ll, addr, size) ? OUTCOME_L1_MISS
                                           : OUTCOME_L1_MISS | OUTCOME_LL_MISS;
}

/* Completes an access that missed in the first level. Returns the outcome. */
static inline __attribute__((always_inline)) UInt
miss(Addr addr, UInt size, Bool is_write)
{
   Cache* ll = &hierarchy.ll;
   if (__builtin_expect(hierarchy.has_others, 0))
      return ask_others(addr, size, is_write);
   UWord line = cg2_cache_line(ll, addr);
   if (__builtin_expect(line != cg2_cache_line(ll, addr + size - 1), 0))
      return ask_ll(addr, size);
   return cg2_cache_touch_saying(ll, line, False)
             ? OUTCOME_L1_MISS
             : OUTCOME_L1_MISS | OUTCOME_LL_MISS;
}

/* A write goes through all levels, whether it hits in the first or not; only
 * those that miss count. */
static UInt write_through(Addr addr, UInt size, Bool is_hit)
{
   Bool is_l2_hit =
      hierarchy.has_l2 ? touch(&hierarchy.l2, addr, size) : is_hit;
   UInt outcome = ask_last(addr, size, True);
   if (is_hit) return 0;
   if (!hierarchy.has_l2) return OUTCOME_L1_MISS | outcome;
   return OUTCOME_L1_MISS | (is_l2_hit ? 0 : hierarchy.l2_miss | outcome);
}

/*--- A usual machine ----------------------------------------------------*/

static __attribute__((noinline)) UInt ask_ll_seat(UWord line, Seat seat)
{
   return cg2_cache_touch_plain(&hierarchy.ll, line, seat, False)
             ? OUTCOME_L1_MISS
             : OUTCOME_L1_MISS | OUTCOME_LL_MISS;
}

/* Completes an access to a plain line that missed in the first level. Mostly
 * the line is the top of its set in the last level. */
static inline UInt ask_usual_ll(UWord line)
{
   const Cache* ll = &hierarchy.ll;
   Seat seat = cg2_tags_seat(&ll->tags, line);
   return ll->tops && cg2_cache_is_top(ll, seat) ? OUTCOME_L1_MISS
                                                 : ask_ll_seat(line, seat);
}

/* Makes an access to one plain line. */
static inline __attribute__((always_inline)) UInt
touch_usual(MarkedCache* m, UWord line, const UInt stride)
{
   if (!hierarchy.ll.tops) cg2_cache_expect(&hierarchy.ll, line);
   return cg2_marked_find_usual(m, line, stride) ? 0 : ask_usual_ll(line);
}

static __attribute__((noinline)) UInt touch_usual_8(MarkedCache* m, UWord line)
{
   return touch_usual(m, line, 8);
}

static __attribute__((noinline)) UInt touch_usual_16(MarkedCache* m, UWord line)
{
   return touch_usual(m, line, 16);
}

static inline UInt usual(MarkedCache* m, UInt stride, UWord line)
{
   return stride == 16 ? touch_usual_16(m, line) : touch_usual_8(m, line);
}

/* Makes an access to data in two plain lines, of which the caller puts a time
 * down for the first. */
static inline __attribute__((always_inline)) UInt
touch_usual_two(MarkedCache* m, UWord line, const UInt stride)
{
   Bool is_hit = cg2_marked_have_usual(m, line, stride);
   is_hit &= cg2_marked_touch_usual(m, line + 1, stride);
   return is_hit ? 0 : ask_usual_ll(line) | ask_usual_ll(line + 1);
}

static __attribute__((noinline)) UInt
usual_data_two(MarkedCache* m, UInt stride, UWord line)
{
   return stride == 16 ? touch_usual_two(m, line, 16)
                       : touch_usual_two(m, line, 8);
}

/* Makes a fetch of two plain lines, of which the caller puts times down. */
static inline __attribute__((always_inline)) UInt
find_usual_two(MarkedCache* m, UWord line, const UInt stride)
{
   Bool is_hit = cg2_marked_find_usual(m, line, stride) &
                 cg2_marked_find_usual(m, line + 1, stride);
   return is_hit ? 0 : ask_usual_ll(line) | ask_usual_ll(line + 1);
}

static __attribute__((noinline)) UInt
usual_fetch_two(MarkedCache* m, UInt stride, UWord line)
{
   return stride == 16 ? find_usual_two(m, line, 16)
                       : find_usual_two(m, line, 8);
}

/* Whether accesses to a line are made as in a usual machine, to a first level
 * with such a stride. */
static inline Bool is_usual(const MarkedCache* m, UInt stride, UWord line)
{
   return __builtin_expect(stride != 0, 1) &&
          cg2_tags_is_plain(&m->cache.tags, line) &&
          cg2_tags_is_plain(&hierarchy.ll.tags, line);
}

/*--- Accesses -----------------------------------------------------------*/

UInt cg2_hierarchy_fetch(Addr addr, UInt size)
{
   if (touch_first(&hierarchy.i1, addr, size)) return 0;
   return miss(addr, size, False);
}

UInt cg2_hierarchy_data(Addr addr, UInt size, Bool is_write)
{
   Bool is_hit = touch_first(&hierarchy.d1, addr, size);
   if (is_write && hierarchy.writes_back)
      return write_through(addr, size, is_hit);
   return is_hit ? 0 : miss(addr, size, is_write);
}

static __attribute__((noinline)) UInt fetch_lines(Addr addr, UInt size)
{
   return find_code_lines(addr, size) ? 0 : miss(addr, size, False);
}

static __attribute__((noinline)) UInt any_fetch(Addr addr, UInt size)
{
   MarkedCache* m = &hierarchy.i1;
   if (!is_in_one_line(m, addr, size)) return fetch_lines(addr, size);
   return find_first(m, addr) ? 0 : miss(addr, size, False);
}

static __attribute__((noinline)) UInt
data_lines(Addr addr, UInt size, Bool is_write)
{
   return find_data_lines(addr, size) ? 0 : miss(addr, size, is_write);
}

UInt cg2_hierarchy_marked_fetch(Addr addr, UInt size)
{
   MarkedCache* m = &hierarchy.i1;
   UInt stride = hierarchy.usual_code;
   UWord line = addr >> USUAL_LINE_BITS;
   UWord last = (addr + size - 1) >> USUAL_LINE_BITS;
   if (!is_usual(m, stride, last)) return any_fetch(addr, size);
   if (__builtin_expect(line == last, 1)) return usual(m, stride, line);
   return last == line + 1 ? usual_fetch_two(m, stride, line)
                           : any_fetch(addr, size);
}

static __attribute__((noinline)) UInt
any_data(Addr addr, UInt size, Bool is_write)
{
   MarkedCache* m = &hierarchy.d1;
   if (!is_in_one_line(m, addr, size)) return data_lines(addr, size, is_write);
   return find_first(m, addr) ? 0 : miss(addr, size, is_write);
}

UInt cg2_hierarchy_marked_data(Addr addr, UInt size, Bool is_write)
{
   MarkedCache* m = &hierarchy.d1;
   UInt stride = hierarchy.usual_data;
   UWord line = addr >> USUAL_LINE_BITS;
   UWord last = (addr + size - 1) >> USUAL_LINE_BITS;
   if (!is_usual(m, stride, last)) return any_data(addr, size, is_write);
   if (__builtin_expect(line == last, 1)) return usual(m, stride, line);
   return last == line + 1 ? usual_data_two(m, stride, line)
                           : any_data(addr, size, is_write);
}

UInt cg2_hierarchy_marked_write_back(Addr addr, UInt size)
{
   MarkedCache* m = &hierarchy.d1;
   Bool is_hit = is_in_one_line(m, addr, size)
                    ? cg2_marked_find(m, cg2_cache_line(&m->cache, addr))
                    : find_data_lines(addr, size);
   return write_through(addr, size, is_hit);
}

static void renumber(void)
{
   cg2_marked_renumber(&hierarchy.i1);
   cg2_marked_renumber(&hierarchy.d1);
}

/*--- Configuration ------------------------------------------------------*/

static UInt smallest_line(const HierarchyConfig* config)
{
   UInt line = config->i1.line;
   if (config->d1.line < line) line = config->d1.line;
   if (config->ll.line < line) line = config->ll.line;
   if (config->l2.size && config->l2.line < line) line = config->l2.line;
   return line;
}

static UInt usual_stride(const MarkedCache* m)
{
   Bool is_usual = cg2_marked_is_usual(m) && !hierarchy.has_others &&
                   hierarchy.ll.line_bits == USUAL_LINE_BITS;
   return is_usual ? m->cache.tags.stride : 0;
}

static void find_usual(void)
{
   hierarchy.usual_code = usual_stride(&hierarchy.i1);
   hierarchy.usual_data = usual_stride(&hierarchy.d1);
}

void cg2_hierarchy_init(const HierarchyConfig* config)
{
   cg2_marked_init(&hierarchy.i1, &config->i1, cg2_marks_of_code());
   cg2_marked_init(&hierarchy.d1, &config->d1, cg2_marks_of_data());
   cg2_cache_init(&hierarchy.ll, &config->ll);
   hierarchy.has_l2 = config->l2.size > 0;
   if (hierarchy.has_l2) cg2_cache_init(&hierarchy.l2, &config->l2);
   hierarchy.l2_miss = cg2_hierarchy_l2_miss(config);
   hierarchy.writes_back = config->writes_back;
   hierarchy.prefetches = config->prefetches;
   hierarchy.has_others =
      hierarchy.has_l2 || hierarchy.writes_back || hierarchy.prefetches;
   hierarchy.written = (Marks){NULL, 0};
   if (hierarchy.writes_back) {
      hierarchy.is_dirty =
         VG_(calloc)("cg2.hierarchy", cg2_cache_slots(&hierarchy.ll), 1);
      if (!hierarchy.has_l2 && !hierarchy.prefetches &&
          config->d1.line == config->ll.line)
         hierarchy.written = cg2_marks_of_written();
   }
   find_usual();
   hierarchy.data_max = cg2_access_data_max(smallest_line(config));
   cg2_hierarchy_clear();
}

void cg2_hierarchy_sweep(Sweep* sweeps)
{
   hierarchy.sweeps = sweeps;
   if (!sweeps) return;
   hierarchy.has_others = True;
   hierarchy.written = (Marks){NULL, 0}; /* they see each write */
   find_usual();
}

UInt cg2_hierarchy_data_max(void)
{
   return hierarchy.data_max;
}

void cg2_hierarchy_clear(void)
{
   cg2_marked_clear(&hierarchy.i1);
   cg2_marked_clear(&hierarchy.d1);
   cg2_cache_clear(&hierarchy.ll);
   if (hierarchy.has_l2) cg2_cache_clear(&hierarchy.l2);
   cg2_sweep_clear(hierarchy.sweeps);
   VG_(memset)(hierarchy.streams, 0, sizeof hierarchy.streams);
   if (hierarchy.writes_back)
      VG_(memset)(hierarchy.is_dirty, 0, cg2_cache_slots(&hierarchy.ll));
   for (UWord i = 0; i < hierarchy.written.n; i++)
      hierarchy.written.of[i].line = CACHE_NONE;
}

const MarkedCache* cg2_hierarchy_first(AccessKind kind)
{
   if (kind == ACCESS_WRITE && hierarchy.writes_back && !hierarchy.written.n)
      return NULL;
   return kind == ACCESS_FETCH ? &hierarchy.i1 : &hierarchy.d1;
}

Marks cg2_hierarchy_written(void)
{
   return hierarchy.written;
}

/*--- The machine --------------------------------------------------------*/

UWord cg2_hierarchy_code_line(void)
{
   return (UWord)1 << hierarchy.i1.cache.line_bits;
}

/* Source: Callgrind's names, in its order; those of a second level are not
 * Callgrind's. */
UInt cg2_hierarchy_describe(AccessKind kind, MachineEvent* events)
{
   static const MachineEvent all[][ACCESS_KINDS] = {
      {{.name = "I1mr"}, {.name = "D1mr"}, {.name = "D1mw"}},
      {{.name = "ILmr"}, {.name = "DLmr"}, {.name = "DLmw"}},
      {{.name = "ILdmr"}, {.name = "DLdmr"}, {.name = "DLdmw"}},
      {{.name = "I2mr", .meaning = "L2 Instr. Fetch Miss"},
       {.name = "D2mr", .meaning = "L2 Data Read Miss"},
       {.name = "D2mw", .meaning = "L2 Data Write Miss"}},
   };
   const Bool is_there[] = {True, True, hierarchy.writes_back,
                            hierarchy.has_l2};
   UInt n = 0;
   for (UInt i = 0; i < sizeof all / sizeof *all; i++)
      if (is_there[i]) events[n++] = all[i][kind];
   return n;
}

const Machine cg2_hierarchy_machine = {.describe = cg2_hierarchy_describe,
                                       .code_line = cg2_hierarchy_code_line,
                                       .data_max = cg2_hierarchy_data_max,
                                       .first = cg2_hierarchy_first,
                                       .renumber = renumber,
                                       .clear = cg2_hierarchy_clear};
