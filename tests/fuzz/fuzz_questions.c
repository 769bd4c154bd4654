/* What can be asked of a profile is answered for any: tables, the call graph,
 * what differs between two parts, stacks in each format. */
#include "memfile.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static uint64_t self_total(const cg2p_part* part)
{
   uint64_t sum = 0;
   size_t n = cg2p_part_function_count(part),
          width = cg2p_part_event_count(part);
   for (size_t i = 0; i < n; i++)
      sum += cg2p_part_self_costs(part)[i * width];
   return sum;
}

/* A table of costs; NULL: a sum is too large. */
static cg2p_table*
ask(const cg2p_profile* profile, const cg2p_part* part, cg2p_question question)
{
   cg2p_error error;
   cg2p_table* table = cg2p_table_new(profile, part, &question, &error);
   if (!table) check_error(&error);
   return table;
}

static uint64_t sum_of(const cg2p_table* table, const cg2p_part* part)
{
   uint64_t sum = 0;
   for (size_t row = 0; table && row < cg2p_table_row_count(table); row++)
      sum += cg2p_table_costs(table)[row * cg2p_part_event_count(part)];
   return sum;
}

/* What costs at least a tenth; the rest is added up by file. */
static void ask_for_largest(const cg2p_profile* profile, const cg2p_part* part)
{
   uint32_t n = cg2p_part_event_count(part);
   uint64_t* least = calloc(n, sizeof *least);
   memset(least, 0xff, n * sizeof *least);
   least[0] = self_total(part) / 10;
   cg2p_limit limit = {.least = least, .few = 2, .rest = CG2P_BY_FILE};
   cg2p_table* table =
      ask(profile, part,
          (cg2p_question){.kind = CG2P_COST,
                          .keys = CG2P_BY_FUNCTION | CG2P_BY_FILE,
                          .of_first = CG2P_BY_FILE | CG2P_BY_INSTR,
                          .limit = &limit});
   if (table && sum_of(table, part) + sum_of(cg2p_table_rest(table), part) !=
                   self_total(part))
      fail("a table and its rest have not the sum of the part");
   cg2p_table_free(table);
   free(least);
}

static void ask_for_tables(const cg2p_profile* profile, const cg2p_part* part)
{
   static const unsigned keys[] = {0,
                                   CG2P_BY_FUNCTION,
                                   CG2P_BY_FILE | CG2P_BY_LINE,
                                   CG2P_BY_INSTR,
                                   CG2P_BY_TARGET | CG2P_BY_FUNCTION,
                                   (1 << CG2P_KEYS) - 1};
   for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
      for (cg2p_line_kind kind = CG2P_COST; kind <= CG2P_JUMP; kind++) {
         cg2p_table* table =
            ask(profile, part, (cg2p_question){.kind = kind, .keys = keys[i]});
         if (table && kind == CG2P_COST &&
             sum_of(table, part) != self_total(part))
            fail("a table has not the sum of the part");
         cg2p_table_free(table);
      }
}

static void ask_for_graph(const cg2p_profile* profile, const cg2p_part* part)
{
   cg2p_error error;
   for (int keep_levels = 0; keep_levels < 2; keep_levels++) {
      cg2p_graph* graph = cg2p_graph_new(profile, part, keep_levels, &error);
      if (!graph) check_error(&error);
      for (uint32_t i = 0; graph && i < graph->n_nodes; i++)
         cg2p_graph_node_name(graph, i, NULL);
      cg2p_graph_free(graph);
   }
}

static cg2p_side side_of(const cg2p_table* table)
{
   return (cg2p_side){.n = cg2p_table_row_count(table),
                      .keys = {cg2p_table_keys(table, CG2P_BY_FILE),
                               cg2p_table_keys(table, CG2P_BY_LINE)},
                      .costs = cg2p_table_costs(table)};
}

/* The lines of two parts that have as many events. */
static void ask_for_difference(const cg2p_profile* profile,
                               const cg2p_part* before,
                               const cg2p_part* after)
{
   cg2p_error error;
   cg2p_question question = {.kind = CG2P_COST,
                             .keys = CG2P_BY_FILE | CG2P_BY_LINE};
   cg2p_table *one = ask(profile, before, question),
              *other = ask(profile, after, question);
   if (one && other &&
       cg2p_part_event_count(before) == cg2p_part_event_count(after)) {
      uint32_t n = cg2p_part_event_count(before);
      int64_t* factors = calloc(n, sizeof *factors);
      cg2p_side sides[] = {side_of(one), side_of(other)};
      factors[0] = 1;
      cg2p_difference* found = cg2p_difference_new(
         &sides[0], &sides[1], &(cg2p_comparison){n, factors, 1}, &error);
      if (!found) fail(error.text);
      if (before == after && cg2p_difference_change_count(found))
         fail("a part differs from itself");
      cg2p_difference_free(found);
      free(factors);
   }
   cg2p_table_free(one);
   cg2p_table_free(other);
}

static void ask_for_stacks(const cg2p_profile* profile, const cg2p_part* part)
{
   cg2p_error error;
   uint32_t event = 0;
   for (int by_line = 0; by_line < 2; by_line++) {
      cg2p_stacks* stacks =
         cg2p_stacks_new(profile, part, 0.01, by_line, &error);
      if (!stacks) check_error(&error);
      for (cg2p_stack_format format = CG2P_FOLDED;
           stacks && format <= CG2P_FIREFOX; format++) {
         memfile_clear_output();
         if (!cg2p_stacks_write(
                stacks, &(cg2p_export){format, 1, &event, "fuzz", event % 2},
                "-", &error))
            check_error(&error);
      }
      cg2p_stacks_free(stacks);
   }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
   cg2p_error error;
   const char* path = memfile_make(0, data, size);
   cg2p_profile* profile = cg2p_profile_read(path, CG2P_LINES, 0, NULL, &error);
   if (!profile) return 0;
   const cg2p_part* first = cg2p_profile_part(profile, 0);
   for (size_t i = 0; i < cg2p_profile_part_count(profile); i++) {
      const cg2p_part* part = cg2p_profile_part(profile, i);
      ask_for_tables(profile, part);
      ask_for_largest(profile, part);
      ask_for_graph(profile, part);
      ask_for_difference(profile, first, part);
      ask_for_stacks(profile, part);
   }
   cg2p_profile_free(profile);
   return 0;
}
