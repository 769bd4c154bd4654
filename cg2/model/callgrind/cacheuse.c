#include "model/callgrind/cacheuse.h"

enum { SECTIONS_BITS = 5 };

typedef struct UseLevel {
   UInt number; /* 1 or 2 */
   UInt line_bits;
   UInt section_bits; /* log2 of a section's bytes */
   UInt all_sections; /* a bit for each section of a line */
   UWord n;           /* slots */
   Use* uses;         /* [slot]: of the line that is there */
   Loader* loaders;   /* [slot]: who loaded the line; no place: the slot is
                         empty, or somebody was charged for its line */
} UseLevel;

typedef struct FirstLevel {
   MarkedCache cache;
   UseLevel of;
   Bool has_marks; /* generated code may use the marks */
   UWord recent;   /* if not: the line touched last, or CACHE_NONE */
   UInt* sections[CACHEUSE_SIZE_MAX + 1]; /* [size]: what
                                             cg2_cacheuse_sections() returns;
                                             NULL: nobody asked yet */
} FirstLevel;

/* Reason for a mutable file-scope object: the caches of the process's machine.
 */
static struct {
   FirstLevel i1, d1;
   Cache last;
   UseLevel ll;
   CacheuseCharge charge;
} state;

/*--- Sections -----------------------------------------------------------*/

/* The sections that `size` bytes at `addr`, in one line, lie in. */
static UInt sections_of(const UseLevel* level, Addr addr, UInt size)
{
   UInt offset = addr & ((1U << level->line_bits) - 1);
   UInt first = offset >> level->section_bits;
   UInt last = (offset + size - 1) >> level->section_bits;
   return (~0U << first) & (~0U >> (31 - last));
}

/* The bytes of a line that no access lay in. */
static ULong bytes_lost(const UseLevel* level, const Use* use)
{
   UInt unused = level->all_sections & ~use->sections;
   return (ULong)__builtin_popcount(unused) << level->section_bits;
}

/* How many of `size` bytes at `addr` are in the first byte's line. */
static UInt bytes_here(const UseLevel* level, Addr addr, UInt size)
{
   UInt line = 1U << level->line_bits;
   UInt left = line - (addr & (line - 1));
   return size < left ? size : left;
}

/*--- Loading and evicting -----------------------------------------------*/

/* Charges whoever loaded the line in a slot. */
static void charge(const UseLevel* level, UWord slot)
{
   const Use* use = &level->uses[slot];
   if (level->loaders[slot].place && use->n_accesses)
      state.charge(level->loaders[slot], level->number, 1000 / use->n_accesses,
                   bytes_lost(level, use));
}

/* Ends the use of the line in a slot of a first level: charges for it, and
 * tells the last level of its accesses. */
static void evict_first(const UseLevel* level, UWord slot)
{
   if (!level->loaders[slot].place) return;
   charge(level, slot);
   const Use* use = &level->uses[slot];
   Use* below = &state.ll.uses[use->below];
   below->n_accesses += use->n_accesses;
   below->sections |= use->sections;
}

/* Begins the use of a line. */
static void fill(UseLevel* level, UWord slot, Loader loader, UInt below)
{
   level->uses[slot] = (Use){.below = below};
   level->loaders[slot] = loader;
}

/* Touches the line of `addr` in the last level. Returns its slot. */
static UInt load_last(Addr addr, Loader loader, UInt* outcome)
{
   if (!cg2_cache_touch(&state.last, cg2_cache_line(&state.last, addr))) {
      *outcome |= OUTCOME_LL_MISS;
      charge(&state.ll, state.last.slot);
      fill(&state.ll, state.last.slot, loader, 0);
   }
   return state.last.slot;
}

/* The slot of a line that was touched just now. */
static UWord slot_of(const FirstLevel* level, UWord line)
{
   const MarkedCache* m = &level->cache;
   return m->stamps ? (UWord)(cg2_marked_mark(m, line)->stamp - m->stamps)
                    : m->cache.slot;
}

/* Loads a line that the first level was touched for, unless it was there.
 * Returns the outcome. */
static UInt load(FirstLevel* level, UWord line, Bool is_hit, Loader loader)
{
   UInt outcome = OUTCOME_L1_MISS;
   if (is_hit) return 0;
   UWord slot = slot_of(level, line);
   evict_first(&level->of, slot);
   Addr start = line << level->of.line_bits;
   fill(&level->of, slot, loader, load_last(start, loader, &outcome));
   return outcome;
}

/*--- Accesses -----------------------------------------------------------*/

/* Touches a line. True: it was there. If each access is made here, most are to
 * the line of the access before. */
static inline Bool touch_cache(FirstLevel* level, UWord line)
{
   if (line == level->recent) return True;
   if (!level->has_marks) level->recent = line;
   return level->cache.stamps ? cg2_marked_touch(&level->cache, line)
                              : cg2_cache_touch(&level->cache.cache, line);
}

/* Makes an access to one line. */
static UInt touch_line(FirstLevel* level, Addr addr, UInt size, Loader loader)
{
   UWord line = cg2_cache_line(&level->cache.cache, addr);
   Bool is_hit = touch_cache(level, line);
   UInt outcome = load(level, line, is_hit, loader);
   Use* use = &level->of.uses[slot_of(level, line)];
   use->n_accesses++;
   use->sections |= sections_of(&level->of, addr, size);
   return outcome;
}

/* Finds or loads the line of `addr`, to which the caller gives the time and
 * adds the access. */
static UInt find_line(FirstLevel* level, Addr addr, Loader loader)
{
   UWord line = cg2_cache_line(&level->cache.cache, addr);
   return load(level, line, cg2_marked_find(&level->cache, line), loader);
}

/* Makes an access to all lines that it lies in. */
static UInt touch(FirstLevel* level, Addr addr, UInt size, Loader loader)
{
   UInt outcome = 0;
   while (size > 0) {
      UInt here = bytes_here(&level->of, addr, size);
      outcome |= touch_line(level, addr, here, loader);
      addr += here;
      size -= here;
   }
   return outcome;
}

UInt cg2_cacheuse_fetch(Addr addr, UInt size, Loader loader)
{
   return touch(&state.i1, addr, size, loader);
}

UInt cg2_cacheuse_data(Addr addr, UInt size, Loader loader)
{
   return touch(&state.d1, addr, size, loader);
}

UInt cg2_cacheuse_marked_fetch(Addr addr, UInt size, Loader loader)
{
   FirstLevel* level = &state.i1;
   UInt outcome = find_line(level, addr, loader);
   UInt here = bytes_here(&level->of, addr, size);
   return here == size ? outcome
                       : outcome | find_line(level, addr + here, loader);
}

UInt cg2_cacheuse_marked_data(Addr addr, UInt size, Loader loader)
{
   FirstLevel* level = &state.d1;
   UInt outcome = find_line(level, addr, loader);
   UInt here = bytes_here(&level->of, addr, size);
   return outcome | touch(level, addr + here, size - here, loader);
}

/*--- For generated code -------------------------------------------------*/

static FirstLevel* first_of(AccessKind kind)
{
   return kind == ACCESS_FETCH ? &state.i1 : &state.d1;
}

const MarkedCache* cg2_cacheuse_first(AccessKind kind)
{
   const FirstLevel* level = first_of(kind);
   return level->has_marks ? &level->cache : NULL;
}

UWord cg2_cacheuse_base(AccessKind kind)
{
   const FirstLevel* level = first_of(kind);
   return (UWord)level->of.uses - (UWord)level->cache.stamps * CACHEUSE_SCALE;
}

const UInt* cg2_cacheuse_sections(AccessKind kind, UInt size)
{
   FirstLevel* level = first_of(kind);
   UInt line = 1U << level->of.line_bits;
   tl_assert(size > 0 && size <= CACHEUSE_SIZE_MAX);
   if (level->sections[size]) return level->sections[size];
   UInt* of = VG_(malloc)("cg2.cacheuse", line * sizeof *of);
   for (UInt offset = 0; offset < line; offset++)
      of[offset] =
         sections_of(&level->of, offset, bytes_here(&level->of, offset, size));
   level->sections[size] = of;
   return of;
}

static void renumber(void)
{
   cg2_marked_renumber(&state.i1.cache);
   cg2_marked_renumber(&state.d1.cache);
}

/*--- Configuration ------------------------------------------------------*/

static void
init_level(UseLevel* level, UInt number, const Cache* cache, UWord n_slots)
{
   UInt line_bits = cache->line_bits;
   level->number = number;
   level->line_bits = line_bits;
   level->section_bits =
      line_bits > SECTIONS_BITS ? line_bits - SECTIONS_BITS : 0;
   level->all_sections =
      ~0U >> (32 - ((1U << line_bits) >> level->section_bits));
   level->n = n_slots;
   level->uses = VG_(calloc)("cg2.cacheuse", n_slots, sizeof(Use));
   level->loaders = VG_(calloc)("cg2.cacheuse", n_slots, sizeof(Loader));
}

/* The number of sets from which on no two lines of an access share a set. */
enum { SETS_LEAST = CACHEUSE_SIZE_MAX / GEOMETRY_LINE_MIN + 2 };

static void init_first(FirstLevel* level, const Geometry* geometry, Marks marks)
{
   MarkedCache* m = &level->cache;
   VG_(memset)(level, 0, sizeof *level);
   level->recent = CACHE_NONE;
   cg2_marked_init(m, geometry, marks);
   level->has_marks = m->stamps && m->cache.tags.n_sets >= SETS_LEAST;
   init_level(&level->of, 1, &m->cache,
              m->stamps ? cg2_tags_count(&m->cache.tags)
                        : cg2_cache_slots(&m->cache));
}

void cg2_cacheuse_init(const HierarchyConfig* config, CacheuseCharge charge)
{
   tl_assert(!config->l2.size && !config->writes_back && !config->prefetches);
   init_first(&state.i1, &config->i1, cg2_marks_of_code());
   init_first(&state.d1, &config->d1, cg2_marks_of_data());
   cg2_cache_init(&state.last, &config->ll);
   init_level(&state.ll, 2, &state.last, cg2_cache_slots(&state.last));
   state.charge = charge;
}

static void clear_level(UseLevel* level)
{
   VG_(memset)(level->uses, 0, level->n * sizeof *level->uses);
   VG_(memset)(level->loaders, 0, level->n * sizeof *level->loaders);
}

static void forget_use(void)
{
   clear_level(&state.i1.of);
   clear_level(&state.d1.of);
   clear_level(&state.ll);
}

static void clear_first(FirstLevel* level)
{
   cg2_marked_clear(&level->cache);
   level->recent = CACHE_NONE;
}

void cg2_cacheuse_clear(void)
{
   clear_first(&state.i1);
   clear_first(&state.d1);
   cg2_cache_clear(&state.last);
   forget_use();
}

void cg2_cacheuse_finish(void)
{
   const UseLevel* first[] = {&state.i1.of, &state.d1.of};
   for (UInt i = 0; i < 2; i++)
      for (UWord slot = 0; slot < first[i]->n; slot++)
         evict_first(first[i], slot);
   for (UWord slot = 0; slot < state.ll.n; slot++)
      charge(&state.ll, slot);
   forget_use();
}

/*--- The machine --------------------------------------------------------*/

const Machine cg2_cacheuse_machine = {.describe = cg2_hierarchy_describe,
                                      .code_line = cg2_hierarchy_code_line,
                                      .data_max = cg2_hierarchy_data_max,
                                      .first = cg2_cacheuse_first,
                                      .renumber = renumber,
                                      .clear = cg2_cacheuse_clear,
                                      .finish = cg2_cacheuse_finish};
