#include "inlines/split.h"
#include "profile/level.h"
#include "sum/merge.h"

#include <stdio.h>
#include <string.h>

/*--- Names --------------------------------------------------------------*/

/* Which activation of its function a local is, of those that are inside each
 * other here. */
static uint32_t level_of(const cg2p_inlining* n,
                         const Part* part,
                         uint32_t number,
                         uint32_t local)
{
   const Instances* i = &n->instances;
   const InlinedObject* object =
      &n->objects[n->object_of[part->functions[number].object] - 1];
   uint32_t function =
               i->inlines->instances[i->locals[local].instance].function,
            level = 1;
   for (uint32_t l = i->locals[local].outer; l; l = i->locals[l].outer)
      level +=
         i->inlines->instances[i->locals[l].instance].function == function;
   const StoredName* name = &n->profile->names.of[part->functions[number].name];
   const StoredName* own =
      &n->sum->sum->names.of[object->functions[function].name];
   Level outer = cg2p_level_of(name->text, name->length);
   size_t length = outer.length ? outer.start : name->length;
   if (length == own->length && !memcmp(name->text, own->text, length))
      level += outer.number;
   return level < n->max_level ? level : n->max_level;
}

/* The sum's function of a local. */
static uint32_t make_function(cg2p_inlining* n,
                              const Part* part,
                              uint32_t number,
                              uint32_t local)
{
   cg2p_merge* m = n->sum;
   if (!local) return cg2p_merge_function(m, number);
   const Instances* i = &n->instances;
   const InlinedObject* object =
      &n->objects[n->object_of[part->functions[number].object] - 1];
   uint32_t inlined = i->inlines->instances[i->locals[local].instance].function;
   cg2p_function key = object->functions[inlined];
   uint32_t level = level_of(n, part, number, local);
   if (level > 1) {
      enum { LONGEST_LEVEL = 16 };
      StoredName name = m->sum->names.of[key.name];
      n->text = cg2p_memory_grow(&m->failure, n->text, &n->text_room,
                                 name.length + LONGEST_LEVEL, 1);
      int length = snprintf(n->text, n->text_room, "%s'%u", name.text, level);
      key.name =
         cg2p_names_intern(&m->sum->names, &m->failure, n->text, length);
   }
   return cg2p_part_intern_function(m->part, &m->failure, key);
}

static uint32_t
file_of_call(cg2p_inlining* n, InlinedObject* object, uint32_t instance)
{
   uint32_t* file = &object->files[instance];
   const char* text = object->inlines->instances[instance].call_file;
   if (!*file)
      *file =
         1 + (text[0] ? cg2p_names_intern(&n->sum->sum->names, &n->sum->failure,
                                          text, strlen(text))
                      : NAME_UNKNOWN);
   return *file - 1;
}

/*--- Rows ---------------------------------------------------------------*/

/* The local that a line is of. */
static uint32_t local_at(const cg2p_inlining* n, uint64_t address)
{
   size_t step = cg2p_flow_step(&n->flow, address);
   return step < n->flow.n_steps && n->flow.steps[step].address == address
             ? n->instances.local_of[step]
             : 0;
}

/* Puts the numbers of rows in the order of their locals. */
static void sort_rows(cg2p_inlining* n)
{
   Failure* failure = &n->sum->failure;
   size_t n_locals = n->instances.n_locals;
   n->firsts = cg2p_memory_grow(failure, n->firsts, &n->firsts_room,
                                n_locals + 2, sizeof *n->firsts);
   n->rows_of = cg2p_memory_grow(failure, n->rows_of, &n->rows_of_room,
                                 n->rows.n, sizeof *n->rows_of);
   memset(n->firsts, 0, (n_locals + 2) * sizeof *n->firsts);
   for (size_t r = 0; r < n->rows.n; r++)
      n->firsts[local_at(n, n->rows.of[r].at.instr) + 2]++;
   for (size_t l = 2; l < n_locals + 2; l++)
      n->firsts[l] += n->firsts[l - 1];
   for (size_t r = 0; r < n->rows.n; r++)
      n->rows_of[n->firsts[local_at(n, n->rows.of[r].at.instr) + 1]++] = r;
}

/* Adds calls to the sum's arc. */
static void add_arc(cg2p_merge* m, uint32_t caller, const Line* calls)
{
   uint32_t arc =
      cg2p_part_intern_arc(m->part, &m->failure, caller, calls->function);
   cg2p_addend_add_number(m, &m->part->arcs[arc].count, calls->count);
   cg2p_addend_add_cost(m, cg2p_part_inclusive(m->part, arc), calls->cost);
}

/* Gives a row the sum's numbers. */
static Line translated(cg2p_inlining* n, uint32_t number, const Line* row)
{
   cg2p_merge* m = n->sum;
   Line line = *row;
   line.file = cg2p_merge_name(m, line.file);
   if (line.kind == CG2P_COST) return line;
   bool stays = line.kind == CG2P_JUMP && line.function == number;
   line.function = stays ? n->made[local_at(n, line.target.instr)]
                         : cg2p_merge_function(m, line.function);
   if (line.kind == CG2P_JUMP)
      line.target_file = cg2p_merge_name(m, line.target_file);
   return line;
}

/* Adds the rows of a local to what is added to its function, and their costs
 * to its inclusive one. */
static void add_rows(cg2p_inlining* n, uint32_t number, uint32_t local)
{
   cg2p_merge* m = n->sum;
   uint32_t width = m->part->n_events, own = n->made[local];
   for (uint32_t k = n->firsts[local]; k < n->firsts[local + 1]; k++) {
      const Line* row = &n->rows.of[n->rows_of[k]];
      Line line = translated(n, number, row);
      cg2p_rows_add(&m->more.rows, &m->failure, &line, width);
      if (line.kind == CG2P_JUMP) continue;
      cg2p_addend_add_cost(m, n->costs + (size_t)local * width, row->cost);
      if (line.kind == CG2P_COST) {
         cg2p_addend_add_cost(m, cg2p_part_self(m->part, own), row->cost);
         continue;
      }
      add_arc(m, own, &line);
      n->instances.locals[local].is_firm = true;
   }
}

/*--- Calls --------------------------------------------------------------*/

/* The call of a local by the one that it is in. */
static Line call_of(cg2p_inlining* n, InlinedObject* object, uint32_t local)
{
   const Local* at = &n->instances.locals[local];
   const cg2p_instance* instance = &object->inlines->instances[at->instance];
   uint64_t address = n->flow.steps[at->step].address;
   uint32_t line = object->inlines->functions[instance->function].line;
   return (Line){
      .kind = CG2P_CALL,
      .file = file_of_call(n, object, at->instance),
      .at = {.instr = address, .line = instance->call_line, .block = address},
      .target = {.instr = address, .line = line, .block = address},
      .function = n->made[local],
      .count = at->entries,
      .cost = n->costs + (size_t)local * n->sum->part->n_events,
   };
}

/* The name of the function of a local, without level. */
static uint32_t name_of_local(const cg2p_inlining* n,
                              const InlinedObject* object,
                              uint32_t local)
{
   uint32_t instance = n->instances.locals[local].instance;
   return object->functions[object->inlines->instances[instance].function].name;
}

/* Notes what a local says of how often its function was called. */
static void
note_counted(cg2p_inlining* n, const InlinedObject* object, uint32_t l)
{
   const Local* local = &n->instances.locals[l];
   uint32_t name = name_of_local(n, object, l);
   n->counted =
      cg2p_memory_grow_cleared(&n->sum->failure, n->counted, &n->counted_room,
                               name + 1, sizeof *n->counted);
   Counted* counted = &n->counted[name];
   counted->is_inlined = true;
   counted->is_firm |= local->is_firm;
   counted->is_estimated |= local->is_estimated;
   if (object->inlines->instances[local->instance].has_marks) return;
   if (counted->first_line && counted->first_line != local->first_line)
      counted->is_estimated = true;
   counted->first_line = local->first_line;
}

/* Adds calls of the locals in a local to what is added to its function. */
static void add_calls(cg2p_inlining* n, InlinedObject* object, uint32_t local)
{
   cg2p_merge* m = n->sum;
   const Local* locals = n->instances.locals;
   for (uint32_t l = locals[local].inner; l; l = locals[l].next) {
      Line call = call_of(n, object, l);
      cg2p_rows_add(&m->more.rows, &m->failure, &call, m->part->n_events);
      add_arc(m, n->made[local], &call);
      note_counted(n, object, l);
   }
}

/*--- Functions ----------------------------------------------------------*/

static int order_by_address(const Line* a, const Line* b, const void* context)
{
   (void)context;
   return cg2p_rows_compare_numbers(a->at.instr, b->at.instr);
}

static InlinedObject*
object_of(cg2p_inlining* n, const Part* part, uint32_t number)
{
   uint32_t object = n->object_of[part->functions[number].object];
   return object ? &n->objects[object - 1] : NULL;
}

/* Finds the instances of a function whose rows are at hand. */
static void find_instances(cg2p_inlining* n, const InlinedObject* object)
{
   Failure* failure = &n->sum->failure;
   cg2p_rows_sort(&n->rows, order_by_address, NULL);
   cg2p_flow_make(&n->flow, failure, &n->rows, n->ir);
   cg2p_instances_find(
      &n->instances, failure, &n->flow, object ? object->inlines : NULL,
      object ? object->addresses : NULL, object ? object->n : 0);
   cg2p_instances_count(&n->instances, failure, n->has_jumps);
}

static void make_functions(cg2p_inlining* n, const Part* part, uint32_t number)
{
   Failure* failure = &n->sum->failure;
   size_t n_locals = n->instances.n_locals;
   size_t width = n_locals * n->sum->part->n_events;
   n->made = cg2p_memory_grow(failure, n->made, &n->made_room, n_locals,
                              sizeof *n->made);
   n->costs = cg2p_memory_grow(failure, n->costs, &n->costs_room, width,
                               sizeof *n->costs);
   memset(n->costs, 0, width * sizeof *n->costs);
   for (uint32_t l = 0; l < n_locals; l++)
      n->made[l] = make_function(n, part, number, l);
}

void cg2p_split_function(cg2p_inlining* n, const Part* part, uint32_t number)
{
   cg2p_merge* m = n->sum;
   InlinedObject* object = object_of(n, part, number);
   cg2p_rows_read(&n->rows, &m->failure, part, number);
   find_instances(n, object);
   make_functions(n, part, number);
   sort_rows(n);
   uint32_t width = m->part->n_events;
   for (uint32_t l = n->instances.n_locals; l-- > 0;) {
      m->more.rows.n = 0;
      add_rows(n, number, l);
      if (object && object->inlines) add_calls(n, object, l);
      cg2p_merge_add_rows(m, n->made[l]);
      if (!l) break;
      uint32_t outer = n->instances.locals[l].outer;
      n->instances.locals[outer].is_firm |= n->instances.locals[l].is_firm;
      cg2p_addend_add_cost(m, n->costs + (size_t)outer * width,
                           n->costs + (size_t)l * width);
   }
}
