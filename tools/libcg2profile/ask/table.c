/* Lines added up by what the caller asks by: a table.
 *
 * The functions are taken in the order of what they count as. All that count as
 * one make a *bucket*, if the table is by function; else the whole part is one.
 * Each line of a bucket is added to the record that has its keys. Then the
 * bucket's records are put in order and go to the columns of the table; those
 * that are to be left out are added to the *rest*, a table of its own. */
#include "base/radix.h"
#include "base/sums.h"
#include "profile/part.h"

#include <stdlib.h>
#include <string.h>

enum { COUNTS = 2 }; /* count and executed */

struct cg2p_table {
   size_t n, rooms[CG2P_KEYS + COUNTS];
   uint64_t* columns[CG2P_KEYS + COUNTS]; /* NULL: not asked for */
   uint64_t* costs;
   size_t costs_room;
   cg2p_table* rest; /* NULL: nothing was left out */
};

/* A function, and what it counts as. */
typedef struct TabulatedMember {
   uint32_t group, function;
} TabulatedMember;

/* Records, and the columns that they go to. A record has a number for each
 * column; count, executed and the costs. */
typedef struct TabulatedBucket {
   Sums sums;
   unsigned keys[CG2P_KEYS]; /* of columns: numbers of bits */
   unsigned n_keys;
} TabulatedBucket;

typedef struct Tabulation {
   Failure failure;
   const cg2p_question* question;
   const Part* part;
   const cg2p_graph* graph; /* whose nodes call; NULL: functions do */
   const uint32_t *function_as, *target_as;
   cg2p_table* table;
   Arena scratch; /* members, and what sorts them */
   TabulatedMember* members;
   size_t n_members;
   TabulatedBucket bucket, rest;
   bool leaves_out; /* there are more rows than few */
   uint64_t* cost;  /* of the line that is read */
} Tabulation;

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

static uint64_t key_of(const Tabulation* a, const Line* line, int key)
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
static bool is_wanted(const Tabulation* a, const Line* line)
{
   return line->kind == a->question->kind &&
          counts_as(a->question->file_as, line->file) != CG2P_NONE &&
          (line->kind == CG2P_COST ||
           counts_as(a->target_as, line->function) != CG2P_NONE);
}

/*--- Buckets ------------------------------------------------------------*/

/* Begins records by keys, which also have numbers of their first lines. */
static void begin_keys(Tabulation* a,
                       TabulatedBucket* bucket,
                       unsigned keys,
                       unsigned of_first)
{
   unsigned columns[] = {keys, of_first & ~keys};
   for (int i = 0; i < 2; i++)
      for (unsigned key = 0; key < CG2P_KEYS; key++)
         if (columns[i] >> key & 1) bucket->keys[bucket->n_keys++] = key;
   bucket->sums.n_keys = __builtin_popcount(keys);
   bucket->sums.n_least = bucket->n_keys - bucket->sums.n_keys;
   bucket->sums.width = bucket->n_keys + COUNTS + a->part->n_events;
   cg2p_sums_clear(&bucket->sums);
}

/* Which number of a record is that of a key, which has to be a column. */
static unsigned place_of(const TabulatedBucket* bucket, unsigned key)
{
   unsigned place = 0;
   while (bucket->keys[place] != key)
      place++;
   return place;
}

static uint64_t* cost_in(const TabulatedBucket* bucket, uint64_t* record)
{
   return record + bucket->n_keys + COUNTS;
}

/* Adds the record that was put behind the last one. */
static void add_record(Tabulation* a, TabulatedBucket* bucket)
{
   if (!cg2p_sums_add(&bucket->sums, &a->failure))
      cg2p_failure_at(&a->failure, a->part->events_line,
                      "costs add up to more than 64 bits hold; expected sums "
                      "that fit");
}

/* Writes the costs of a line; none, if they are a part of other calls' costs.
 */
static void put_costs(const Tabulation* a,
                      uint64_t* costs,
                      uint32_t function,
                      const Line* line)
{
   size_t bytes = a->part->n_events * sizeof *costs;
   if (a->graph && !cg2p_graph_counts(a->graph, function, line->function))
      memset(costs, 0, bytes);
   else
      memcpy(costs, line->cost, bytes);
}

static void
add_line(Tabulation* a, const TabulatedMember* member, const Line* line)
{
   TabulatedBucket* bucket = &a->bucket;
   uint64_t* new = cg2p_sums_reserve(&bucket->sums, &a->failure);
   for (unsigned i = 0; i < bucket->n_keys; i++)
      new[i] =
         bucket->keys[i] ? key_of(a, line, bucket->keys[i]) : member->group;
   new[bucket->n_keys] = line->count;
   new[bucket->n_keys + 1] = line->executed;
   put_costs(a, cost_in(bucket, new), member->function, line);
   add_record(a, bucket);
}

static void add_function(Tabulation* a, const TabulatedMember* member)
{
   LineCursor cursor = cg2p_part_lines(a->part, member->function);
   Line line = {.cost = a->cost};
   while (cg2p_lines_next(&cursor, &line))
      if (is_wanted(a, &line)) add_line(a, member, &line);
}

/* No record of calls costs more than the node that is called. */
static void limit_costs(Tabulation* a)
{
   const Sums* sums = &a->bucket.sums;
   size_t n = a->part->n_events;
   unsigned target = place_of(&a->bucket, __builtin_ctz(CG2P_BY_TARGET));
   for (size_t i = 0; i < sums->n; i++) {
      uint64_t* record = cg2p_sums_at(sums, i);
      const uint64_t* most = a->graph->inclusive + record[target] * n;
      uint64_t* cost = cost_in(&a->bucket, record);
      for (size_t event = 0; event < n; event++)
         if (most[event] < cost[event]) cost[event] = most[event];
   }
}

/*--- Columns ------------------------------------------------------------*/

/* Puts number `from` of each record into a column. */
static void append_column(Tabulation* a,
                          cg2p_table* table,
                          const Sums* sums,
                          unsigned column,
                          size_t from)
{
   uint64_t* to = table->columns[column] =
      cg2p_memory_grow(&a->failure, table->columns[column],
                       &table->rooms[column], table->n + sums->n, sizeof *to);
   for (size_t i = 0; i < sums->n; i++)
      to[table->n + i] = cg2p_sums_at(sums, i)[from];
}

static void
append_costs(Tabulation* a, cg2p_table* table, const TabulatedBucket* bucket)
{
   const Sums* sums = &bucket->sums;
   size_t n = a->part->n_events;
   table->costs =
      cg2p_memory_grow(&a->failure, table->costs, &table->costs_room,
                       (table->n + sums->n) * n, sizeof *table->costs);
   for (size_t i = 0; i < sums->n; i++)
      memcpy(table->costs + (table->n + i) * n,
             cost_in(bucket, cg2p_sums_at(sums, i)), n * sizeof *table->costs);
}

/* Puts records in order, and then behind the rows of a table, with the first
 * `n_counts` counts. */
static void append(Tabulation* a,
                   cg2p_table* table,
                   TabulatedBucket* bucket,
                   unsigned n_counts)
{
   cg2p_sums_sort(&bucket->sums);
   for (unsigned i = 0; i < bucket->n_keys; i++)
      append_column(a, table, &bucket->sums, bucket->keys[i], i);
   for (unsigned i = 0; i < n_counts; i++)
      append_column(a, table, &bucket->sums, CG2P_KEYS + i, bucket->n_keys + i);
   append_costs(a, table, bucket);
   table->n += bucket->sums.n;
}

/*--- What is left out ---------------------------------------------------*/

static bool is_large(const Tabulation* a, const uint64_t* cost)
{
   const uint64_t* least = a->question->limit->least;
   for (size_t i = 0; i < a->part->n_events; i++)
      if (cost[i] >= least[i]) return true;
   return false;
}

/* Adds a row to the rest, whose keys are set. What calls cost is a part of what
 * other calls cost, and not added up. */
static void add_to_rest(Tabulation* a, uint64_t* new, const uint64_t* cost)
{
   TabulatedBucket* rest = &a->rest;
   size_t bytes = a->part->n_events * sizeof *cost;
   new[rest->n_keys] = 1;
   new[rest->n_keys + 1] = 0;
   if (a->question->kind == CG2P_COST)
      memcpy(cost_in(rest, new), cost, bytes);
   else
      memset(cost_in(rest, new), 0, bytes);
   add_record(a, rest);
}

/* Moves the records of the bucket that are not large to the rest. */
static void leave_out_records(Tabulation* a)
{
   TabulatedBucket *bucket = &a->bucket, *rest = &a->rest;
   Sums* sums = &bucket->sums;
   size_t kept = 0;
   for (size_t i = 0; i < sums->n; i++) {
      uint64_t* record = cg2p_sums_at(sums, i);
      if (is_large(a, cost_in(bucket, record))) {
         memmove(cg2p_sums_at(sums, kept++), record,
                 sums->width * sizeof *record);
         continue;
      }
      uint64_t* new = cg2p_sums_reserve(&rest->sums, &a->failure);
      for (unsigned key = 0; key < rest->n_keys; key++)
         new[key] = record[place_of(bucket, rest->keys[key])];
      add_to_rest(a, new, cost_in(bucket, record));
   }
   sums->n = kept;
}

static void move_row(Tabulation* a, size_t from, size_t to)
{
   cg2p_table* table = a->table;
   size_t n = a->part->n_events;
   for (unsigned i = 0; i < CG2P_KEYS + COUNTS; i++)
      if (table->columns[i]) table->columns[i][to] = table->columns[i][from];
   memmove(table->costs + to * n, table->costs + from * n,
           n * sizeof *table->costs);
}

/* Moves the rows of the table that are not large to the rest. */
static void leave_out_rows(Tabulation* a)
{
   cg2p_table* table = a->table;
   TabulatedBucket* rest = &a->rest;
   size_t kept = 0;
   for (size_t row = 0; row < table->n; row++) {
      const uint64_t* cost = table->costs + row * a->part->n_events;
      if (is_large(a, cost)) {
         move_row(a, row, kept++);
         continue;
      }
      uint64_t* new = cg2p_sums_reserve(&rest->sums, &a->failure);
      for (unsigned key = 0; key < rest->n_keys; key++)
         new[key] = table->columns[rest->keys[key]][row];
      add_to_rest(a, new, cost);
   }
   table->n = kept;
}

/* Leaves out what is not large, if there are more rows than few. */
static void leave_out(Tabulation* a)
{
   const cg2p_limit* limit = a->question->limit;
   if (!limit) return;
   if (!a->leaves_out && a->table->n + a->bucket.sums.n > limit->few) {
      a->leaves_out = true;
      leave_out_rows(a);
   }
   if (a->leaves_out) leave_out_records(a);
}

/*--- Functions ----------------------------------------------------------*/

static void end_bucket(Tabulation* a)
{
   static const unsigned counts[] = {
      [CG2P_COST] = 0, [CG2P_CALL] = 1, [CG2P_JUMP] = COUNTS};
   if (a->graph && a->target_as == a->graph->node_of &&
       a->question->keys & CG2P_BY_TARGET)
      limit_costs(a);
   leave_out(a);
   append(a, a->table, &a->bucket, counts[a->question->kind]);
   cg2p_sums_clear(&a->bucket.sums);
}

static void end_rest(Tabulation* a)
{
   if (!a->rest.sums.n) return;
   a->table->rest = cg2p_memory_allocate(&a->failure, sizeof *a->table->rest);
   append(a, a->table->rest, &a->rest, 1);
}

/* Has the lines of the functions behind number `i` fetched. Those that are side
 * by side here lie anywhere in memory. */
static void fetch_lines(const Tabulation* a, size_t i)
{
   enum { DISTANCE = 4 }; /* functions, from step to step */
   for (unsigned step = 0; step < LINE_FETCHES; step++) {
      size_t next = i + (LINE_FETCHES - step) * DISTANCE;
      if (next < a->n_members)
         cg2p_part_fetch_lines(a->part, a->members[next].function, step);
   }
}

static void add_functions(Tabulation* a)
{
   bool is_by_function = a->question->keys & CG2P_BY_FUNCTION;
   for (size_t i = 0; i < a->n_members; i++) {
      const TabulatedMember* member = &a->members[i];
      fetch_lines(a, i);
      if (i && is_by_function && member->group != member[-1].group)
         end_bucket(a);
      add_function(a, member);
   }
   end_bucket(a);
   end_rest(a);
}

static size_t* room_for_members(Tabulation* a)
{
   return cg2p_arena_add(&a->scratch, &a->failure,
                         a->part->n_functions * sizeof(size_t));
}

/* Puts the functions in the order of what they count as; those that count as
 * one stay in theirs. */
static void sort_members(Tabulation* a)
{
   uint32_t n = a->part->n_functions;
   size_t *order = room_for_members(a), *spare = room_for_members(a);
   uint64_t* groups =
      cg2p_arena_add(&a->scratch, &a->failure, n * sizeof *groups);
   for (uint32_t i = 0; i < n; i++) {
      groups[i] = counts_as(a->function_as, i);
      if (groups[i] != CG2P_NONE) order[a->n_members++] = i;
   }
   if (a->function_as) cg2p_radix_sort(order, spare, a->n_members, groups);
   a->members = cg2p_arena_add(&a->scratch, &a->failure,
                               a->n_members * sizeof *a->members);
   for (size_t i = 0; i < a->n_members; i++)
      a->members[i] = (TabulatedMember){groups[order[i]], order[i]};
}

/*--- The operation ------------------------------------------------------*/

static void begin(Tabulation* a)
{
   const cg2p_question* question = a->question;
   a->bucket.sums.keeps_all = question->each;
   begin_keys(a, &a->bucket, question->keys, question->of_first);
   if (question->limit)
      begin_keys(a, &a->rest, question->limit->rest & question->keys, 0);
   a->cost =
      cg2p_memory_allocate(&a->failure, a->part->n_events * sizeof *a->cost);
   a->table = cg2p_memory_allocate(&a->failure, sizeof *a->table);
}

static void end(Tabulation* a)
{
   cg2p_arena_free(&a->scratch);
   cg2p_sums_free(&a->bucket.sums);
   cg2p_sums_free(&a->rest.sums);
   free(a->cost);
}

/* Whether the table is made; if not, the error says why. */
static bool try_to_add_up(Tabulation* a)
{
   if (setjmp(a->failure.caught)) return false;
   begin(a);
   sort_members(a);
   add_functions(a);
   return true;
}

static cg2p_table* add_up(const cg2p_profile* profile,
                          const cg2p_part* part,
                          const cg2p_graph* graph,
                          const cg2p_question* question,
                          cg2p_error* error)
{
   const uint32_t* nodes = graph ? graph->node_of : NULL;
   Tabulation a = {
      .failure = {.path = profile->path, .error = error},
      .question = question,
      .part = part,
      .graph = graph,
      .function_as = question->function_as ? question->function_as : nodes,
      .target_as = question->target_as ? question->target_as : nodes,
   };
   bool is_made = try_to_add_up(&a);
   end(&a);
   if (is_made) return a.table;
   cg2p_table_free(a.table);
   return NULL;
}

cg2p_table* cg2p_table_new(const cg2p_profile* profile,
                           const cg2p_part* part,
                           const cg2p_question* question,
                           cg2p_error* error)
{
   return add_up(profile, part, NULL, question, error);
}

cg2p_table* cg2p_table_new_of_calls(const cg2p_profile* profile,
                                    const cg2p_part* part,
                                    const cg2p_graph* graph,
                                    const cg2p_question* question,
                                    cg2p_error* error)
{
   return add_up(profile, part, graph, question, error);
}

size_t cg2p_table_row_count(const cg2p_table* table)
{
   return table->n;
}

const uint64_t* cg2p_table_keys(const cg2p_table* table, unsigned key)
{
   return key && key < 1u << CG2P_KEYS ? table->columns[__builtin_ctz(key)]
                                       : NULL;
}

const uint64_t* cg2p_table_counts(const cg2p_table* table)
{
   return table->columns[CG2P_KEYS];
}

const uint64_t* cg2p_table_executed(const cg2p_table* table)
{
   return table->columns[CG2P_KEYS + 1];
}

const uint64_t* cg2p_table_costs(const cg2p_table* table)
{
   return table->costs;
}

const cg2p_table* cg2p_table_rest(const cg2p_table* table)
{
   return table->rest;
}

void cg2p_table_free(cg2p_table* table)
{
   if (!table) return;
   cg2p_table_free(table->rest);
   for (unsigned i = 0; i < CG2P_KEYS + COUNTS; i++)
      free(table->columns[i]);
   free(table->costs);
   free(table);
}
