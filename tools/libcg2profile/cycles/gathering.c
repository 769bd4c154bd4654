#include "cycles/gathering.h"
#include "base/search.h"
#include "profile/rows.h"

#include <stdlib.h>
#include <string.h>

static const char* const counter_names[COUNTERS] = {
   "Ir",   "Bc",   "Bcm",  "Bi",   "Bim",  "Brm",   "D1mr", "D2mr",
   "DLmr", "D1mw", "D2mw", "DLmw", "D1pr", "D2pr",  "DLpr", "D1pw",
   "D2pw", "DLpw", "I1mr", "I2mr", "ILmr", "DT1mr", "DT2mr"};

/*--- Objects ------------------------------------------------------------*/

static CycleObject*
object_named(CycleObjects* objects, Failure* failure, uint32_t name)
{
   if (!objects->by_name[name]) {
      objects->of = cg2p_memory_grow(failure, objects->of, &objects->room,
                                     objects->n + 1, sizeof *objects->of);
      objects->of[objects->n++] = (CycleObject){.name = name};
      objects->by_name[name] = objects->n;
   }
   return &objects->of[objects->by_name[name] - 1];
}

static void add_address(CycleObject* object, Failure* failure, uint64_t address)
{
   if (object->n && object->addresses[object->n - 1] == address) return;
   object->addresses =
      cg2p_memory_grow(failure, object->addresses, &object->room, object->n + 1,
                       sizeof *object->addresses);
   object->addresses[object->n++] = address;
}

static void find_in_function(CycleObjects* objects,
                             Failure* failure,
                             const Part* part,
                             uint32_t function)
{
   uint64_t cost[part->n_events];
   Line line = {.cost = cost};
   if (!cg2p_part_first_run(part, function)) return;
   CycleObject* object =
      object_named(objects, failure, part->functions[function].object);
   LineCursor cursor = cg2p_part_lines(part, function);
   while (cg2p_lines_next(&cursor, &line)) {
      if (line.kind == CG2P_COST) add_address(object, failure, line.at.instr);
      objects->has_jumps |= line.kind == CG2P_JUMP;
   }
}

static int compare_addresses(const void* a, const void* b)
{
   return cg2p_rows_compare_numbers(*(const uint64_t*)a, *(const uint64_t*)b);
}

/* Puts the addresses in order, each once. */
static void sort_addresses(CycleObject* object)
{
   size_t n = 0;
   if (!object->n) return;
   qsort(object->addresses, object->n, sizeof *object->addresses,
         compare_addresses);
   for (size_t i = 0; i < object->n; i++)
      if (!n || object->addresses[n - 1] != object->addresses[i])
         object->addresses[n++] = object->addresses[i];
   object->n = n;
}

/* Whether a path is that of a shared library: libc.so.6, Util.so. */
static bool is_library(const cg2p_profile* profile, uint32_t object)
{
   static const char suffix[] = ".so";
   size_t length, n = strlen(suffix);
   const char* path = cg2p_profile_name(profile, object, &length);
   for (size_t end = length; end >= n && path[end - 1] != '/'; end--) {
      bool is_end = end == length || path[end] == '.';
      if (is_end && !memcmp(path + end - n, suffix, n)) return true;
   }
   return false;
}

void cg2p_gathering_find(CycleObjects* objects,
                         Failure* failure,
                         const cg2p_profile* profile)
{
   objects->by_name = cg2p_memory_allocate(
      failure, (profile->names.n + 1) * sizeof *objects->by_name);
   for (size_t p = 0; p < profile->n_parts; p++)
      for (uint32_t f = 0; f < profile->parts[p]->n_functions; f++)
         find_in_function(objects, failure, profile->parts[p], f);
   for (size_t i = 0; i < objects->n; i++) {
      sort_addresses(&objects->of[i]);
      objects->of[i].is_library = is_library(profile, objects->of[i].name);
      objects->of[i].first = objects->n_spots;
      objects->n_spots += objects->of[i].n;
   }
}

uint32_t cg2p_gathering_spot(const CycleObjects* objects,
                             uint32_t object_name,
                             uint64_t address,
                             uint32_t near)
{
   uint32_t number = objects->by_name[object_name];
   if (!number) return CG2P_NONE;
   const CycleObject* object = &objects->of[number - 1];
   const uint64_t* all = object->addresses;
   size_t guess = (size_t)near + 1 - object->first;
   if (near != CG2P_NONE && guess < object->n && all[guess] == address)
      return object->first + guess;
   size_t at = cg2p_search_first(i, 0, object->n, all[i] < address);
   return at < object->n && all[at] == address ? object->first + at : CG2P_NONE;
}

/*--- Counting -----------------------------------------------------------*/

/* The part that is added. */
typedef struct CountedPart {
   Gathering* gathering;
   Failure* failure;
   const Part* part;
   uint32_t columns[COUNTERS]; /* CG2P_NONE: it has no such event */
} CountedPart;

static uint32_t event_number(const Part* part, const char* event)
{
   for (uint32_t e = 0; e < part->n_events; e++)
      if (!strcmp(part->events[e], event)) return e;
   return CG2P_NONE;
}

bool cg2p_gathering_has_event(const Part* part, const char* event)
{
   return event_number(part, event) != CG2P_NONE;
}

/* Where two levels were simulated, what misses the first one asks the last. */
static void find_columns(CountedPart* counted)
{
   uint32_t* columns = counted->columns;
   for (int i = 0; i < COUNTERS; i++)
      columns[i] = event_number(counted->part, counter_names[i]);
   for (int first = COUNT_READ; first <= COUNT_CODE; first += 3) {
      if (columns[first + 1] == CG2P_NONE) columns[first + 1] = columns[first];
   }
}

static void add_cost(CountedPart* counted, uint32_t spot, const Line* line)
{
   uint64_t* counters = counted->gathering->counters + (size_t)spot * COUNTERS;
   for (int i = 0; i < COUNTERS; i++)
      if (counted->columns[i] != CG2P_NONE &&
          __builtin_add_overflow(counters[i], line->cost[counted->columns[i]],
                                 &counters[i]))
         cg2p_failure_at(counted->failure, 0,
                         "a sum is too large; expected less than 2^64");
}

static void add_passage(CountedPart* counted, uint32_t from, const Line* line)
{
   const Gathering* g = counted->gathering;
   uint32_t object = counted->part->functions[line->function].object;
   uint32_t to =
      cg2p_gathering_spot(g->objects, object, line->target.instr, from);
   Sums* passages = &counted->gathering->passages;
   uint64_t* passage = cg2p_sums_reserve(passages, counted->failure);
   passage[PASSAGE_FROM] = from;
   passage[PASSAGE_TO] = to;
   passage[PASSAGE_IS_CALL] = line->kind == CG2P_CALL;
   passage[PASSAGE_COUNT] = line->count;
   if (!cg2p_sums_add(passages, counted->failure))
      cg2p_failure_at(counted->failure, 0,
                      "a sum is too large; expected less than 2^64");
}

static void own(Gathering* g, uint32_t spot, uint32_t* routine)
{
   if (g->routines[spot] == CG2P_NONE) {
      if (*routine == CG2P_NONE) *routine = g->n_routines++;
      g->routines[spot] = *routine;
   } else if (*routine == CG2P_NONE)
      *routine = g->routines[spot];
}

static void count_function(CountedPart* counted, uint32_t function)
{
   const Part* part = counted->part;
   Gathering* g = counted->gathering;
   uint64_t cost[part->n_events];
   Line line = {.cost = cost};
   uint32_t routine = CG2P_NONE, spot = CG2P_NONE;
   uint32_t object = part->functions[function].object;
   LineCursor cursor = cg2p_part_lines(part, function);
   while (cg2p_lines_next(&cursor, &line)) {
      uint32_t at =
         cg2p_gathering_spot(g->objects, object, line.at.instr, spot);
      if (at == CG2P_NONE) continue;
      spot = at;
      own(g, spot, &routine);
      if (line.kind == CG2P_COST)
         add_cost(counted, spot, &line);
      else if (line.count)
         add_passage(counted, spot, &line);
   }
}

void cg2p_gathering_count(Gathering* g,
                          Failure* failure,
                          const cg2p_profile* profile,
                          const CycleObjects* objects)
{
   size_t n = (size_t)objects->n_spots + 1;
   g->objects = objects;
   g->counters =
      cg2p_memory_allocate(failure, n * COUNTERS * sizeof *g->counters);
   g->routines = cg2p_memory_allocate(failure, n * sizeof *g->routines);
   memset(g->routines, 0xff, n * sizeof *g->routines);
   g->passages.n_keys = PASSAGE_COUNT;
   g->passages.width = PASSAGE_WIDTH;
   for (size_t p = 0; p < profile->n_parts; p++) {
      CountedPart counted = {g, failure, profile->parts[p], {0}};
      find_columns(&counted);
      for (uint32_t f = 0; f < counted.part->n_functions; f++)
         if (cg2p_part_first_run(counted.part, f)) count_function(&counted, f);
   }
   cg2p_sums_sort(&g->passages);
}

void cg2p_gathering_free(Gathering* g)
{
   free(g->counters);
   free(g->routines);
   cg2p_sums_free(&g->passages);
}

void cg2p_gathering_free_objects(CycleObjects* objects)
{
   for (size_t i = 0; i < objects->n; i++)
      free(objects->of[i].addresses);
   free(objects->of);
   free(objects->by_name);
}
