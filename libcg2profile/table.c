/* Lines added up by what the caller asks by: a table.
 *
 * The functions are taken in the order of what they count as. All that count as
 * one make a *bucket*, if the table is by function; else the whole part is one.
 * Each line of a bucket is added to the record that has its keys, which a hash
 * table finds. Then the bucket's records are put in order and go to the columns
 * of the table. A record is a row of numbers: keys, count, executed, costs. */
#include "profile.h"

#include <stdlib.h>
#include <string.h>

enum { COUNTS = 2 }; /* count and executed */

struct cg2p_table {
   size_t n, rooms[CG2P_KEYS + COUNTS];
   uint64_t* columns[CG2P_KEYS + COUNTS]; /* NULL: not asked for */
   uint64_t* costs;
   size_t costs_room;
};

/* A function, and what it counts as. */
typedef struct Member {
   uint32_t group, function;
} Member;

typedef struct Adding {
   Failure failure;
   const cg2p_question* question;
   const Part* part;
   const cg2p_graph* graph; /* whose nodes call; NULL: functions do */
   const uint32_t *function_as, *target_as;
   cg2p_table* table;
   Member* members;
   size_t n_members;
   unsigned keys[CG2P_KEYS]; /* numbers of bits, lowest first */
   unsigned n_keys;
   size_t width;      /* numbers of a record */
   uint64_t* records; /* of the bucket; behind them room for one more */
   size_t n, room;    /* records; numbers */
   uint32_t* slots;   /* record + 1; 0: free */
   size_t n_slots;    /* that are in use, a power of two */
   size_t slots_room;
   uint64_t* cost; /* of the line that is read */
} Adding;

/*--- Keys ---------------------------------------------------------------*/

static uint32_t counts_as(const uint32_t* map, uint32_t number)
{
   return map ? map[number] : number;
}

/* The keys that lines of a kind have; others are 0. */
static const unsigned keys_of[] = {
   [CG2P_COST] = CG2P_BY_TARGET - 1,
   [CG2P_CALL] = (CG2P_BY_CONDITION - 1) & ~(unsigned)CG2P_BY_TARGET_FILE,
   [CG2P_JUMP] = 2 * CG2P_BY_CONDITION - 1,
};

static uint64_t key_of(const Adding* a, const Line* line, int key)
{
   const cg2p_question* question = a->question;
   switch (keys_of[line->kind] & 1u << key) {
   case CG2P_BY_FILE:
      return counts_as(question->file_as, line->file);
   case CG2P_BY_LINE:
      return line->at.line;
   case CG2P_BY_INSTR:
      return line->at.instr;
   case CG2P_BY_BLOCK:
      return line->at.block;
   case CG2P_BY_TARGET:
      return counts_as(a->target_as, line->function);
   case CG2P_BY_TARGET_FILE:
      return counts_as(question->file_as, line->target_file);
   case CG2P_BY_TARGET_LINE:
      return line->target.line;
   case CG2P_BY_TARGET_INSTR:
      return line->target.instr;
   case CG2P_BY_TARGET_BLOCK:
      return line->target.block;
   case CG2P_BY_CONDITION:
      return line->is_conditional;
   default:
      return 0;
   }
}

/* Whether the line is asked for. */
static bool is_wanted(const Adding* a, const Line* line)
{
   return line->kind == a->question->kind &&
          counts_as(a->question->file_as, line->file) != CG2P_NONE &&
          (line->kind == CG2P_COST ||
           counts_as(a->target_as, line->function) != CG2P_NONE);
}

static bool is_by_function(const Adding* a)
{
   return a->n_keys && a->keys[0] == 0;
}

/*--- Records ------------------------------------------------------------*/

static uint64_t* record_at(const Adding* a, size_t i)
{
   return a->records + i * a->width;
}

static size_t hash(const Adding* a, const uint64_t* record)
{
   uint64_t mixed = 0;
   for (unsigned i = 0; i < a->n_keys; i++)
      mixed = (mixed ^ record[i] ^ mixed >> 29) * 0x9e3779b97f4a7c15u;
   return mixed >> 32;
}

static bool
have_same_keys(const Adding* a, const uint64_t* b, const uint64_t* c)
{
   return !memcmp(b, c, a->n_keys * sizeof *b);
}

/* Makes `n_slots` slots that are free; a power of two. */
static void clear_slots(Adding* a, size_t n_slots)
{
   a->slots = cg2p_grow(&a->failure, a->slots, &a->slots_room, n_slots,
                        sizeof *a->slots);
   a->n_slots = n_slots;
   memset(a->slots, 0, n_slots * sizeof *a->slots);
}

/* The slot of the record with such keys, or a free one. */
static uint32_t* find_slot(const Adding* a, const uint64_t* record)
{
   size_t i = hash(a, record);
   for (;; i++) {
      uint32_t* slot = &a->slots[i & (a->n_slots - 1)];
      if (!*slot || have_same_keys(a, record_at(a, *slot - 1), record))
         return slot;
   }
}

static void double_slots(Adding* a)
{
   clear_slots(a, 2 * a->n_slots);
   for (size_t i = 0; i < a->n; i++)
      *find_slot(a, record_at(a, i)) = i + 1;
}

/* The record that the new one, which is behind the last, is to be added to;
 * NULL: its keys are new. */
static uint64_t* find_record(Adding* a, const uint64_t* new)
{
   if (a->question->each) return NULL;
   if (a->n && have_same_keys(a, record_at(a, a->n - 1), new))
      return record_at(a, a->n - 1);
   uint32_t* slot = find_slot(a, new);
   if (*slot) return record_at(a, *slot - 1);
   *slot = a->n + 1;
   return NULL;
}

static void add_numbers(Adding* a, uint64_t* sum, const uint64_t* new)
{
   for (size_t i = a->n_keys; i < a->width; i++)
      if (__builtin_add_overflow(sum[i], new[i], &sum[i]))
         cg2p_fail_at(&a->failure, a->part->events_line,
                      "costs add up to more than 64 bits hold; expected sums "
                      "that fit");
}

/* Writes the costs of a line; none, if they are a part of other calls' costs.
 */
static void
put_costs(const Adding* a, uint64_t* costs, uint32_t function, const Line* line)
{
   size_t bytes = a->part->n_events * sizeof *costs;
   if (a->graph && !cg2p_counts(a->graph, function, line->function))
      memset(costs, 0, bytes);
   else
      memcpy(costs, line->cost, bytes);
}

static void add_line(Adding* a, const Member* member, const Line* line)
{
   a->records = cg2p_grow(&a->failure, a->records, &a->room,
                          (a->n + 1) * a->width, sizeof *a->records);
   uint64_t* new = record_at(a, a->n);
   for (unsigned i = 0; i < a->n_keys; i++)
      new[i] = a->keys[i] ? key_of(a, line, a->keys[i]) : member->group;
   new[a->n_keys] = line->count;
   new[a->n_keys + 1] = line->executed;
   put_costs(a, new + a->n_keys + COUNTS, member->function, line);
   uint64_t* sum = find_record(a, new);
   if (sum) {
      add_numbers(a, sum, new);
      return;
   }
   a->n++;
   if (!a->question->each && a->n > a->n_slots / 2) double_slots(a);
}

static int compare_records(const void* b, const void* c, void* adding)
{
   const Adding* a = adding;
   const uint64_t *one = b, *other = c;
   for (unsigned i = 0; i < a->n_keys; i++)
      if (one[i] != other[i]) return one[i] < other[i] ? -1 : 1;
   return 0;
}

/*--- Columns ------------------------------------------------------------*/

/* Puts number `from` of each record of the bucket into a column. */
static void append(Adding* a, unsigned column, size_t from)
{
   cg2p_table* table = a->table;
   uint64_t* to = table->columns[column] =
      cg2p_grow(&a->failure, table->columns[column], &table->rooms[column],
                table->n + a->n, sizeof *to);
   for (size_t i = 0; i < a->n; i++)
      to[table->n + i] = record_at(a, i)[from];
}

static void append_costs(Adding* a)
{
   cg2p_table* table = a->table;
   size_t n = a->part->n_events;
   table->costs = cg2p_grow(&a->failure, table->costs, &table->costs_room,
                            (table->n + a->n) * n, sizeof *table->costs);
   for (size_t i = 0; i < a->n; i++)
      memcpy(table->costs + (table->n + i) * n,
             record_at(a, i) + a->n_keys + COUNTS, n * sizeof *table->costs);
}

/*--- Buckets ------------------------------------------------------------*/

static void begin_bucket(Adding* a)
{
   enum { SLOTS_LEAST = 64 };
   a->n = 0;
   if (!a->question->each) clear_slots(a, SLOTS_LEAST);
}

/* No record of calls costs more than the node that is called. */
static void limit_costs(Adding* a)
{
   size_t n = a->part->n_events;
   unsigned target = 0;
   while (a->keys[target] != __builtin_ctz(CG2P_BY_TARGET))
      target++;
   for (size_t i = 0; i < a->n; i++) {
      uint64_t* record = record_at(a, i);
      const uint64_t* most = a->graph->inclusive + record[target] * n;
      uint64_t* cost = record + a->n_keys + COUNTS;
      for (size_t event = 0; event < n; event++)
         if (most[event] < cost[event]) cost[event] = most[event];
   }
}

static void end_bucket(Adding* a)
{
   if (a->graph && a->target_as == a->graph->node_of &&
       a->question->keys & CG2P_BY_TARGET)
      limit_costs(a);
   if (!a->question->each && a->n)
      qsort_r(a->records, a->n, a->width * sizeof *a->records, compare_records,
              a);
   for (unsigned i = 0; i < a->n_keys; i++)
      append(a, a->keys[i], i);
   if (a->question->kind != CG2P_COST) append(a, CG2P_KEYS, a->n_keys);
   if (a->question->kind == CG2P_JUMP) append(a, CG2P_KEYS + 1, a->n_keys + 1);
   append_costs(a);
   a->table->n += a->n;
}

static void add_function(Adding* a, const Member* member)
{
   LineCursor cursor =
      cg2p_lines_from(&a->part->lines, a->part->runs[member->function].first);
   Line line = {.cost = a->cost};
   while (cg2p_lines_next(&cursor, &line))
      if (is_wanted(a, &line)) add_line(a, member, &line);
}

static void add_functions(Adding* a)
{
   begin_bucket(a);
   for (size_t i = 0; i < a->n_members; i++) {
      const Member* member = &a->members[i];
      if (i && is_by_function(a) && member->group != member[-1].group) {
         end_bucket(a);
         begin_bucket(a);
      }
      add_function(a, member);
   }
   end_bucket(a);
}

static int compare_members(const void* b, const void* c)
{
   const Member *one = b, *other = c;
   if (one->group != other->group) return one->group < other->group ? -1 : 1;
   return one->function < other->function ? -1 : 1;
}

/* Puts the functions in the order of what they count as. */
static void sort_members(Adding* a)
{
   size_t n = a->part->n_functions;
   a->members = cg2p_allocate(&a->failure, n * sizeof *a->members);
   for (uint32_t i = 0; i < n; i++) {
      uint32_t group = counts_as(a->function_as, i);
      if (group != CG2P_NONE) a->members[a->n_members++] = (Member){group, i};
   }
   if (a->function_as)
      qsort(a->members, a->n_members, sizeof *a->members, compare_members);
}

/*--- The operation ------------------------------------------------------*/

static void begin(Adding* a)
{
   for (unsigned i = 0; i < CG2P_KEYS; i++)
      if (a->question->keys >> i & 1) a->keys[a->n_keys++] = i;
   a->width = a->n_keys + COUNTS + a->part->n_events;
   a->cost = cg2p_allocate(&a->failure, a->part->n_events * sizeof *a->cost);
   a->table = cg2p_allocate(&a->failure, sizeof *a->table);
}

static void end(Adding* a)
{
   free(a->members);
   free(a->records);
   free(a->slots);
   free(a->cost);
}

static cg2p_table* add_up(const cg2p_profile* profile,
                          const cg2p_part* part,
                          const cg2p_graph* graph,
                          const cg2p_question* question,
                          cg2p_error* error)
{
   const uint32_t* nodes = graph ? graph->node_of : NULL;
   Adding a = {
      .failure = {.path = profile->path, .error = error},
      .question = question,
      .part = part,
      .graph = graph,
      .function_as = question->function_as ? question->function_as : nodes,
      .target_as = question->target_as ? question->target_as : nodes,
   };
   if (setjmp(a.failure.caught)) {
      end(&a);
      cg2p_table_free(a.table);
      return NULL;
   }
   begin(&a);
   sort_members(&a);
   add_functions(&a);
   end(&a);
   return a.table;
}

cg2p_table* cg2p_add_up(const cg2p_profile* profile,
                        const cg2p_part* part,
                        const cg2p_question* question,
                        cg2p_error* error)
{
   return add_up(profile, part, NULL, question, error);
}

cg2p_table* cg2p_add_up_calls(const cg2p_profile* profile,
                              const cg2p_part* part,
                              const cg2p_graph* graph,
                              const cg2p_question* question,
                              cg2p_error* error)
{
   return add_up(profile, part, graph, question, error);
}

size_t cg2p_row_count(const cg2p_table* table)
{
   return table->n;
}

const uint64_t* cg2p_key_column(const cg2p_table* table, unsigned key)
{
   return key && key < 1u << CG2P_KEYS ? table->columns[__builtin_ctz(key)]
                                       : NULL;
}

const uint64_t* cg2p_count_column(const cg2p_table* table)
{
   return table->columns[CG2P_KEYS];
}

const uint64_t* cg2p_executed_column(const cg2p_table* table)
{
   return table->columns[CG2P_KEYS + 1];
}

const uint64_t* cg2p_row_costs(const cg2p_table* table)
{
   return table->costs;
}

void cg2p_table_free(cg2p_table* table)
{
   if (!table) return;
   for (unsigned i = 0; i < CG2P_KEYS + COUNTS; i++)
      free(table->columns[i]);
   free(table->costs);
   free(table);
}
