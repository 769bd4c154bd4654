#include "model/described/memorysetup.h"

/* Reason for a mutable file-scope object: the memory of the process's machine.
 * Generated code has the addresses of its tables. */
Memory cg2_memorysetup;
static Memory* const memory = &cg2_memorysetup;

/*--- What was touched last, for generated code --------------------------*/

static Bool has_table(UWord n_sets)
{
   return !(n_sets & (n_sets - 1)) && n_sets <= MEMORY_KNOWN_SETS;
}

static Bool has_table_of(const Processor* p, UInt tlb)
{
   const Geometry* g = &p->tlbs[tlb].geometry;
   return g->size == 0 || has_table(g->size / g->ways);
}

static void filter_pages(MemoryFilter* filter, Core* core, Bool is_code)
{
   MemoryPages pages = cg2_memorysetup_pages(core, is_code);
   if (!memory->knows_pages) filter->lines = NULL;
   filter->pages = pages.known;
   filter->page_bits = memory->page_bits;
   filter->page_mask = pages.tlb->n_sets - 1;
}

MemoryFilter cg2_memorysetup_filter(AccessKind kind)
{
   Bool is_code = kind == ACCESS_FETCH, is_write = kind == ACCESS_WRITE;
   Core* core = memory->cores[0];
   const Node* node = core->path[is_code][0];
   MemoryFilter filter = {.lines = is_write ? node->writes : node->reads,
                          .line_bits = node->line_bits,
                          .line_mask = node->level.n_sets - 1};
   if (is_write && node->config->writing == WRITE_THROUGH) filter.lines = NULL;
   if (cg2_processor_has_tlb(memory->processor))
      filter_pages(&filter, core, is_code);
   return filter;
}

static void forget_touched(void)
{
   UWord* tables[] = {memory->code_lines, memory->read_lines,
                      memory->write_lines, memory->code_pages,
                      memory->data_pages};
   for (UInt t = 0; t < sizeof tables / sizeof *tables; t++)
      for (UInt set = 0; set < MEMORY_KNOWN_SETS; set++)
         tables[t][set] = CACHE_NONE;
}

/*--- Nodes and cores ----------------------------------------------------*/

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
                       memory->processor->page);
   return node;
}

static void keep_touched(Node* node, UWord* reads, UWord* writes)
{
   if (!has_table(node->level.n_sets)) return;
   node->reads = reads;
   node->writes = writes;
}

/* The Node of a level: the one that all cores share, the one that the core has
 * for data already, or a new one. */
static Node* node_at(Core* core, UInt depth, Bool is_code)
{
   const Processor* p = memory->processor;
   const CacheConfig* config =
      &p->caches[cg2_processor_cache(p, depth, is_code)];
   if (depth >= memory->n_levels - memory->n_shared) {
      if (!memory->shared[depth]) memory->shared[depth] = new_node(config);
      return memory->shared[depth];
   }
   Bool is_known = is_code && (depth > 0 || p->is_unified);
   return is_known ? core->path[MEMORY_DATA][depth] : new_node(config);
}

static Core* new_core(void)
{
   const Processor* p = memory->processor;
   Core* core = VG_(calloc)("cg2.memory", 1, sizeof *core);
   for (UInt is_code = 0; is_code < MEMORY_PATHS; is_code++)
      for (UInt depth = 0; depth < memory->n_levels; depth++)
         core->path[is_code][depth] = node_at(core, depth, is_code);
   keep_touched(core->path[MEMORY_DATA][0], memory->read_lines,
                memory->write_lines);
   if (!p->is_unified)
      keep_touched(core->path[MEMORY_CODE][0], memory->code_lines, NULL);
   for (UInt i = 0; i < 3; i++)
      if (p->tlbs[i].geometry.size) cg2_level_init(&core->tlbs[i], &p->tlbs[i]);
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

void cg2_memorysetup_run_on(UInt core)
{
   if (!memory->has_cores || core == memory->now) return;
   make_room_for(core);
   if (!memory->cores[core]) memory->cores[core] = new_core();
   memory->now = core;
   forget_touched();
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
   memory->knows_pages = has_table_of(p, TLB_CODE) && has_table_of(p, TLB_DATA);
   memory->bits = cg2_memoryevents_bits(p, has_cores);
   memory->n_cores = 1;
   memory->cores = VG_(calloc)("cg2.memory", 1, sizeof *memory->cores);
   memory->cores[0] = new_core();
   forget_touched();
}

UInt cg2_memorysetup_data_max(void)
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

void cg2_memorysetup_clear(void)
{
   for (UInt c = 0; c < memory->n_cores; c++)
      if (memory->cores[c]) clear_core(memory->cores[c]);
   forget_touched();
}
