#include "model/described/memorysetup.h"

/* Reason for a mutable file-scope object: the memory of the process's machine.
 * Generated code has the addresses of its tables. */
Memory cg2_memorysetup;
static Memory* const memory = &cg2_memorysetup;

/*--- Known lines --------------------------------------------------------*/

/* Whether a first level may have stamps: what one access does in a set then
 * takes no more than the ticks until the next one. That is a touch of each of
 * its lines, each followed by a prefetch, unless several fall into one set. */
static Bool may_have_stamps(const CacheConfig* config, UInt page)
{
   const Geometry* g = &config->geometry;
   UInt lines = cg2_access_data_max(g->line) / g->line + 1;
   if (g->ways > PROCESSOR_WAYS_MAX) return False;
   if (config->prefetcher.kind == PREFETCH_NONE) return lines <= ACCESS_TICKS;
   return 2 * lines <= ACCESS_TICKS && cg2_geometry_sets(g) * g->line >= page;
}

/* Whether pages of a TLB can be known: touches change at most their stamps. */
static Bool knows_pages(const Core* core, UInt tlb)
{
   Touching touching = cg2_level_touching(&core->tlbs[tlb]);
   return touching == TOUCH_STAMP || touching == TOUCH_NOTHING;
}

static void init_groups(Core* core, UInt tlb)
{
   UWord n = memory->processor->tlbs[tlb].geometry.size;
   if (knows_pages(core, tlb))
      core->groups[tlb] =
         VG_(calloc)("cg2.memory", n, sizeof *core->groups[tlb]);
}

/* The lines to which accesses of a kind may be known to hit in `node`. */
static KnownLines known_of(const Core* core, const Node* node, AccessKind kind)
{
   Touching touching = cg2_level_touching(&node->level);
   if (touching == TOUCH_UNKNOWN ||
       (kind == ACCESS_WRITE && node->config->writing == WRITE_THROUGH) ||
       (cg2_processor_has_tlb(memory->processor) &&
        !knows_pages(core, cg2_memorysetup_tlb(kind == ACCESS_FETCH))))
      return (KnownLines){.of = NULL};
   return (KnownLines){memory->lines[kind], MEMORY_KNOWN_LINES, node->line_bits,
                       touching};
}

static Node* first_of(AccessKind kind)
{
   return memory->cores[memory->now]->path[kind == ACCESS_FETCH][0];
}

KnownLines cg2_memorysetup_known(AccessKind kind)
{
   return first_of(kind)->known[kind];
}

Bool cg2_memorysetup_stamps_pages(AccessKind kind)
{
   UInt tlb = cg2_memorysetup_tlb(kind == ACCESS_FETCH);
   return memory->cores[0]->tlbs[tlb].stamps != NULL;
}

Bool cg2_memorysetup_is_unified(void)
{
   return memory->processor->is_unified ||
          (cg2_processor_has_tlb(memory->processor) && !memory->has_data_tlb);
}

static void forget_known(void)
{
   for (UInt kind = 0; kind < ACCESS_KINDS; kind++)
      cg2_knownlines_clear(&first_of(kind)->known[kind]);
   for (UInt tlb = TLB_CODE; tlb <= TLB_DATA; tlb++)
      for (UInt i = 0; i < MEMORY_KNOWN_PAGES; i++)
         memory->pages[tlb][i] = (KnownPage){.page = CACHE_NONE};
}

/*--- Nodes and cores ----------------------------------------------------*/

static Node* new_node(const CacheConfig* config, Bool is_stamped)
{
   Node* node = VG_(calloc)("cg2.memory", 1, sizeof *node);
   UInt line = config->geometry.line;
   node->config = config;
   node->line_bits = __builtin_ctz(line);
   cg2_level_init(&node->level, config, is_stamped);
   if (config->victims) {
      CacheConfig victims = {
         .geometry = {(ULong)config->victims * line, config->victims, line}};
      cg2_level_init(&node->victims, &victims, False);
   }
   cg2_prefetcher_init(&node->prefetcher, &config->prefetcher, line,
                       memory->processor->page);
   return node;
}

static Node* new_node_at(UInt depth, Bool is_code)
{
   const Processor* p = memory->processor;
   const CacheConfig* config =
      &p->caches[cg2_processor_cache(p, depth, is_code)];
   if (depth > 0) return new_node(config, False);
   return new_node(config, may_have_stamps(config, p->page));
}

/* The Node of a level: the one that all cores share, the one that the core has
 * for data already, or a new one. */
static Node* node_at(Core* core, UInt depth, Bool is_code)
{
   const Processor* p = memory->processor;
   if (depth >= memory->n_levels - memory->n_shared) {
      if (!memory->shared[depth])
         memory->shared[depth] = new_node_at(depth, is_code);
      return memory->shared[depth];
   }
   Bool is_known = is_code && (depth > 0 || p->is_unified);
   return is_known ? core->path[MEMORY_DATA][depth]
                   : new_node_at(depth, is_code);
}

static Core* new_core(void)
{
   const Processor* p = memory->processor;
   Core* core = VG_(calloc)("cg2.memory", 1, sizeof *core);
   for (UInt is_code = 0; is_code < MEMORY_PATHS; is_code++)
      for (UInt depth = 0; depth < memory->n_levels; depth++)
         core->path[is_code][depth] = node_at(core, depth, is_code);
   for (UInt i = 0; i < 3; i++) {
      const CacheConfig* tlb = &p->tlbs[i];
      Bool is_stamped =
         i != TLB_SECOND && tlb->geometry.ways <= PROCESSOR_WAYS_MAX;
      if (tlb->geometry.size) cg2_level_init(&core->tlbs[i], tlb, is_stamped);
   }
   for (UInt kind = 0; kind < ACCESS_KINDS; kind++) {
      Node* first = core->path[kind == ACCESS_FETCH][0];
      first->known[kind] = known_of(core, first, kind);
   }
   init_groups(core, TLB_CODE);
   init_groups(core, TLB_DATA);
   return core;
}

static void make_room_for(UInt core)
{
   if (core < memory->n_cores) return;
   UInt n = core + 8;
   memory->cores =
      VG_(realloc)("cg2.memory", memory->cores, n * sizeof *memory->cores);
   for (UInt i = memory->n_cores; i < n; i++)
      memory->cores[i] = NULL;
   memory->n_cores = n;
}

static void run_on(UInt core)
{
   if (!memory->has_cores || core == memory->now) return;
   make_room_for(core);
   if (!memory->cores[core]) memory->cores[core] = new_core();
   memory->now = core;
   forget_known();
}

/*--- All of it ----------------------------------------------------------*/

static UInt count_shared(const Processor* p)
{
   UInt n = 0;
   for (UInt depth = 0; depth < p->n_levels; depth++)
      n += p->caches[cg2_processor_cache(p, depth, False)].is_shared;
   return n;
}

void cg2_memorysetup_init(const Processor* p, Bool has_cores)
{
   Bool writes_back =
      p->caches[cg2_processor_cache(p, 0, False)].writing == WRITE_BACK;
   VG_(memset)(memory, 0, sizeof *memory);
   memory->processor = p;
   memory->has_cores = has_cores;
   memory->n_levels = p->n_levels;
   memory->n_shared = count_shared(p);
   memory->page_bits = __builtin_ctz(p->page);
   memory->write_marks =
      (has_cores ? LINE_OWNED : 0) | (writes_back ? LINE_DIRTY : 0);
   memory->has_data_tlb = p->tlbs[TLB_DATA].geometry.size > 0;
   memory->bits = cg2_memoryevents_bits(p, has_cores);
   memory->n_cores = 1;
   memory->cores = VG_(calloc)("cg2.memory", 1, sizeof *memory->cores);
   memory->cores[0] = new_core();
   forget_known();
}

void cg2_memorysetup_clear_pages(Bool (*is_cleared)(Addr address))
{
   memory->is_cleared = is_cleared;
   memory->fresh.page_bits = memory->page_bits;
}

static UInt data_max(void)
{
   const Processor* p = memory->processor;
   UInt line = p->caches[0].geometry.line;
   for (UInt i = p->is_unified ? 2 : 1; i <= p->n_levels; i++)
      if (p->caches[i].geometry.line < line) line = p->caches[i].geometry.line;
   return cg2_access_data_max(line);
}

/*--- Forgetting ---------------------------------------------------------*/

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
   for (UInt is_code = 0; is_code < MEMORY_PATHS; is_code++)
      for (UInt depth = 0; depth < memory->n_levels; depth++)
         clear_node(core->path[is_code][depth]);
   for (UInt i = 0; i < 3; i++)
      if (memory->processor->tlbs[i].geometry.size)
         cg2_level_clear(&core->tlbs[i]);
   forget_lost(core);
}

static void clear(void)
{
   for (UInt c = 0; c < memory->n_cores; c++)
      if (memory->cores[c]) clear_core(memory->cores[c]);
   forget_known();
}

/*--- Times --------------------------------------------------------------*/

static void renumber_core(Core* core)
{
   for (UInt is_code = 0; is_code < MEMORY_PATHS; is_code++)
      cg2_level_renumber(&core->path[is_code][0]->level);
   for (UInt tlb = TLB_CODE; tlb <= TLB_DATA; tlb++)
      cg2_level_renumber(&core->tlbs[tlb]);
}

static void renumber(void)
{
   for (UInt c = 0; c < memory->n_cores; c++)
      if (memory->cores[c]) renumber_core(memory->cores[c]);
}

/*--- The machine --------------------------------------------------------*/

static UInt describe(AccessKind kind, MachineEvent* events)
{
   return cg2_memoryevents_describe(memory->processor, memory->has_cores, kind,
                                    events);
}

static UWord code_line(void)
{
   return memory->processor->caches[0].geometry.line;
}

static const void* known_code(void)
{
   return cg2_memorysetup_known(ACCESS_FETCH).of;
}

const Machine cg2_memorysetup_machine = {.describe = describe,
                                         .code_line = code_line,
                                         .data_max = data_max,
                                         .known_code = known_code,
                                         .renumber = renumber,
                                         .clear = clear,
                                         .run_on = run_on};
