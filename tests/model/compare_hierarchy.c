/* The hierarchy, in all its variants, and cache use against the reference: each
 * access has the same outcome, each eviction the same charge. */
#include "check.h"
#include "model/callgrind/cacheuse.h"
#include "reference.h"

#define NO_L2                                                                  \
   {                                                                           \
      0, 0, 0                                                                  \
   }

/* Machines. The last ones have usual first levels, and some of them many sets
 * in the last level. */
static const HierarchyConfig machines[] = {
   {{128, 2, 32}, {128, 2, 32}, {512, 2, 32}, NO_L2, False, False},
   {{256, 2, 64}, {128, 1, 32}, {512, 4, 64}, NO_L2, False, False},
   {{128, 4, 32}, {512, 4, 64}, {256, 2, 32}, NO_L2, False, False},
   {{128, 2, 32}, {256, 2, 128}, {1024, 4, 64}, NO_L2, False, False},
   {{512, 2, 64}, {512, 2, 64}, {1024, 16, 64}, NO_L2, False, False},
   {{192, 3, 64}, {320, 5, 64}, {64 * 17, 17, 64}, NO_L2, False, False},
   {{64, 1, 16}, {96, 2, 16}, {640, 4, 32}, NO_L2, False, False},
   {{32768, 8, 64}, {49152, 12, 64}, {9 << 18, 18, 64}, NO_L2, False, False},
   {{512, 1, 32}, {640, 2, 64}, {4096, 4, 128}, NO_L2, False, False},
   {{256, 2, 16}, {768, 3, 16}, {2048, 8, 64}, NO_L2, False, False},
   {{4096, 1, 4096}, {8192, 2, 2048}, {3 << 14, 3, 4096}, NO_L2, False, False},
   {{1024, 4, 32}, {1024, 4, 64}, {65536, 16, 64}, {4096, 8, 64}, False, False},
   {{384, 2, 64}, {192, 1, 64}, {7168, 7, 128}, {1536, 3, 64}, False, False},
   {{65536, 16, 64}, {32768, 8, 64}, {65536, 8, 64}, NO_L2, False, False},
   {{32768, 8, 64}, {49152, 12, 64}, {25 << 16, 16, 64}, NO_L2, False, False},
   {{20480, 5, 64}, {65536, 16, 64}, {2 << 20, 2, 64}, NO_L2, False, False},
   {{32768, 8, 64}, {24576, 6, 64}, {5 << 20, 5, 64}, NO_L2, False, False},
};
enum { MACHINES = sizeof machines / sizeof *machines };

enum { WRITTEN_BACK = 1, PREFETCHED = 2, VARIANTS = 4 };

typedef struct Access {
   AccessKind kind;
   Addr addr;
   UInt size;
} Access;

/* The bytes of the longest instruction. */
enum { INSTR_MAX = 15 };

/* A made-up access: mostly small, aligned or not; some are in two lines, and
 * some in a few. */
static void next_access(Walk* walk, UInt max, Access* access)
{
   static const UInt sizes[] = {1, 2, 4, 4, 8, 8, 8, 16, 32, 10, 28, 64};
   Chance* chance = &walk->chance;
   access->kind = chance_below(chance, 3);
   access->size = sizes[chance_below(chance, sizeof sizes / sizeof *sizes)];
   if (access->kind == ACCESS_FETCH) max = INSTR_MAX;
   if (access->size > max) access->size = max;
   access->addr = walk_next(walk) * 32 + chance_below(chance, 32);
   if (chance_below(chance, 2)) access->addr &= ~(Addr)7;
}

/*--- Outcomes -----------------------------------------------------------*/

/* The time from which on times begin anew. */
enum { LATEST = 10000 };
static UInt now;

static UInt make_access(const Access* access)
{
   if (access->kind == ACCESS_FETCH)
      return cg2_hierarchy_fetch(access->addr, access->size);
   return cg2_hierarchy_data(access->addr, access->size,
                             access->kind == ACCESS_WRITE);
}

static const Mark* mark_at(const MarkedCache* m, Addr addr)
{
   return cg2_marked_mark(m, cg2_cache_line(&m->cache, addr));
}

static Bool is_marked(const MarkedCache* m, Addr addr)
{
   UWord line = cg2_cache_line(&m->cache, addr);
   return mark_at(m, addr)->line == line << m->cache.line_bits;
}

static UInt make_marked_access(const Access* access)
{
   if (access->kind == ACCESS_FETCH)
      return cg2_hierarchy_marked_fetch(access->addr, access->size);
   if (access->kind == ACCESS_WRITE && cg2_hierarchy_written().n)
      return cg2_hierarchy_marked_write_back(access->addr, access->size);
   return cg2_hierarchy_marked_data(access->addr, access->size,
                                    access->kind == ACCESS_WRITE);
}

static Addr last_byte(const Access* access)
{
   return access->addr + access->size - 1;
}

static Bool is_in_one_line(const MarkedCache* m, const Access* access)
{
   return cg2_cache_line(&m->cache, access->addr) ==
          cg2_cache_line(&m->cache, last_byte(access));
}

/* Whether generated code knows that the access hits. */
static Bool is_known(const MarkedCache* m, const Access* access)
{
   return is_marked(m, access->addr) &&
          (is_in_one_line(m, access) ||
           (access->kind == ACCESS_FETCH && is_marked(m, last_byte(access))));
}

/* Whether generated code knows that an access changes nothing in the last
 * level.
 */
static Bool changes_no_other(const MarkedCache* m, const Access* access)
{
   Marks written = cg2_hierarchy_written();
   UWord line = cg2_cache_line(&m->cache, access->addr);
   return access->kind != ACCESS_WRITE || !written.n ||
          cg2_marks_at(written, line)->line == line << m->cache.line_bits;
}

/* Makes an access as generated code does: calls nothing if the access is known
 * to hit, and then puts times down at the marks: of both lines of a fetch, of
 * the first line of data. */
static UInt generated_access(const Access* access)
{
   const MarkedCache* m = cg2_hierarchy_first(access->kind);
   if (!m) return make_access(access);
   Addr last = last_byte(access);
   Bool is_one = is_in_one_line(m, access);
   Bool is_fetch = access->kind == ACCESS_FETCH;
   UInt outcome = is_known(m, access) && changes_no_other(m, access)
                     ? 0
                     : make_marked_access(access);
   *mark_at(m, access->addr)->stamp = now;
   if (!is_one && is_fetch) *mark_at(m, last)->stamp = now + 1;
   return outcome;
}

/* Makes an access in both; if `skips`, as generated code makes it. */
static void compare_access(const Access* access, Bool skips)
{
   UInt expected = reference_access(access->kind, access->addr, access->size);
   now += ACCESS_TICKS;
   if (now > LATEST) {
      cg2_hierarchy_machine.renumber();
      now = NO_WAY + ACCESS_TICKS;
   }
   CHECK_EQ(skips ? generated_access(access) : make_access(access), expected);
}

enum { ACCESSES = 5000000 / MACHINES / VARIANTS / WALKS };

static void compare_walk(const HierarchyConfig* config, UInt kind)
{
   reference_init(config);
   Walk walk = {{1 + config->d1.size + 64 * kind},
                kind,
                config->ll.size / 32,
                config->d1.size / config->d1.ways / 32,
                0};
   for (UInt i = 0; i < check_rounds(ACCESSES); i++) {
      if (i % 4096 == 0) walk.span = config->d1.size / (16 << i / 4096 % 3) + 3;
      if (i % 16384 == 0) walk.span = config->ll.size / 32 + 7;
      Access access;
      next_access(&walk, cg2_hierarchy_data_max(), &access);
      compare_access(&access, i / 1024 % 2);
   }
   reference_free();
}

static void compare(HierarchyConfig config, UInt variant)
{
   config.writes_back = (variant & WRITTEN_BACK) != 0;
   config.prefetches = (variant & PREFETCHED) != 0;
   cg2_hierarchy_init(&config);
   for (UInt kind = 0; kind < WALKS; kind++) {
      compare_walk(&config, kind);
      cg2_hierarchy_clear();
   }
}

static void test_outcomes(void)
{
   for (UInt m = 0; m < MACHINES; m++)
      for (UInt variant = 0; variant < VARIANTS; variant++)
         compare(machines[m], variant);
}

/*--- Cache use ----------------------------------------------------------*/

/* What each loader was charged with: [level - 1]. */
typedef struct Charged {
   ULong cost[2], lost[2], n;
} Charged;

enum { LOADERS = 1009 };
static Charged charged[LOADERS], expected[LOADERS];

static void add_charge(Charged* to, UInt level, ULong cost, ULong lost)
{
   to->cost[level - 1] += cost;
   to->lost[level - 1] += lost;
   to->n++;
}

static void charge(Loader loader, UInt level, ULong cost, ULong lost)
{
   add_charge(&charged[(Charged*)loader.place - charged], level, cost, lost);
}

static void expect(void* loader, UInt level, ULong cost, ULong lost)
{
   add_charge(&expected[(Charged*)loader - charged], level, cost, lost);
}

static void check_charges(void)
{
   for (UInt i = 0; i < LOADERS; i++) {
      CHECK_EQ(charged[i].n, expected[i].n);
      for (UInt level = 0; level < 2; level++) {
         CHECK_EQ(charged[i].cost[level], expected[i].cost[level]);
         CHECK_EQ(charged[i].lost[level], expected[i].lost[level]);
      }
   }
}

static UInt make_use(const Access* access, Loader loader)
{
   if (access->kind == ACCESS_FETCH)
      return cg2_cacheuse_fetch(access->addr, access->size, loader);
   return cg2_cacheuse_data(access->addr, access->size, loader);
}

static UInt make_marked_use(const Access* access, Loader loader)
{
   if (access->kind == ACCESS_FETCH)
      return cg2_cacheuse_marked_fetch(access->addr, access->size, loader);
   return cg2_cacheuse_marked_data(access->addr, access->size, loader);
}

/* Puts down what generated code does at a line that is marked. */
static void put_use(const MarkedCache* m, AccessKind kind, Addr addr, UInt size)
{
   UInt* stamp = mark_at(m, addr)->stamp;
   UWord at = cg2_cacheuse_base(kind) + (UWord)stamp * CACHEUSE_SCALE;
   Addr offset = addr - ((addr >> m->cache.line_bits) << m->cache.line_bits);
   *stamp = now++;
   ((Use*)at)->n_accesses++;
   ((Use*)at)->sections |= cg2_cacheuse_sections(kind, size)[offset];
}

/* Makes an access as generated code does when cache use is looked at. */
static UInt generated_use(const Access* access, Loader loader)
{
   const MarkedCache* m = cg2_cacheuse_first(access->kind);
   UInt line = m ? 1U << m->cache.line_bits : 0;
   if (access->size > CACHEUSE_SIZE_MAX || access->size > line)
      return make_use(access, loader);
   UInt outcome = is_known(m, access) ? 0 : make_marked_use(access, loader);
   put_use(m, access->kind, access->addr, access->size);
   Addr start = last_byte(access) & -(Addr)line;
   if (access->kind == ACCESS_FETCH && !is_in_one_line(m, access))
      put_use(m, access->kind, start, last_byte(access) - start + 1);
   return outcome;
}

static void pass_time(void)
{
   now += 2 * ACCESS_TICKS;
   if (now < LATEST) return;
   cg2_cacheuse_machine.renumber();
   now = NO_WAY + 2 * ACCESS_TICKS;
}

static void finish_use(void)
{
   cg2_cacheuse_finish();
   reference_use_finish();
   check_charges();
}

static void clear_use(void)
{
   cg2_cacheuse_clear();
   reference_use_clear();
   check_charges();
}

/* All caches are empty when this begins, and when it ends. */
static void compare_use(const HierarchyConfig* config, UInt kind)
{
   reference_use_init(config, expect);
   Walk walk = {{77 + config->ll.size + kind},
                kind,
                config->ll.size / 32 + 7,
                config->d1.size / config->d1.ways / 32,
                0};
   for (UInt i = 0; i < check_rounds(5 * ACCESSES); i++) {
      Access access;
      next_access(&walk, 64, &access);
      void* who = &charged[chance_below(&walk.chance, LOADERS)];
      Loader loader = {who, 0};
      Bool skips = i / 1024 % 2;
      pass_time();
      UInt outcome =
         skips ? generated_use(&access, loader) : make_use(&access, loader);
      CHECK_EQ(outcome, reference_use_access(access.kind, access.addr,
                                             access.size, who));
      if (i % 10007 == 0) check_charges();
      if (i % 20011 == 0) finish_use();
      if (i % 30011 == 0) clear_use();
   }
   finish_use();
   cg2_cacheuse_clear();
   reference_use_free();
}

static void test_use(void)
{
   UInt n_marked = 0;
   for (UInt m = 0; m < MACHINES; m++) {
      if (machines[m].l2.size) continue;
      cg2_cacheuse_init(&machines[m], charge);
      n_marked += cg2_cacheuse_first(ACCESS_FETCH) != NULL &&
                  cg2_cacheuse_first(ACCESS_READ) != NULL;
      for (UInt kind = 0; kind < WALKS; kind++)
         compare_use(&machines[m], kind);
   }
   CHECK_EQ(n_marked, 7);
}

/* An access to data is at most as large as the smallest line, whichever cache
 * has it; of small lines as large as a register. */
static void test_data_max(void)
{
   enum { LEVELS = 4 };
   static const UInt lines[] = {16, 32, 64, 128};
   for (UInt level = 0; level < LEVELS; level++)
      for (UInt i = 0; i < sizeof lines / sizeof *lines; i++) {
         HierarchyConfig config = {.i1 = {4096, 2, 256},
                                   .d1 = {4096, 2, 256},
                                   .ll = {1 << 16, 4, 256},
                                   .l2 = {8192, 2, 256}};
         Geometry* all[LEVELS] = {&config.i1, &config.d1, &config.ll,
                                  &config.l2};
         all[level]->line = lines[i];
         cg2_hierarchy_init(&config);
         CHECK_EQ(cg2_hierarchy_data_max(), lines[i] < 32 ? 32 : lines[i]);
      }
   HierarchyConfig config = {.i1 = {4096, 2, 64},
                             .d1 = {4096, 2, 64},
                             .ll = {1 << 16, 4, 64},
                             .l2 = NO_L2};
   cg2_hierarchy_init(&config);
   CHECK_EQ(cg2_hierarchy_data_max(), 64);
}

int main(int n, char** names)
{
   static const Test tests[] = {{"outcomes", test_outcomes},
                                {"use", test_use},
                                {"data_max", test_data_max}};
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
