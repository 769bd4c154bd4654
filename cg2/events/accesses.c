#include "events/accesses.h"

#include "engine/probe.h"
#include "engine/threads.h"
#include "events/sharing.h"
#include "layout/placement.h"
#include "model/cache/newest.h"
#include "model/callgrind/cacheuse.h"
#include "model/described/memory.h"

/* Reason for a mutable file-scope object: the caches of the process's machine.
 * Generated code has the address of the marks. */
static struct {
   Newest code, data;
} newest;

/*--- Events -------------------------------------------------------------*/

/* Source: Callgrind's names, in its order. */
static const HChar* const access_names[ACCESS_KINDS] = {NULL, "Dr", "Dw"};
/* Adds what the machine's accesses may cause, event by event, in each of them
 * kind by kind. */
static void add_events(AccessesConfig* c)
{
   /* The titles stay: cg2_events_config.accesses points to them. */
   MachineEvent(*described)[MACHINE_EVENTS_MAX] =
      VG_(calloc)("cg2.events", ACCESS_KINDS, sizeof *described);
   for (UInt kind = 0; kind < ACCESS_KINDS; kind++)
      c->events[kind].n = c->machine->describe(kind, described[kind]);
   for (UInt i = 0; i < MACHINE_EVENTS_MAX; i++)
      for (UInt kind = 0; kind < ACCESS_KINDS; kind++) {
         const MachineEvent* e = &described[kind][i];
         if (i >= c->events[kind].n) continue;
         c->events[kind].of[i] =
            cg2_event_add(e->name, *e->meaning ? e->meaning : NULL);
         c->events[kind].titles[i] = e->title;
         cg2_event_estimate(c->events[kind].of[i], e->cycles);
      }
}

static const HChar* const use_names[USE_EVENTS] = {"AcCost1", "SpLoss1",
                                                   "AcCost2", "SpLoss2"};

/* Names of the events of sweeps: what stands before the size, and behind it. */
static const struct {
   const HChar *before[SWEEP_CACHES], *behind, *meaning;
} sweep_events[ACCESS_KINDS] = {
   {{"I", NULL, "IL"}, "mr", "fetch"},
   {{NULL, "D", "DL"}, "mr", "read"},
   {{NULL, "D", "DL"}, "mw", "write"},
};

static void add_accesses(void)
{
   AccessEvents* events = cg2_events_config.accesses.events;
   for (UInt kind = 0; kind < ACCESS_KINDS; kind++)
      if (access_names[kind])
         events[kind].access = cg2_event_add_counted(access_names[kind], NULL);
}

/* What misses of one kind in size `i` count. Tools find columns by these
 * words; the manual has them. */
static UInt add_column(const Sweep* sweep, UInt i, AccessKind kind)
{
   const Geometry* g = &sweep->of[i];
   HChar size[SWEEP_TEXT], shape[GEOMETRY_TEXT];
   HChar name[2 * SWEEP_TEXT], meaning[2 * SWEEP_TEXT];
   ULong same = sweep->has_ways ? g->ways : cg2_geometry_sets(g);
   cg2_sweep_describe(sweep, i, size);
   cg2_geometry_describe(g, shape);
   VG_(sprintf)(name, "%s%s%s", sweep_events[kind].before[sweep->cache], size,
                sweep_events[kind].behind);
   VG_(sprintf)(meaning, "%s sweep of %llu %s%s, %s misses, %s",
                cg2_sweep_names[sweep->cache], same,
                sweep->has_ways ? "way" : "set", same == 1 ? "" : "s",
                sweep_events[kind].meaning, shape);
   return cg2_event_add(VG_(strdup)("cg2.accesses", name),
                        VG_(strdup)("cg2.accesses", meaning));
}

static void add_columns(const Sweep* sweep)
{
   for (UInt i = 0; i < sweep->n; i++)
      for (UInt kind = 0; kind < ACCESS_KINDS; kind++) {
         if (!sweep_events[kind].before[sweep->cache]) continue;
         AccessEvents* e = &cg2_events_config.accesses.events[kind];
         UInt bit = sweep->first_bit + i;
         e->of[bit] = add_column(sweep, i, kind);
         if (bit >= e->n) e->n = bit + 1;
      }
}

/*--- Marks --------------------------------------------------------------*/

static Sweep* sweeps_of(AccessKind kind)
{
   return cg2_events_config.accesses.sweeps
      .of[kind == ACCESS_FETCH ? SWEEP_I : SWEEP_D];
}

static Newest* newest_of(AccessKind kind)
{
   return kind == ACCESS_FETCH ? &newest.code : &newest.data;
}

static void init_newest(AccessKind kind)
{
   Newest* newest = newest_of(kind);
   const Sweep* sweep = sweeps_of(kind);
   if (!sweep) return;
   cg2_newest_init(newest, sweep->line_bits);
   if (cg2_events_config.accesses.has_caches) {
      const Cache* cache = &cg2_hierarchy_first(kind)->cache;
      cg2_newest_narrow(newest, cache->line_bits, cache->tags.n_sets);
   }
   for (; sweep; sweep = sweep->next)
      cg2_newest_narrow(newest, sweep->line_bits,
                        cg2_geometry_sets(&sweep->of[0]));
}

static Bool writes_back(AccessKind kind)
{
   return kind == ACCESS_WRITE &&
          cg2_events_config.accesses.hierarchy.writes_back;
}

/* The marks of the first level that accesses go to. NULL: there are none. */
static const MarkedCache* first_of(AccessKind kind)
{
   const Machine* machine = cg2_events_config.accesses.machine;
   if (sweeps_of(kind) && (machine->finish || writes_back(kind))) return NULL;
   return machine->first(kind);
}

static AccessMarks marks_of_sweeps(Newest* newest)
{
   return (AccessMarks){.marks = cg2_newest_marks(newest),
                        .line_bits = newest->line_bits};
}

/* The marks of a kind where addresses are not placed. */
static AccessMarks marks_of(AccessKind kind)
{
   const Machine* machine = cg2_events_config.accesses.machine;
   const MarkedCache* first = machine->first ? first_of(kind) : NULL;
   if (sweeps_of(kind) && (first || !machine->first))
      return marks_of_sweeps(newest_of(kind));
   if (!first) return (AccessMarks){.line_bits = 0};
   AccessMarks marks = {.marks = first->marks,
                        .line_bits = first->cache.line_bits,
                        .near = (first->cache.tags.n_sets - 1)
                                << first->cache.line_bits};
   if (writes_back(kind)) marks.written = cg2_hierarchy_written();
   return marks;
}

AccessMarks cg2_accesses_marks(AccessKind kind)
{
   if (cg2_events_config.accesses.layout) return (AccessMarks){.line_bits = 0};
   return marks_of(kind);
}

/*--- Counting -----------------------------------------------------------*/

static inline void count(Bool is_of_stub, UInt event, UInt slot)
{
   if (is_of_stub)
      cg2_account_count_in_stub(&cg2_now.account, event);
   else
      ((Cells*)cg2_now.current)->counts[slot]++;
   cg2_account_count(&cg2_now.account, event);
}

/* Counts what an access caused: mostly a miss of the first level only, whose
 * bit is the first. */
static inline void
count_outcome(AccessKind kind, Bool is_of_stub, UInt slot, UInt outcome)
{
   const UChar* event = cg2_events_config.accesses.events[kind].of;
   if (__builtin_expect(outcome == 1, 1)) {
      count(is_of_stub, *event, slot);
      return;
   }
   for (; outcome; outcome >>= 1, event++, slot++)
      if (outcome & 1) count(is_of_stub, *event, slot);
}

/*--- Data objects -------------------------------------------------------*/

/* Notes which places threads take each other's lines for. */
static void share(const Access* access, Addr address, UInt outcome)
{
   const MemoryBits* bits = &cg2_memorysetup.bits;
   if (!cg2_events_config.accesses.has_cores ||
       !cg2_touches_are_on(access->kind) ||
       !(outcome & (bits->takes | bits->lost)))
      return;
   cg2_sharing_note(address, access->size, (outcome & bits->takes) != 0,
                    (outcome & bits->lost) != 0,
                    !cg2_now.current->context->separation->is_off);
}

/* Charges a data object with what an access caused. */
static inline void touch(Toucher* by, Addr address, UInt outcome)
{
   if (!by || !outcome) return;
   if (cg2_touches_config.mode == DATA_MISSES) cg2_touches_make(address, by);
   cg2_touches_count(outcome);
}

_Static_assert((int)TOUCH_EVENTS_MAX == 1 + (int)ACCESSES_EVENTS_MAX &&
                  (int)TOUCH_KINDS == (int)ACCESS_KINDS,
               "a touch counts what an access may cause");

static void start_touches(const AccessesConfig* c)
{
   for (UInt kind = ACCESS_READ; kind < ACCESS_KINDS; kind++) {
      const AccessEvents* from = &c->events[kind];
      TouchEvents* to = &cg2_touches_config.events[kind];
      to->n = 1 + from->n;
      if (cg2_touches_config.mode == DATA_ACCESSES) to->of[0] = from->access;
      VG_(memcpy)(to->of + 1, from->of, from->n);
   }
}

/*--- Cache use ----------------------------------------------------------*/

/* A Loader is a place in the profile: some Cells, and the slot there of the
 * first event of use. Lines that nobody's stub loads have these: loaders
 * point to them as they do to cells that are charged; these never are. */
static const Cells nobody;

static void charge(Loader loader, UInt level, ULong access_cost, ULong lost)
{
   const Cells* cells = loader.place;
   UInt first = 2 * (level - 1);
   const UInt* events = &cg2_events_config.accesses.use_events[first];
   if (cells == &nobody) return;
   cells->counts[loader.slot + first] += access_cost;
   cells->counts[loader.slot + first + 1] += lost;
   cg2_threads_charge(cells->context, events[0], access_cost);
   cg2_threads_charge(cells->context, events[1], lost);
}

void cg2_accesses_start_use(void)
{
   AccessesConfig* c = &cg2_events_config.accesses;
   for (UInt i = 0; i < USE_EVENTS; i++)
      c->use_events[i] = cg2_event_add(use_names[i], NULL);
}

/* The loader of what a stub loads: the call that the stub is part of. */
static Loader caller_of_stub(const Exit* exit)
{
   Context* context = cg2_thread_context();
   const Block* block = exit->block;
   if (!context || !block) return (Loader){(Cells*)&nobody, 0};
   UInt slot = cg2_block_slot_of(block, exit->instr,
                                 cg2_events_config.accesses.use_events[0]);
   return (Loader){cg2_context_cells(context, block->home), slot};
}

static Loader loader_of(const Access* access, const Registers* regs)
{
   if (access->is_of_stub) return caller_of_stub(regs->exit);
   return (Loader){(Cells*)cg2_now.current, access->slot + access->use};
}

/*--- Accesses -----------------------------------------------------------*/

static UInt use(const Access* access, Addr address, const Registers* regs)
{
   Loader loader = loader_of(access, regs);
   return access->kind == ACCESS_FETCH
             ? cg2_cacheuse_fetch(address, access->size, loader)
             : cg2_cacheuse_data(address, access->size, loader);
}

static inline UInt ask_hierarchy(const Access* access, Addr address)
{
   if (access->kind == ACCESS_FETCH)
      return cg2_hierarchy_fetch(address, access->size);
   return cg2_hierarchy_data(address, access->size,
                             access->kind == ACCESS_WRITE);
}

static inline UInt
outcome_of(const Access* access, Addr address, const Registers* regs)
{
   const AccessesConfig* c = &cg2_events_config.accesses;
   Sweep* sweeps = sweeps_of(access->kind);
   UInt outcome = 0;
   if (c->looks_at_use)
      outcome = use(access, address, regs);
   else if (c->has_caches)
      outcome = ask_hierarchy(access, address);
   if (!sweeps) return outcome;
   cg2_newest_remember(newest_of(access->kind), address, access->size);
   return outcome | cg2_sweep_access(sweeps, address, access->size);
}

/* Counts an access that may happen or not. */
static inline void count_access(const Access* access)
{
   if (access->is_guarded)
      count(access->is_of_stub,
            cg2_events_config.accesses.events[access->kind].access,
            access->slot + access->counted);
}

/* Counts what an access has caused, and what it has touched. */
static inline void
note_outcome(const Access* access, Addr address, UInt outcome)
{
   count_outcome(access->kind, access->is_of_stub, access->slot, outcome);
   touch(access->toucher, address, outcome);
}

VG_REGPARM(2)
void cg2_accesses_make(const Access* access, Addr address, void* guest)
{
   count_access(access);
   note_outcome(access, address,
                outcome_of(access, address, cg2_probe_registers(guest)));
}

/* The outcome of an access that is placed; what its grains cause, if it lies in
 * two that are not placed side by side. */
static UInt
placed_outcome(const Access* access, Addr address, const Registers* regs)
{
   Addr first = cg2_placement_of(address);
   Addr last = cg2_placement_of(address + access->size - 1);
   if (last - first == (UWord)access->size - 1)
      return outcome_of(access, first, regs);
   Access one = *access, other = *access;
   one.size = cg2_placement_rest(address);
   other.size = access->size - one.size;
   return outcome_of(&one, first, regs) |
          outcome_of(&other, cg2_placement_of(address + one.size), regs);
}

VG_REGPARM(2)
void cg2_accesses_make_placed(const Access* access, Addr address, void* guest)
{
   count_access(access);
   note_outcome(access, address,
                placed_outcome(access, address, cg2_probe_registers(guest)));
}

VG_REGPARM(3)
void cg2_accesses_make_described(const Access* access, Addr address, UWord time)
{
   Addr placed =
      cg2_events_config.accesses.layout ? cg2_placement_of(address) : address;
   count_access(access);
   cg2_memory_move(placed - address);
   UInt outcome = cg2_memory_access(access->kind, placed, access->size,
                                    access->instr, time);
   count_outcome(access->kind, access->is_of_stub, access->slot, outcome);
   share(access, address, outcome);
   touch(access->toucher, address, outcome);
}

VG_REGPARM(2)
void cg2_accesses_make_marked(const Access* access, Addr address, void* guest)
{
   Loader loader = loader_of(access, cg2_probe_registers(guest));
   UInt outcome = access->kind == ACCESS_FETCH
                     ? cg2_cacheuse_marked_fetch(address, access->size, loader)
                     : cg2_cacheuse_marked_data(address, access->size, loader);
   count_outcome(access->kind, access->is_of_stub, access->slot, outcome);
   touch(access->toucher, address, outcome);
}

/*--- Accesses that go to marks ------------------------------------------*/

/* The word of an AccessCall has the size in its lower bits. The slot stands
 * above; or the kind, for stubs, which have no slots. */
enum { SIZE_BITS = 6 };

static inline UInt size_in(UWord word)
{
   return word & ((1 << SIZE_BITS) - 1);
}

static inline __attribute__((always_inline)) UInt
ask_marked(AccessKind kind, Addr address, UInt size)
{
   if (kind == ACCESS_FETCH) return cg2_hierarchy_marked_fetch(address, size);
   if (writes_back(kind)) return cg2_hierarchy_marked_write_back(address, size);
   return cg2_hierarchy_marked_data(address, size, kind == ACCESS_WRITE);
}

static inline __attribute__((always_inline)) void
make_marked(AccessKind kind, Addr address, UWord word)
{
   UInt outcome = ask_marked(kind, address, size_in(word));
   count_outcome(kind, False, word >> SIZE_BITS, outcome);
}

static VG_REGPARM(2) void make_fetch(Addr address, UWord word)
{
   make_marked(ACCESS_FETCH, address, word);
}

static VG_REGPARM(2) void make_read(Addr address, UWord word)
{
   make_marked(ACCESS_READ, address, word);
}

static VG_REGPARM(2) void make_write(Addr address, UWord word)
{
   make_marked(ACCESS_WRITE, address, word);
}

static VG_REGPARM(2) void make_of_stub(Addr address, UWord word)
{
   AccessKind kind = word >> SIZE_BITS;
   UInt outcome = ask_marked(kind, address, size_in(word));
   count_outcome(kind, True, 0, outcome);
}

/* An access whose data object is wanted. */
static VG_REGPARM(2) void make_touch(Addr address, UWord word)
{
   Toucher* by = (Toucher*)word;
   cg2_toucher_prefetch(by);
   UInt outcome = ask_marked(by->kind, address, by->size);
   count_outcome(by->kind, False, by->slot, outcome);
   touch(by, address, outcome);
}

AccessCall cg2_accesses_marked_call(const Access* access)
{
   if (access->toucher) return (AccessCall){make_touch, (UWord)access->toucher};
   static void* const of_kinds[ACCESS_KINDS] = {make_fetch, make_read,
                                                make_write};
   UWord rest = access->is_of_stub ? access->kind : access->slot;
   tl_assert(access->size < 1 << SIZE_BITS);
   return (AccessCall){access->is_of_stub ? (void*)make_of_stub
                                          : of_kinds[access->kind],
                       rest << SIZE_BITS | access->size};
}

static Bool is_marked(const AccessMarks* marks, Addr address)
{
   return cg2_marks_have(marks->marks, address >> marks->line_bits,
                         marks->line_bits);
}

/* Makes the accesses in their order, as each might load the line of those
 * behind it. */
static VG_REGPARM(2) void make_together(Addr start, UWord word)
{
   const Access* first = (const Access*)word;
   AccessMarks marks = marks_of(first->kind);
   for (UInt i = 0; i < first->n_together; i++) {
      const Access* access = &first[i];
      Addr address = start + access->offset;
      if (is_marked(&marks, address) &&
          is_marked(&marks, address + access->size - 1))
         continue;
      AccessCall call = cg2_accesses_marked_call(access);
      VG_REGPARM(2) void (*make)(Addr, UWord) = call.function;
      make(address, call.word);
   }
}

AccessCall cg2_accesses_marked_calls(const Access* first)
{
   return (AccessCall){make_together, (UWord)first};
}

Bool cg2_accesses_is_plain(AccessKind kind)
{
   return cg2_events_config.accesses.machine == &cg2_hierarchy_machine &&
          !sweeps_of(kind);
}

/*--- Time ----------------------------------------------------------------*/

/* Times begin anew behind those that stay; and a stretch of a thread begins in
 * front of an end that leaves it room. */
enum {
   CLOCK_START = 2 * PROCESSOR_WAYS_MAX / CLOCK_INSTR * CLOCK_INSTR,
   CLOCK_END = STAMP_NONE / 4
};
_Static_assert((int)CLOCK_START > (int)NO_WAY &&
                  (int)CLOCK_START > (int)PROCESSOR_WAYS_MAX,
               "times can begin anew");
_Static_assert(CLOCK_END + (ULong)ACCESSES_QUANTUM_MAX * BLOCK_INSTRS_MAX *
                              CLOCK_INSTR <
                  STAMP_NONE,
               "a stretch fits stamps");

Bool cg2_accesses_has_clock(void)
{
   return cg2_events_config.accesses.is_on;
}

void cg2_accesses_stop(void)
{
   const Machine* machine = cg2_events_config.accesses.machine;
   if (cg2_now.regs.counters.of[COUNTER_CLOCK] < CLOCK_END) return;
   if (machine->renumber) machine->renumber();
   cg2_thread_set_clock(CLOCK_START);
}

/*--- Configuration ------------------------------------------------------*/

/* Makes the caches of the machine, which has no other say in what follows. */
static const Machine* make_machine(const AccessesConfig* c)
{
   if (!c->has_caches) return c->machine;
   if (c->processor) {
      cg2_memorysetup_init(c->processor, c->has_cores);
      return &cg2_memorysetup_machine;
   }
   cg2_hierarchy_init(&c->hierarchy);
   if (!c->looks_at_use) return &cg2_hierarchy_machine;
   cg2_cacheuse_init(&c->hierarchy, charge);
   return &cg2_cacheuse_machine;
}

static void start_sweeps(AccessesConfig* c)
{
   cg2_sweep_init_all(&c->sweeps, c->events[ACCESS_FETCH].n);
   for (UInt cache = 0; cache < SWEEP_CACHES; cache++)
      for (const Sweep* s = c->sweeps.of[cache]; s; s = s->next)
         add_columns(s);
   cg2_hierarchy_sweep(c->sweeps.of[SWEEP_LL]);
   init_newest(ACCESS_FETCH);
   init_newest(ACCESS_READ);
}

/* The largest line of the caches. */
static UInt largest_line(const AccessesConfig* c)
{
   const HierarchyConfig* h = &c->hierarchy;
   const Geometry* levels[] = {&h->i1, &h->d1, &h->l2, &h->ll};
   UInt line = 0;
   for (UInt i = 0; c->processor && i < PROCESSOR_CACHES_MAX; i++)
      if (c->processor->caches[i].geometry.line > line)
         line = c->processor->caches[i].geometry.line;
   for (UInt i = 0; i < sizeof levels / sizeof *levels; i++)
      if (c->has_caches && levels[i]->line > line) line = levels[i]->line;
   for (UInt cache = 0; cache < SWEEP_CACHES; cache++)
      for (const Sweep* s = c->sweeps.of[cache]; s; s = s->next)
         if (s->of[0].line > line) line = s->of[0].line;
   return line;
}

void cg2_accesses_start(void)
{
   AccessesConfig* c = &cg2_events_config.accesses;
   if (c->layout)
      cg2_placement_begin(c->layout, largest_line(c),
                          c->processor ? PLACING_MAPS : PLACING_UNITS);
   c->machine = make_machine(c);
   if (c->has_caches || c->sweeps.of[SWEEP_D]) add_accesses();
   if (c->has_caches) add_events(c);
   start_sweeps(c);
   if (cg2_touches_config.mode != DATA_NO) start_touches(c);
   if (c->forwards) c->forwarding = cg2_forwarding_new();
   cg2_thread_set_clock(CLOCK_START);
   if (c->machine->known_code)
      cg2_thread_set_marks(c->machine->known_code());
   else if (cg2_accesses_counts(ACCESS_FETCH))
      cg2_thread_set_marks(cg2_accesses_marks(ACCESS_FETCH).marks.of);
   cg2_accesses_clear();
}

void cg2_accesses_clear(void)
{
   const AccessesConfig* c = &cg2_events_config.accesses;
   if (c->machine->clear) c->machine->clear();
   cg2_sweep_clear(c->sweeps.of[SWEEP_I]);
   cg2_sweep_clear(c->sweeps.of[SWEEP_D]);
   cg2_newest_clear(&newest.code);
   cg2_newest_clear(&newest.data);
}

void cg2_accesses_finish(void)
{
   const Machine* machine = cg2_events_config.accesses.machine;
   if (machine->finish) machine->finish();
}

Bool cg2_accesses_counts(AccessKind kind)
{
   return cg2_events_config.accesses.events[kind].n > 0;
}

UWord cg2_accesses_code_line(void)
{
   if (sweeps_of(ACCESS_FETCH)) return (UWord)1 << newest.code.line_bits;
   return cg2_events_config.accesses.machine->code_line();
}

UInt cg2_accesses_data_max(void)
{
   const AccessesConfig* c = &cg2_events_config.accesses;
   UInt line = c->has_caches ? c->machine->data_max() : GEOMETRY_LINE_MAX;
   for (UInt cache = 0; cache < SWEEP_CACHES; cache++)
      for (const Sweep* s = c->sweeps.of[cache]; s; s = s->next)
         if (s->of[0].line < line) line = s->of[0].line;
   return cg2_access_data_max(line);
}

/* Valgrind uses the number of a thread that has ended again: the next one
 * takes its core. */
void cg2_accesses_switch(UInt tid)
{
   const AccessesConfig* c = &cg2_events_config.accesses;
   if (c->machine->run_on) c->machine->run_on(tid - 1);
   if (c->forwarding) cg2_forwarding_switch(c->forwarding, tid);
}
