/* A tracefile of lcov: how often lines, functions and branches ran.
 *
 * block    instructions that run one behind the other; it belongs to the line
 *          of its last instruction
 * circuit  blocks of one line that control went round in
 *
 * A line ran as often as control came to its blocks from elsewhere, and as it
 * went round in circuits of them. A line that no block belongs to ran as often
 * as the blocks that have code of it. That is what gcov counts.
 *
 * Without jumps nobody knows where control came from: a line ran at least as
 * often as the instruction of it that ran most often, and branches are left
 * out. */
#include "feedback/lcov.h"

#include "base/radix.h"
#include "feedback/circuits.h"

#include <stdlib.h>
#include <string.h>

/* A line of the source that has code. */
typedef struct CoveredLine {
   uint32_t file, line;
   bool has_block;
   uint64_t own;    /* how often its blocks ran, less ways between them */
   uint64_t inside; /* how often blocks ran that have code of it */
   uint32_t last;   /* the last of these: the number of its last spot, + 1 */
   uint64_t rounds;
   uint64_t most; /* how often an instruction of it ran */
} CoveredLine;

/* Numbers of things, file by file: those of file f are from number first[f] to
 * in front of first[f + 1], and rise. */
typedef struct ByFile {
   size_t *first, *numbers;
} ByFile;

typedef struct Coverage {
   FeedbackWriter* writer;
   const cg2p_sources* sources;
   const Control* control;
   CoveredLine* lines; /* by file and line */
   size_t n_lines;
   uint32_t* line_of_row;
   uint32_t* line_of;  /* of each spot; CG2P_NONE: none */
   uint32_t* block_of; /* of each spot: its last spot */
   ByFile routines, branches;
} Coverage;

/*--- Lines --------------------------------------------------------------*/

/* How many keys a file has: one for each line that may be in it. */
static uint64_t keys_of_file(const cg2p_sources* sources)
{
   uint32_t most = 0;
   for (size_t i = 0; i < sources->n_rows; i++)
      if (sources->rows[i].line > most) most = sources->rows[i].line;
   return (uint64_t)most + 1;
}

/* Adds the lines of rows, whose numbers are in the order of their keys. */
static void add_lines(Coverage* c, const size_t* order, const uint64_t* keys)
{
   for (size_t i = 0; i < c->sources->n_rows; i++) {
      const cg2p_row* row = &c->sources->rows[order[i]];
      if (!i || keys[order[i - 1]] != keys[order[i]])
         c->lines[c->n_lines++] =
            (CoveredLine){.file = row->file, .line = row->line};
      c->line_of_row[order[i]] = c->n_lines - 1;
   }
}

/* Finds the lines that rows are of. */
static void find_lines(Coverage* c)
{
   Arena* arena = &c->writer->arena;
   Failure* failure = &c->writer->failure;
   const cg2p_row* rows = c->sources->rows;
   size_t n = c->sources->n_rows;
   uint64_t* keys = cg2p_arena_add(arena, failure, (n + 1) * sizeof *keys);
   size_t* order = cg2p_arena_add(arena, failure, (2 * n + 1) * sizeof *order);
   c->lines = cg2p_arena_add(arena, failure, (n + 1) * sizeof *c->lines);
   c->line_of_row =
      cg2p_arena_add(arena, failure, (n + 1) * sizeof *c->line_of_row);
   uint64_t in_file = keys_of_file(c->sources);
   for (size_t i = 0; i < n; i++) {
      order[i] = i;
      keys[i] = rows[i].file * in_file + rows[i].line;
   }
   cg2p_radix_sort(order, order + n, n, keys);
   add_lines(c, order, keys);
}

/* Finds the line of each spot: both are in the order of addresses. */
static void find_lines_of_spots(Coverage* c)
{
   const cg2p_sources* sources = c->sources;
   const uint64_t* addresses = c->control->counts->addresses;
   size_t row = 0;
   for (size_t i = 0; i < c->control->n; i++) {
      while (row < sources->n_rows && sources->rows[row].end <= addresses[i])
         row++;
      bool is_inside =
         row < sources->n_rows && sources->rows[row].address <= addresses[i];
      c->line_of[i] = is_inside ? c->line_of_row[row] : CG2P_NONE;
   }
}

/*--- Blocks -------------------------------------------------------------*/

/* Whether a block ends with spot `i`. */
static bool ends_block(const Control* control, size_t i)
{
   if (!cg2p_control_has_next(control, i)) return true;
   const StepCounts *own = &control->passages[i], *next = own + 1;
   return control->steps[i].kind >= CG2P_BRANCHES || next->entered ||
          next->outside || own->passed != next->count;
}

/* Lets the lines that have code in the block from spot `first` to `last` know
 * how often it ran, each once. */
static void add_block(Coverage* c, size_t first, size_t last)
{
   uint64_t count = c->control->passages[first].count;
   for (size_t i = first; i <= last; i++) {
      uint32_t line = c->line_of[i];
      c->block_of[i] = last;
      if (line == CG2P_NONE) continue;
      CoveredLine* own = &c->lines[line];
      if (own->last != last + 1) own->inside += count;
      own->last = last + 1;
   }
   if (c->line_of[last] == CG2P_NONE) return;
   c->lines[c->line_of[last]].has_block = true;
   c->lines[c->line_of[last]].own += count;
}

static void find_most(Coverage* c)
{
   for (size_t i = 0; i < c->control->n; i++) {
      if (c->line_of[i] == CG2P_NONE) continue;
      CoveredLine* line = &c->lines[c->line_of[i]];
      uint64_t count = c->control->passages[i].count;
      if (count > line->most) line->most = count;
   }
}

static void find_blocks(Coverage* c)
{
   size_t first = 0;
   for (size_t i = 0; i < c->control->n; i++) {
      if (!ends_block(c->control, i)) continue;
      add_block(c, first, i);
      first = i + 1;
   }
}

/* Adds a way from the block that ends with spot `from` to that of spot `to`,
 * if both are of one line. */
static void
add_way(Coverage* c, Circuits* circuits, size_t from, size_t to, uint64_t count)
{
   uint32_t block = c->block_of[to], line = c->line_of[from];
   if (!count || line == CG2P_NONE || c->line_of[block] != line) return;
   uint64_t* own = &c->lines[line].own;
   *own = *own > count ? *own - count : 0;
   cg2p_circuits_add(circuits, &c->writer->failure,
                     (CircuitWay){line, from, block, count});
}

static void add_ways_from(Coverage* c, Circuits* circuits, size_t i)
{
   const Control* control = c->control;
   const StepCounts* own = &control->passages[i];
   if (cg2p_control_has_next(control, i))
      add_way(c, circuits, i, i + 1, own->passed + own->onward);
   for (size_t t = own->first; t < own->end; t++) {
      const uint64_t* transfer = cg2p_sums_at(&control->counts->transfers, t);
      size_t to = cg2p_control_spot_at(control, i, transfer[TRANSFER_TO]);
      if (transfer[TRANSFER_KIND] == TRANSFER_JUMP && to < control->n)
         add_way(c, circuits, i, to, transfer[TRANSFER_COUNT]);
   }
}

static void find_rounds(Coverage* c, Circuits* circuits)
{
   for (size_t i = 0; i < c->control->n; i++)
      if (c->block_of[i] == i) add_ways_from(c, circuits, i);
   uint32_t line;
   while ((line = cg2p_circuits_next_line(circuits)) != CG2P_NONE)
      c->lines[line].rounds +=
         cg2p_circuits_rounds(circuits, &c->writer->failure);
}

static uint64_t times_of(const Coverage* c, const CoveredLine* line)
{
   if (!c->control->counts->has_jumps) return line->most;
   return line->has_block ? line->own + line->rounds : line->inside;
}

/*--- Files --------------------------------------------------------------*/

/* The file that a thing of a number is in; CG2P_NONE: in none. */
typedef uint32_t (*FileOf)(const Coverage*, size_t number);

static uint32_t file_of_routine(const Coverage* c, size_t number)
{
   return c->sources->routines[number].file;
}

static uint32_t file_of_branch(const Coverage* c, size_t spot)
{
   uint32_t line = c->line_of[spot];
   return c->control->steps[spot].kind == CG2P_BRANCHES && line != CG2P_NONE
             ? c->lines[line].file
             : CG2P_NONE;
}

/* Things of numbers below `n`, file by file. */
static ByFile by_file(const Coverage* c, size_t n, FileOf file_of)
{
   FeedbackWriter* w = c->writer;
   size_t n_files = c->sources->n_files, bytes = (n_files + 2) * sizeof(size_t);
   size_t* ends = cg2p_arena_add(&w->arena, &w->failure, bytes);
   size_t* numbers =
      cg2p_arena_add(&w->arena, &w->failure, (n + 1) * sizeof *numbers);
   memset(ends, 0, bytes);
   for (size_t i = 0; i < n; i++)
      if (file_of(c, i) != CG2P_NONE) ends[file_of(c, i) + 2]++;
   for (size_t f = 2; f < n_files + 2; f++)
      ends[f] += ends[f - 1];
   for (size_t i = 0; i < n; i++)
      if (file_of(c, i) != CG2P_NONE) numbers[ends[file_of(c, i) + 1]++] = i;
   return (ByFile){ends, numbers};
}

/*--- The file -----------------------------------------------------------*/

static void put_numbers(FeedbackWriter* w,
                        const char* key,
                        const uint64_t* numbers,
                        size_t n)
{
   cg2p_output_string(&w->output, key);
   for (size_t i = 0; i < n; i++) {
      cg2p_output_letter(&w->output, i ? ',' : ':');
      cg2p_output_decimal(&w->output, numbers[i]);
   }
   cg2p_output_letter(&w->output, '\n');
}

static uint64_t entries_of(const Coverage* c, const cg2p_routine* routine)
{
   size_t spot =
      cg2p_control_spot_at(c->control, c->control->n, routine->address);
   return spot < c->control->n ? c->control->passages[spot].count : 0;
}

static void put_functions(Coverage* c, uint32_t file)
{
   FeedbackWriter* w = c->writer;
   const size_t* first = &c->routines.first[file];
   uint64_t found = 0, hit = 0;
   for (size_t k = first[0]; k < first[1]; k++) {
      const cg2p_routine* routine =
         &c->sources->routines[c->routines.numbers[k]];
      uint64_t times = entries_of(c, routine);
      found++;
      hit += times > 0;
      cg2p_output_string(&w->output, "FN:");
      cg2p_output_decimal(&w->output, routine->line);
      cg2p_output_letter(&w->output, ',');
      cg2p_output_string(&w->output, routine->name);
      cg2p_output_string(&w->output, "\nFNDA:");
      cg2p_output_decimal(&w->output, times);
      cg2p_output_letter(&w->output, ',');
      cg2p_output_string(&w->output, routine->name);
      cg2p_output_letter(&w->output, '\n');
   }
   put_numbers(w, "FNF", &found, 1);
   put_numbers(w, "FNH", &hit, 1);
}

static void put_branches(Coverage* c, uint32_t file)
{
   const Control* control = c->control;
   const size_t* first = &c->branches.first[file];
   uint64_t found = 0, hit = 0;
   for (size_t k = first[0]; k < first[1]; k++) {
      size_t i = c->branches.numbers[k];
      uint64_t on = control->passages[i].passed,
               taken = control->passages[i].left,
               at = c->lines[c->line_of[i]].line;
      put_numbers(c->writer, "BRDA", (uint64_t[]){at, i, 0, on}, 4);
      put_numbers(c->writer, "BRDA", (uint64_t[]){at, i, 1, taken}, 4);
      found += 2;
      hit += (on > 0) + (taken > 0);
   }
   put_numbers(c->writer, "BRF", &found, 1);
   put_numbers(c->writer, "BRH", &hit, 1);
}

/* Puts a file, whose lines are from number `first` to in front of `end`. */
static void put_file(Coverage* c, size_t first, size_t end)
{
   FeedbackWriter* w = c->writer;
   uint32_t file = c->lines[first].file;
   uint64_t found = end - first, hit = 0;
   cg2p_output_string(&w->output, "TN:\nSF:");
   cg2p_output_string(&w->output, c->sources->files[file]);
   cg2p_output_letter(&w->output, '\n');
   put_functions(c, file);
   if (c->control->counts->has_jumps) put_branches(c, file);
   for (size_t i = first; i < end; i++) {
      uint64_t times = times_of(c, &c->lines[i]);
      put_numbers(w, "DA", (uint64_t[]){c->lines[i].line, times}, 2);
      hit += times > 0;
   }
   put_numbers(w, "LF", &found, 1);
   put_numbers(w, "LH", &hit, 1);
   cg2p_output_string(&w->output, "end_of_record\n");
}

static void put_files(Coverage* c)
{
   size_t end;
   for (size_t first = 0; first < c->n_lines; first = end) {
      end = first;
      while (end < c->n_lines && c->lines[end].file == c->lines[first].file)
         end++;
      put_file(c, first, end);
   }
}

void cg2p_lcov_put(FeedbackWriter* w)
{
   const Control* control = &w->feedback->control;
   Coverage* c = &(Coverage){
      .writer = w, .sources = w->feedback->sources, .control = control};
   Circuits circuits = {.n = 0};
   if (!c->sources)
      cg2p_failure_at(
         &w->failure, 0,
         "lines of no sources; expected what debug information says "
         "of them");
   c->line_of = cg2p_arena_add(&w->arena, &w->failure,
                               (control->n + 1) * sizeof *c->line_of);
   c->block_of = cg2p_arena_add(&w->arena, &w->failure,
                                (control->n + 1) * sizeof *c->block_of);
   circuits.arena = &w->arena;
   find_lines(c);
   find_lines_of_spots(c);
   find_most(c);
   find_blocks(c);
   find_rounds(c, &circuits);
   c->routines = by_file(c, c->sources->n_routines, file_of_routine);
   c->branches = by_file(c, control->n, file_of_branch);
   put_files(c);
}
