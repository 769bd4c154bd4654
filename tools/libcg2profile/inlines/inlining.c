#include "inlines/inlining.h"
#include "base/search.h"
#include "inlines/split.h"
#include "profile/level.h"
#include "sum/heading.h"
#include "sum/merge.h"

#include <stdlib.h>
#include <string.h>

/*--- Gathering ----------------------------------------------------------*/

static InlinedObject* object_named(cg2p_inlining* n, uint32_t name)
{
   if (!n->object_of[name]) {
      n->objects = cg2p_memory_grow(&n->failure, n->objects, &n->objects_room,
                                    n->n_objects + 1, sizeof *n->objects);
      n->objects[n->n_objects++] = (InlinedObject){.name = name};
      n->object_of[name] = n->n_objects;
   }
   return &n->objects[n->object_of[name] - 1];
}

static void
add_address(cg2p_inlining* n, InlinedObject* object, uint64_t address)
{
   if (object->n && object->addresses[object->n - 1] == address) return;
   object->addresses =
      cg2p_memory_grow(&n->failure, object->addresses, &object->room,
                       object->n + 1, sizeof *object->addresses);
   object->addresses[object->n++] = address;
}

static void note_beginning(cg2p_inlining* n,
                           InlinedObject* object,
                           uint64_t address,
                           cg2p_function function)
{
   object->beginnings = cg2p_memory_grow(
      &n->failure, object->beginnings, &object->beginnings_room,
      object->n_beginnings + 1, sizeof *object->beginnings);
   object->beginnings[object->n_beginnings++] = (Beginning){address, function};
}

static void gather_function(cg2p_inlining* n, const Part* part, uint32_t number)
{
   enum { APART = 16 }; /* more bytes than an instruction has */
   if (!cg2p_part_first_run(part, number)) return;
   InlinedObject* object = object_named(n, part->functions[number].object);
   LineCursor cursor = cg2p_part_lines(part, number);
   uint64_t cost[part->n_events], before = -(uint64_t)APART;
   Line line = {.cost = cost};
   while (cg2p_lines_next(&cursor, &line)) {
      uint64_t address = line.at.instr;
      if (line.kind != CG2P_COST) continue;
      add_address(n, object, address);
      if (address - before >= APART)
         note_beginning(n, object, address, part->functions[number]);
      before = address;
   }
}

static int compare_addresses(const void* a, const void* b)
{
   return cg2p_rows_compare_numbers(*(const uint64_t*)a, *(const uint64_t*)b);
}

static int compare_beginnings(const void* a, const void* b)
{
   const Beginning *x = a, *y = b;
   return cg2p_rows_compare_numbers(x->address, y->address);
}

/* Puts the addresses in order, each once. */
static void sort_addresses(InlinedObject* object)
{
   size_t n = 0;
   bool is_sorted = true;
   for (size_t i = 1; i < object->n; i++)
      is_sorted &= object->addresses[i - 1] < object->addresses[i];
   if (is_sorted) return;
   qsort(object->addresses, object->n, sizeof *object->addresses,
         compare_addresses);
   for (size_t i = 0; i < object->n; i++)
      if (!n || object->addresses[n - 1] != object->addresses[i])
         object->addresses[n++] = object->addresses[i];
   object->n = n;
}

static void check(cg2p_inlining* n)
{
   const cg2p_profile* profile = n->profile;
   if (profile->detail < CG2P_LINES)
      cg2p_failure_at(&n->failure, 0, "it was read without lines");
   for (size_t p = 0; p < profile->n_parts; p++) {
      const Part* part = profile->parts[p];
      bool has_addresses = false;
      if (part->has_paths)
         cg2p_failure_at(&n->failure, 1, "paths of calls; expected a profile");
      for (size_t d = 0; d < part->n_descriptions; d++)
         if (!strcmp(part->descriptions[d].kind, CG2P_INLINED_KIND))
            cg2p_failure_at(
               &n->failure, 1,
               "inlined functions are functions of their own already; "
               "expected a profile as it was recorded");
      for (uint32_t c = 0; c < part->n_columns; c++)
         has_addresses |= part->columns[c] == COLUMN_INSTR;
      if (!has_addresses)
         cg2p_failure_at(&n->failure,
                         part->positions_line ? part->positions_line : 1,
                         "the profile has no addresses, by which inlined "
                         "functions are known; expected one that was made with "
                         "--dump-instr=yes");
   }
}

static void gather(cg2p_inlining* n)
{
   const cg2p_profile* profile = n->profile;
   check(n);
   n->object_of = cg2p_memory_allocate(&n->failure, (profile->names.n + 1) *
                                                       sizeof *n->object_of);
   for (size_t p = 0; p < profile->n_parts; p++)
      for (uint32_t f = 0; f < profile->parts[p]->n_functions; f++)
         gather_function(n, profile->parts[p], f);
   for (size_t i = 0; i < n->n_objects; i++) {
      InlinedObject* object = &n->objects[i];
      sort_addresses(object);
      qsort(object->beginnings, object->n_beginnings,
            sizeof *object->beginnings, compare_beginnings);
   }
}

static bool begin(cg2p_inlining* n)
{
   if (setjmp(n->failure.caught)) return false;
   gather(n);
   return true;
}

cg2p_inlining* cg2p_inlining_new(const cg2p_profile* profile, cg2p_error* error)
{
   cg2p_inlining* n = calloc(1, sizeof *n);
   if (!n) {
      cg2p_failure_say_no_memory(error, profile->path);
      return NULL;
   }
   n->profile = profile;
   n->failure = (Failure){.path = profile->path, .error = error};
   if (begin(n)) return n;
   cg2p_inlining_free(n);
   return NULL;
}

/*--- Objects ------------------------------------------------------------*/

size_t cg2p_inlining_object_count(const cg2p_inlining* inlining)
{
   return inlining->n_objects;
}

uint32_t cg2p_inlining_object_name(const cg2p_inlining* inlining, size_t object)
{
   return inlining->objects[object].name;
}

const uint64_t*
cg2p_inlining_addresses(const cg2p_inlining* inlining, size_t object, size_t* n)
{
   *n = inlining->objects[object].n;
   return inlining->objects[object].addresses;
}

void cg2p_inlining_add(cg2p_inlining* inlining,
                       size_t object,
                       const cg2p_inlines* inlines)
{
   inlining->objects[object].inlines = inlines;
}

/*--- Functions ----------------------------------------------------------*/

static uint32_t intern(cg2p_merge* m, const char* text, size_t length)
{
   return cg2p_names_intern(&m->sum->names, &m->failure, text, length);
}

/* The function of the profile that begins at an address; NULL: none. */
static const cg2p_function* function_at(const InlinedObject* object,
                                        uint64_t address)
{
   size_t n = object->n_beginnings;
   const Beginning* all = object->beginnings;
   size_t at = cg2p_search_first(i, 0, n, all[i].address < address);
   return at < n && all[at].address == address ? &all[at].function : NULL;
}

/* What an inlined function is called in the sum: as its copy that is called,
 * without recursion level, if the profile has that. */
static cg2p_function key_of(cg2p_inlining* n,
                            const InlinedObject* object,
                            const cg2p_inlined* inlined)
{
   const StoredName *names = n->profile->names.of, *own = &names[object->name];
   cg2p_merge* m = n->sum;
   const cg2p_function* copy =
      inlined->address ? function_at(object, inlined->address) : NULL;
   if (copy && strstr(names[copy->name].text, ".part.")) copy = NULL;
   uint32_t object_name = intern(m, own->text, own->length);
   if (!copy) {
      uint32_t file = inlined->file[0]
                         ? intern(m, inlined->file, strlen(inlined->file))
                         : NAME_UNKNOWN;
      return (cg2p_function){object_name, file,
                             intern(m, inlined->name, strlen(inlined->name))};
   }
   const StoredName *name = &names[copy->name], *file = &names[copy->file];
   Level level = cg2p_level_of(name->text, name->length);
   return (cg2p_function){
      object_name, intern(m, file->text, file->length),
      intern(m, name->text, level.length ? level.start : name->length)};
}

static void name_functions(cg2p_inlining* n, InlinedObject* object)
{
   const cg2p_inlines* inlines = object->inlines;
   if (!inlines) return;
   Failure* failure = &n->sum->failure;
   object->functions = cg2p_memory_allocate(
      failure, (inlines->n_functions + 1) * sizeof *object->functions);
   object->files = cg2p_memory_allocate(failure, (inlines->n_instances + 1) *
                                                    sizeof *object->files);
   for (size_t i = 0; i < inlines->n_functions; i++)
      object->functions[i] = key_of(n, object, &inlines->functions[i]);
}

/*--- Parts --------------------------------------------------------------*/

static uint32_t event_ir(cg2p_inlining* n, const Part* part)
{
   for (uint32_t e = 0; e < part->n_events; e++)
      if (!strcmp(part->events[e], "Ir")) return e;
   cg2p_failure_at(&n->sum->failure, part->events_line,
                   "the profile has no event Ir, by which calls of inlined "
                   "functions are counted; expected it in events:");
}

/* The highest recursion level that names of the part have, at least 2. */
static uint32_t max_level(const cg2p_inlining* n, const Part* part)
{
   uint32_t most = 2;
   for (uint32_t f = 0; f < part->n_functions; f++) {
      const StoredName* name = &n->profile->names.of[part->functions[f].name];
      Level level = cg2p_level_of(name->text, name->length);
      if (level.number > most) most = level.number;
   }
   return most;
}

static bool has_jumps(const Part* part)
{
   uint64_t cost[part->n_events];
   Line line = {.cost = cost};
   for (uint32_t f = 0; f < part->n_functions; f++) {
      LineCursor cursor = cg2p_part_lines(part, f);
      while (cg2p_lines_next(&cursor, &line))
         if (line.kind == CG2P_JUMP) return true;
   }
   return false;
}

/* Whether calls of a function are estimated: where they cannot be told for
 * certain, or if its code does nothing but compute. Compilers put such code
 * together with what is around it, and leave no trace of the call. */
static bool is_estimated(const Counted* counted)
{
   return counted->is_estimated || (counted->is_inlined && !counted->is_firm);
}

/* Lists the functions whose calls are estimated, with tabs between them. */
static void describe_estimated(cg2p_inlining* n)
{
   cg2p_merge* m = n->sum;
   size_t length = 0;
   for (size_t i = 0; i < n->counted_room; i++) {
      bool is_listed = is_estimated(&n->counted[i]);
      n->counted[i] = (Counted){.first_line = 0};
      if (!is_listed) continue;
      const StoredName* name = &m->sum->names.of[i];
      n->text = cg2p_memory_grow(&m->failure, n->text, &n->text_room,
                                 length + name->length + 2, 1);
      if (length) n->text[length++] = '\t';
      memcpy(n->text + length, name->text, name->length + 1);
      length += name->length;
   }
   if (length) cg2p_heading_describe(m, CG2P_ESTIMATED_KIND, n->text);
}

static void take_part_apart(cg2p_inlining* n, size_t number)
{
   cg2p_merge* m = n->sum;
   const Part* part = n->profile->parts[number];
   n->ir = event_ir(n, part);
   n->max_level = max_level(n, part);
   n->has_jumps = has_jumps(part);
   cg2p_merge_open(m, n->profile, part, NULL);
   cg2p_heading_describe(m, CG2P_INLINED_KIND, "of their own");
   for (uint32_t f = 0; f < part->n_functions; f++)
      cg2p_split_function(n, part, f);
   describe_estimated(n);
}

static int begin_part(cg2p_inlining* n, size_t number)
{
   return cg2p_merge_begin_part(n->sum, n->profile, number, NULL,
                                n->failure.error);
}

/* Runs under the sum's failure, which cg2p_merge_begin_part sets anew. */
static int add_part(cg2p_inlining* n, size_t number)
{
   Failure* failure = &n->sum->failure;
   if (!begin_part(n, number)) return 0;
   if (setjmp(failure->caught)) return 0;
   for (size_t i = 0; number == 0 && i < n->n_objects; i++)
      name_functions(n, &n->objects[i]);
   take_part_apart(n, number);
   return 1;
}

cg2p_profile* cg2p_inlining_end(cg2p_inlining* n, cg2p_error* error)
{
   cg2p_profile* made = NULL;
   int fits = 1;
   n->failure.error = error;
   n->sum = cg2p_merge_new();
   if (!n->sum) cg2p_failure_say_no_memory(error, n->profile->path);
   for (size_t p = 0; n->sum && fits && p < n->profile->n_parts; p++)
      fits = add_part(n, p);
   if (n->sum && fits) {
      made = cg2p_merge_end(n->sum, error);
      n->sum = NULL;
   }
   cg2p_inlining_free(n);
   return made;
}

void cg2p_inlining_free(cg2p_inlining* n)
{
   if (!n) return;
   for (size_t i = 0; i < n->n_objects; i++) {
      free(n->objects[i].addresses);
      free(n->objects[i].beginnings);
      free(n->objects[i].functions);
      free(n->objects[i].files);
   }
   free(n->objects);
   free(n->object_of);
   cg2p_merge_free(n->sum);
   cg2p_rows_free(&n->rows);
   cg2p_flow_free(&n->flow);
   cg2p_instances_free(&n->instances);
   free(n->rows_of);
   free(n->firsts);
   free(n->made);
   free(n->costs);
   free(n->text);
   free(n->counted);
   free(n);
}
