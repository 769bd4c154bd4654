#include "cycles/work.h"
#include "cycles/encoding.h"

#include <stdlib.h>
#include <string.h>

/*--- Forms --------------------------------------------------------------*/

enum { FORM_MAX = 160, LINE_OF_CODE = 64 };

/* The kind of register that takes the place of memory of so many bits. */
static const char* register_kind(const cg2p_operation* operation, long bits)
{
   if (bits > 256) return "z";
   if (bits > 128) return "y";
   if (operation->is_vector || bits > 64) return "x";
   if (bits > 32) return "r64";
   return bits > 16 ? "r32" : bits > 8 ? "r16" : "r8";
}

/* Writes the form with a register in the place of memory; how long it is. 0:
 * it has no memory. */
static size_t of_registers(const cg2p_operation* operation, char* to)
{
   const char* m = strstr(operation->form, " m");
   const char* behind = strstr(operation->form, ",m");
   if (behind && (!m || m[2] < '0' || m[2] > '9')) m = behind;
   if (!m || m[2] < '0' || m[2] > '9') return 0;
   char* rest;
   const char* kind = register_kind(operation, strtol(m + 2, &rest, 10));
   size_t before = m + 1 - operation->form, own = strlen(kind),
          after = strlen(rest);
   if (before + own + after >= FORM_MAX) return 0;
   memcpy(to, operation->form, before);
   memcpy(to + before, kind, own);
   memcpy(to + before + own, rest, after);
   return before + own + after;
}

static const CoreOp* op_of(const cg2p_core* core, const cg2p_operation* o)
{
   char form[FORM_MAX];
   const CoreOp* op = cg2p_core_op(core, o->form, strlen(o->form));
   if (op) return op;
   size_t n = of_registers(o, form);
   return n ? cg2p_core_op(core, form, n) : NULL;
}

/*--- Kinds of work ------------------------------------------------------*/

static bool is_pure_load(const cg2p_operation* o)
{
   return o->rule == CG2P_VALUE_LOAD;
}

/* Whether what it writes is what it has loaded: it is a load, or a pop. */
static bool is_load(const cg2p_operation* o)
{
   bool pops = o->rule == CG2P_VALUE_ADD && o->access.loads && !o->n_reads;
   return !o->is_vector && (is_pure_load(o) || pops);
}

static bool is_pure_store(const cg2p_operation* o)
{
   bool is_given = o->rule == CG2P_VALUE_COPY || o->rule == CG2P_VALUE_CONSTANT;
   return o->access.stores && !o->access.loads && is_given &&
          o->rule_destination == CG2P_NO_REGISTER;
}

/* Whether a load into a general register takes more than that: the table has a
 * line of its form. */
static bool extends(const cg2p_core* core, const cg2p_operation* o)
{
   return !o->is_vector && cg2p_core_op(core, o->form, strlen(o->form));
}

static bool eliminates(const CoreNumbers* numbers, const cg2p_operation* o)
{
   switch (o->is_move) {
   case CG2P_MOVES:
      return numbers->eliminated.moves ||
             (o->is_vector && numbers->eliminated.vectors);
   case CG2P_ZEROES:
      return numbers->eliminated.zeroes;
   case CG2P_SETS:
      return numbers->eliminated.immediates;
   default:
      return o->is_move == CG2P_IDLES;
   }
}

/* Whether an address takes more than one sum of two. */
static bool is_complex(const cg2p_access* access)
{
   return access->index != CG2P_NO_REGISTER &&
          (access->scale > 1 ||
           (access->base != CG2P_NO_REGISTER && access->displacement));
}

static uint64_t load_latency(const CoreNumbers* numbers,
                             const cg2p_operation* o)
{
   enum { WIDE = 32 };
   uint64_t more = is_complex(&o->access) ? numbers->memory.complex : 0;
   if (!o->is_vector) return numbers->memory.load + more;
   return more + (o->access.size >= WIDE ? numbers->memory.wide
                                         : numbers->memory.vector);
}

/* Short distances from a base are added while the cache is looked up. */
static uint64_t chase_latency(const CoreNumbers* numbers,
                              const cg2p_operation* o)
{
   enum { FARTHEST = 2048 };
   const cg2p_access* access = &o->access;
   bool is_near = access->index == CG2P_NO_REGISTER && !access->segment &&
                  access->displacement >= 0 && access->displacement < FARTHEST;
   return numbers->memory.chase && is_near && !o->is_vector
             ? numbers->memory.chase
             : load_latency(numbers, o);
}

/* How long links between levels take to carry all lines that it reads or
 * writes: the slowest of them. */
static uint64_t carried(const CoreNumbers* numbers, const uint64_t* counters)
{
   uint64_t longest = 0;
   for (int i = 0; i < 3; i++) {
      uint64_t lines = counters[COUNT_READ + i] + counters[COUNT_WRITE + i] +
                       counters[COUNT_READ_BROUGHT + i] +
                       counters[COUNT_WRITE_BROUGHT + i];
      uint64_t takes = lines * numbers->links[i] / CORE_GRAINS;
      if (takes > longest) longest = takes;
   }
   return longest;
}

/* How long an instruction repeats itself each time: measured of copies that a
 * core makes by lines. An estimate, as it depends on sizes. */
static uint64_t repeated(const CoreNumbers* numbers,
                         const GraphSpot* spot,
                         const uint64_t* counters)
{
   enum { MOST = 1 << 20 };
   const cg2p_operation* o = spot->operation;
   bool copies = strstr(o->form, "movs") || strstr(o->form, "stos");
   uint64_t size = o->access.size ? o->access.size : 1;
   uint64_t rounds = counters[COUNT_IR], lines = carried(numbers, counters);
   uint64_t all = copies ? rounds * size / numbers->repeats.bytes
                         : rounds * numbers->repeats.other / CORE_GRAINS;
   if (lines > all) all = lines;
   uint64_t each = spot->count ? all / spot->count : 0;
   return numbers->repeats.start + (each < MOST ? each : MOST);
}

static void take_op(Work* work, const cg2p_core* core, const cg2p_operation* o)
{
   const CoreOp* op = op_of(core, o);
   work->is_standard = !op;
   if (!op) op = &core->ops.standard;
   work->uses = core->uses.of + op->first_use;
   work->n_uses = op->n_uses;
   work->latency = op->latency;
   work->divider = op->divider;
   work->slots = op->slots < core->numbers.sizes.reorder / 2
                    ? op->slots
                    : core->numbers.sizes.reorder / 2;
   if (o->access.loads && o->access.stores) work->slots++;
   bool has_index = o->access.loads && o->access.index != CG2P_NO_REGISTER;
   if (has_index && o->form[0] == 'v') work->more = core->numbers.sizes.indexed;
}

/* Whether it is about a register that is the base of an address, or is read,
 * or written. */
static bool names(const cg2p_operation* o, uint8_t number)
{
   for (int i = 0; i < o->n_address; i++)
      if (o->address[i] == number) return true;
   for (int i = 0; i < o->n_reads; i++)
      if (o->reads[i] == number) return true;
   return false;
}

static WorkStack stack_of(const cg2p_operation* o, const cg2p_core* core)
{
   enum { STACK_POINTER = 4 };
   if (!core->numbers.eliminated.stack) return STACK_IS_LEFT;
   bool is_implied =
      !strncmp(o->form, "push", 4) || !strncmp(o->form, "pop", 3) ||
      o->step.kind == CG2P_CALLS || o->step.kind == CG2P_CALLS_COMPUTED ||
      o->step.kind == CG2P_RETURNS;
   if (is_implied && o->rule_destination == STACK_POINTER) return STACK_MOVES;
   return names(o, STACK_POINTER) ? STACK_IS_USED : STACK_IS_LEFT;
}

static void find_work(Work* work, const cg2p_core* core, const GraphSpot* spot)
{
   const cg2p_operation* o = spot->operation;
   const CoreNumbers* numbers = &core->numbers;
   *work = (Work){.slots = 1,
                  .load_latency = load_latency(numbers, o),
                  .chase_latency = chase_latency(numbers, o),
                  .is_load = is_load(o),
                  .stack = stack_of(o, core)};
   bool is_eliminated = eliminates(numbers, o);
   if (is_eliminated)
      work->kind = o->is_move == CG2P_MOVES ? WORK_MOVES : WORK_IS_FREE;
   if (work->kind == WORK_MOVES && numbers->eliminated.counters)
      take_op(work, core, o); /* for when it cannot be */
   else if (!is_eliminated && !is_pure_store(o) &&
            (!is_pure_load(o) || extends(core, o)))
      take_op(work, core, o);
}

/*--- Fusion -------------------------------------------------------------*/

static bool fuses(const cg2p_core* core,
                  const cg2p_operation* o,
                  const cg2p_operation* next)
{
   return o->fuses && next && next->step.kind == CG2P_BRANCHES &&
          !o->access.stores && cg2p_core_fuses(core, o->form, next->form);
}

static bool is_across(uint64_t address, uint64_t length)
{
   return address / LINE_OF_CODE != (address + length - 1) / LINE_OF_CODE;
}

/* The first of a fused pair takes no slot and no port; its branch does. */
static void fuse(Work* work,
                 const cg2p_operation* next,
                 uint64_t address,
                 const cg2p_operation* o)
{
   work->is_fused = true;
   work->slots = work->n_uses = 0;
   work->place.crosses = is_across(address, o->step.length + next->step.length);
}

/* The branch of a fused pair takes what the table has as form "fused", if the
 * first of the pair writes a register. */
static void
take_both(Work* branch, const cg2p_core* core, const cg2p_operation* first)
{
   const CoreOp* op = cg2p_core_op(core, "fused", strlen("fused"));
   if (!op || first->rule_destination == CG2P_NO_REGISTER) return;
   branch->uses = core->uses.of + op->first_use;
   branch->n_uses = op->n_uses;
}

/*--- Lines of code ------------------------------------------------------*/

/* Whether an instruction is fetched later than the one before it because it
 * begins another line. */
static bool begins_line(const CycleObject* object, size_t i, uint64_t line)
{
   const uint64_t* addresses = object->addresses;
   return line && i && addresses[i] / line != addresses[i - 1] / line;
}

/* Tells the spots of a line of code, from the first to the last, how many ways
 * it takes. */
static void
end_line(Work* works, size_t first, size_t last, const CoreDecoding* n)
{
   uint64_t slots = 0;
   for (size_t i = first; i <= last; i++)
      slots += works[i].slots;
   uint64_t ways = n->slots ? (slots + n->slots - 1) / n->slots : 0;
   for (size_t i = first; i <= last; i++)
      works[i].place.ways = ways > n->most || ways > n->ways ? 0
                            : ways                           ? ways
                                                             : 1;
}

static bool is_jump(const GraphSpot* spot)
{
   static const uint32_t jumps = 1u << CG2P_BRANCHES | 1u << CG2P_JUMPS |
                                 1u << CG2P_JUMPS_COMPUTED | 1u << CG2P_CALLS |
                                 1u << CG2P_CALLS_COMPUTED | 1u << CG2P_RETURNS;
   return spot->operation && jumps >> spot->operation->step.kind & 1;
}

static void mark_borders(Work* works,
                         const CycleObject* object,
                         const GraphSpot* spots,
                         const CoreNumbers* n)
{
   uint64_t line = n->fetching.line;
   if (!n->decoding.borders || !line) return;
   for (size_t k = 0; k < object->n; k++) {
      if (!is_jump(&spots[k])) continue;
      size_t first = k && works[k - 1].is_fused ? k - 1 : k;
      uint64_t start = object->addresses[first];
      uint64_t end = object->addresses[k] + spots[k].operation->step.length;
      works[first].place.touches_border = start / line != end / line;
   }
}

/* Marks where other bytes are decoded. An instruction is decoded with the bytes
 * that it ends in. */
static void mark_decoding(Work* works,
                          const CycleObject* object,
                          const GraphSpot* spots,
                          uint64_t bytes)
{
   uint64_t before = 0;
   for (size_t k = 0; bytes && k < object->n; k++) {
      const cg2p_operation* o = spots[k].operation;
      uint64_t at = object->addresses[k];
      uint64_t window =
         (at + (o && o->step.length ? o->step.length - 1 : 0)) / bytes;
      works[k].place.begins_decoding = k && window != before;
      works[k].place.is_split =
         o && (at + cg2p_encoding_opcode(o)) / bytes < window;
      before = window;
   }
}

enum {
   LINE_BITS = 40
}; /* of the number of a line of code, below its object's */

static void find_lines(Work* works,
                       const CycleObject* object,
                       uint64_t number,
                       const CoreNumbers* n)
{
   size_t first = 0;
   for (size_t k = 0; k < object->n; k++) {
      Work* work = &works[k];
      work->place.begins_line = begins_line(object, k, n->fetching.line);
      if (!n->fetching.line) continue;
      work->place.line =
         (number + 1) << LINE_BITS | object->addresses[k] / n->fetching.line;
      if (work->place.begins_line) {
         end_line(works, first, k - 1, &n->decoding);
         first = k;
      }
   }
   if (object->n) end_line(works, first, object->n - 1, &n->decoding);
}

/*--- The whole ----------------------------------------------------------*/

static void
count_kind(Workload* workload, const GraphSpot* spot, size_t i, uint64_t ir)
{
   if (!spot->operation)
      workload->n_uncovered += ir;
   else if (spot->operation->step.kind == CG2P_REPEATS)
      workload->n_repeated += ir;
   else if (workload->of[i].is_standard || !spot->operation->form[0])
      workload->n_standard += ir;
}

static void find_in_object(Workload* workload,
                           const ControlGraph* graph,
                           const cg2p_core* core,
                           const CycleObject* object)
{
   for (size_t k = 0; k < object->n; k++) {
      size_t i = object->first + k;
      const GraphSpot* spot = &graph->spots[i];
      if (!spot->operation) continue;
      Work* work = &workload->of[i];
      find_work(work, core, spot);
      if (k && work[-1].is_fused) take_both(work, core, spot[-1].operation);
      if (spot->next == CG2P_NONE) continue;
      const cg2p_operation* next = graph->spots[spot->next].operation;
      bool is_split = begins_line(
         object, k + 1, core->numbers.fetching.line ? LINE_OF_CODE : 0);
      if (!is_split && fuses(core, spot->operation, next))
         fuse(work, next, object->addresses[k], spot->operation);
   }
}

void cg2p_work_find(Workload* workload,
                    Failure* failure,
                    const ControlGraph* graph,
                    const Gathering* gathering,
                    const cg2p_core* core)
{
   size_t n = (size_t)graph->n + 1;
   cg2p_rates_find(&workload->rates, failure, graph, gathering);
   workload->of = cg2p_memory_allocate(failure, n * sizeof *workload->of);
   for (size_t o = 0; o < gathering->objects->n; o++) {
      const CycleObject* object = &gathering->objects->of[o];
      find_in_object(workload, graph, core, object);
      Work* works = workload->of + object->first;
      find_lines(works, object, o, &core->numbers);
      mark_borders(works, object, graph->spots + object->first, &core->numbers);
      mark_decoding(works, object, graph->spots + object->first,
                    core->numbers.decoding.bytes);
   }
   for (uint32_t i = 0; i < graph->n; i++) {
      const GraphSpot* spot = &graph->spots[i];
      const uint64_t* counters = gathering->counters + (size_t)i * COUNTERS;
      count_kind(workload, spot, i, counters[COUNT_IR]);
      if (spot->operation && spot->operation->step.kind == CG2P_REPEATS)
         workload->of[i].repeats = repeated(&core->numbers, spot, counters);
   }
}

void cg2p_work_free(Workload* workload)
{
   free(workload->of);
   cg2p_rates_free(&workload->rates);
}
