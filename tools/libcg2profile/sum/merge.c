/* Adds profiles up. What is kept are the functions and positions that there
 * are, not the files: of each function a run of lines, in order, each place
 * once, and maybe shorter ones behind it, which are joined to it at last. A
 * function that is added is read line by line, side by side with a run that
 * there is, and both are written into a new run. Most profiles have the order
 * of the sum. Functions that do not are sorted. */
#include "sum/merge.h"
#include "profile/callpath.h"
#include "profile/order.h"
#include "sum/heading.h"

#include <stdlib.h>
#include <string.h>

enum { PATH_WIDTH = 6 }; /* words by which a path is known */

/*--- Names and functions ------------------------------------------------*/

static void forget(NumbersOfSum* numbers, Failure* failure, size_t n)
{
   numbers->of = cg2p_memory_grow(failure, numbers->of, &numbers->room, n,
                                  sizeof *numbers->of);
   if (n) memset(numbers->of, 0, n * sizeof *numbers->of);
}

static uint32_t intern(cg2p_merge* m, const char* text, size_t length)
{
   return cg2p_names_intern(&m->sum->names, &m->failure, text, length);
}

static uint32_t intern_text(cg2p_merge* m, uint32_t number)
{
   const char* text = m->more.mapping.texts[number];
   return intern(m, text, strlen(text));
}

uint32_t cg2p_merge_name(cg2p_merge* m, uint32_t name)
{
   uint32_t* known = &m->more.names.of[name];
   const StoredName* text = &m->more.profile->names.of[name];
   if (!*known) *known = intern(m, text->text, text->length) + 1;
   return *known - 1;
}

static uint32_t file_of(cg2p_merge* m, uint32_t name)
{
   const uint32_t* files = m->more.mapping.files;
   if (!files) return cg2p_merge_name(m, name);
   uint32_t* known = &m->more.files.of[name];
   if (!*known) *known = intern_text(m, files[name]) + 1;
   return *known - 1;
}

static cg2p_function key_of(cg2p_merge* m, uint32_t function)
{
   const Addend* more = &m->more;
   const cg2p_function* old = &more->part->functions[function];
   if (!more->mapping.functions)
      return (cg2p_function){cg2p_merge_name(m, old->object),
                             cg2p_merge_name(m, old->file),
                             cg2p_merge_name(m, old->name)};
   const cg2p_function* key = &more->mapping.functions[function];
   return (cg2p_function){intern_text(m, key->object),
                          intern_text(m, key->file), intern_text(m, key->name)};
}

static void leave_columns(Place* place, unsigned columns)
{
   for (int i = 0; i < COLUMNS_MAX; i++)
      if (!(columns & cg2p_columns[i].bit)) *cg2p_column_at(place, i) = 0;
}

static uint64_t pair(uint32_t a, uint32_t b)
{
   return (uint64_t)a << 32 | b;
}

/* The path with this key that one of the sum calls from this place. */
static uint32_t path_of(cg2p_merge* m, cg2p_function key, const cg2p_path* path)
{
   const Place* at = &path->at;
   uint64_t known_by[PATH_WIDTH] = {pair(path->caller, path->file),
                                    pair(key.object, key.file),
                                    key.name,
                                    at->instr,
                                    at->line,
                                    at->block};
   uint32_t number = cg2p_keys_intern(&m->paths, &m->failure, known_by);
   if (number < m->part->n_functions) return number;
   return cg2p_callpath_add(m->part, &m->failure, key, path);
}

/* The sum's path for one that is added, whose caller is known. */
static uint32_t path_in_sum(cg2p_merge* m, uint32_t function)
{
   cg2p_path path = m->more.part->paths[function];
   if (path.caller != CG2P_NONE)
      path.caller = m->more.functions.of[path.caller] - 1;
   path.file = file_of(m, path.file);
   path.count = path.again = 0;
   if (m->has_columns) leave_columns(&path.at, m->columns);
   return path_of(m, key_of(m, function), &path);
}

uint32_t cg2p_merge_function(cg2p_merge* m, uint32_t function)
{
   uint32_t* known = &m->more.functions.of[function];
   if (*known) return *known - 1;
   *known =
      1 + (m->part->has_paths ? path_in_sum(m, function)
                              : cg2p_part_intern_function(m->part, &m->failure,
                                                          key_of(m, function)));
   return *known - 1;
}

/*--- Costs --------------------------------------------------------------*/

static void reserve(cg2p_merge* m, CostRoom* cost, uint32_t n)
{
   cost->of =
      cg2p_memory_grow(&m->failure, cost->of, &cost->room, n, sizeof *cost->of);
}

/*--- Lines --------------------------------------------------------------*/

/* Gives a line that was read the names, positions and events of the sum. */
static void translate(cg2p_merge* m, Line* line)
{
   line->file = file_of(m, line->file);
   if (m->has_columns) leave_columns(&line->at, m->columns);
   if (m->more.mapping.events) {
      line->cost = m->more_cost.of;
      memset(line->cost, 0, m->part->n_events * sizeof *line->cost);
      if (line->kind != CG2P_JUMP)
         cg2p_addend_add_cost(m, line->cost, m->read_cost.of);
   }
   if (line->kind == CG2P_COST) return;
   line->function = cg2p_merge_function(m, line->function);
   if (m->has_columns) leave_columns(&line->target, m->columns);
   if (line->kind == CG2P_JUMP)
      line->target_file = file_of(m, line->target_file);
}

/* The next line of the current function that is added, as the sum has it.
 * False: there are no more. */
static bool next_line(cg2p_merge* m, Line* line)
{
   Addend* more = &m->more;
   if (more->source == SOURCE_SUM) {
      line->cost = m->more_cost.of;
      return cg2p_lines_next(&more->cursor, line);
   }
   if (more->source == SOURCE_ROWS) {
      if (more->next_row == more->rows.n) return false;
      *line = more->rows.of[more->next_row++];
      return true;
   }
   do {
      line->cost = m->read_cost.of;
      if (!cg2p_lines_next(&more->cursor, line)) return false;
   } while (line->kind == CG2P_JUMP && m->leaves_jumps);
   translate(m, line);
   return true;
}

/* Begins with the first of the current function's lines. */
static void rewind_lines(cg2p_merge* m, uint32_t function)
{
   const Part* part = m->more.part;
   m->more.cursor = cg2p_part_lines(part, function);
   m->more.source = SOURCE_PART;
}

/* Puts the rows in order, each place once; next_line gives them. */
static void order_rows(cg2p_merge* m, const Order* order)
{
   Rows* rows = &m->more.rows;
   cg2p_rows_sort(rows, cg2p_order_lines, order);
   for (cg2p_line_kind kind = CG2P_COST; kind <= CG2P_JUMP; kind++)
      if (!cg2p_rows_unite(rows, kind, m->part->n_events, cg2p_order_lines,
                           order))
         cg2p_addend_refuse(m);
   m->more.next_row = 0;
   m->more.source = SOURCE_ROWS;
}

/* Has next_line give the lines in order, each place once. */
static void sort_lines(cg2p_merge* m, uint32_t function, const Order* order)
{
   Rows* rows = &m->more.rows;
   Line line;
   rewind_lines(m, function);
   rows->n = 0;
   while (next_line(m, &line))
      cg2p_rows_add(rows, &m->failure, &line, m->part->n_events);
   order_rows(m, order);
}

/* Makes room for one more line behind `end`, which may move; where it ends. */
static uint8_t* make_room(cg2p_merge* m, uint8_t* end)
{
   size_t n = end - m->bytes, room = n + cg2p_lines_line_max(m->part->n_events);
   if (room <= m->bytes_room) return end;
   m->bytes = cg2p_memory_grow(&m->failure, m->bytes, &m->bytes_room, room, 1);
   return m->bytes + n;
}

/* Writes the lines that next_line gives and those of a run of the sum, number
 * `run` - 1 (0: none), in order, what is equal added up, to m->bytes. Where
 * they end; NULL: what is added is in another order. */
static uint8_t* put_merged(cg2p_merge* m, uint32_t run, const Order* order)
{
   const Part* part = m->part;
   uint32_t width = part->n_events;
   RunState state = {.file = part->functions[order->function].file};
   LineCursor known = cg2p_lines_of_run(&part->lines, run);
   Line a = {.cost = m->known_cost.of}, lines[2], *b = &lines[0], *next;
   uint8_t* to = make_room(m, m->bytes);
   bool has_a = cg2p_lines_next(&known, &a), has_b = next_line(m, b);
   while (has_a || has_b) {
      int first = !has_a ? 1 : !has_b ? -1 : cg2p_order_lines(&a, b, order);
      if (first == 0 && !cg2p_rows_add_up(&a, b, width)) cg2p_addend_refuse(m);
      to = make_room(m, to);
      to = cg2p_lines_put(to, &state, first > 0 ? b : &a, width);
      if (first <= 0) has_a = cg2p_lines_next(&known, &a);
      if (first < 0) continue;
      next = b == &lines[0] ? &lines[1] : &lines[0];
      has_b = next_line(m, next);
      if (has_b && cg2p_order_lines(b, next, order) >= 0) return NULL;
      b = next;
   }
   return to;
}

/*--- Runs ---------------------------------------------------------------*/

/* Each run of a function is more than so many times as long as the next one. */
enum { FALL = 2 };

/* Makes the lines up to `end` in m->bytes a run in place of run number `run` -
 * 1 (0: of none). Its number + 1. */
static uint32_t
set_run(cg2p_merge* m, uint32_t function, uint32_t run, const uint8_t* end)
{
   Part* part = m->part;
   return cg2p_lines_set(&part->lines, &m->failure, function,
                         part->functions[function].file, m->bytes,
                         end - m->bytes, run);
}

/* The last run of a function with lines in it, number + 1, and in *before the
 * one in front; 0: there is none. Runs that were joined to others are behind.
 */
static uint32_t last_run(const Part* part, uint32_t function, uint32_t* before)
{
   const Run* runs = part->lines.runs;
   uint32_t last = 0, run = cg2p_part_first_run(part, function);
   *before = 0;
   for (; run && runs[run - 1].length; run = runs[run - 1].next) {
      *before = last;
      last = run;
   }
   return last;
}

/* Joins the last two runs of a function, as long as the last one is longer than
 * a share of the one in front of it, `fall` of which are that one. */
static void join_runs(cg2p_merge* m, uint32_t function, uint64_t fall)
{
   Part* part = m->part;
   Order order = {&m->sum->names, part, function};
   uint32_t before, last;
   while ((last = last_run(part, function, &before)) && before) {
      const Run* runs = part->lines.runs;
      if (runs[before - 1].length > fall * runs[last - 1].length) return;
      m->more.source = SOURCE_SUM;
      m->more.cursor = cg2p_lines_of_run(&part->lines, last);
      set_run(m, function, before, put_merged(m, before, &order));
      set_run(m, function, last, m->bytes);
   }
}

/* Adds the lines in m->bytes as a run behind run number `last` - 1. */
static void
append_run(cg2p_merge* m, uint32_t function, uint32_t last, const uint8_t* end)
{
   Part* part = m->part;
   uint32_t unused = last ? part->lines.runs[last - 1].next
                          : cg2p_part_first_run(part, function);
   uint32_t run = set_run(m, function, unused, end);
   if (last)
      part->lines.runs[last - 1].next = run;
   else
      *cg2p_part_runs(part, &m->failure, function) = (Runs){run, run};
}

/* How many bytes the lines of a function of the part take. */
static uint64_t length_of(const Part* part, uint32_t function)
{
   const Run* runs = part->lines.runs;
   uint64_t length = 0;
   for (uint32_t run = cg2p_part_first_run(part, function); run;
        run = runs[run - 1].next)
      length += runs[run - 1].length;
   return length;
}

/* Makes the lines up to `end` in m->bytes, which have those of run `to` (0: of
 * none), a run of a function whose last one is `last`. */
static void keep_run(cg2p_merge* m,
                     uint32_t function,
                     uint32_t to,
                     uint32_t last,
                     const uint8_t* end)
{
   if (end == m->bytes) return;
   if (to)
      set_run(m, function, to, end);
   else
      append_run(m, function, last, end);
   join_runs(m, function, FALL);
}

/* Few lines are not added to a long run, which would be written again each
 * time, but go into a shorter one behind it. So a line is written as often as
 * the length of its run has multiplied, and not as often as profiles are added.
 */
static void add_lines(cg2p_merge* m, uint32_t function, uint32_t own)
{
   Part* part = m->part;
   Order order = {&m->sum->names, part, own};
   uint32_t before, last = last_run(part, own, &before), to = last;
   if (last && part->lines.runs[last - 1].length >
                  FALL * length_of(m->more.part, function))
      to = 0;
   rewind_lines(m, function);
   uint8_t* end = put_merged(m, to, &order);
   if (!end) {
      sort_lines(m, function, &order);
      end = put_merged(m, to, &order);
   }
   keep_run(m, own, to, last, end);
}

void cg2p_merge_add_rows(cg2p_merge* m, uint32_t function)
{
   Part* part = m->part;
   Order order = {&m->sum->names, part, function};
   uint32_t before, last = last_run(part, function, &before);
   order_rows(m, &order);
   keep_run(m, function, 0, last, put_merged(m, 0, &order));
}

/*--- Parts --------------------------------------------------------------*/

static void add_arcs(cg2p_merge* m)
{
   const Part* part = m->more.part;
   for (size_t i = 0; i < part->n_arcs; i++) {
      const cg2p_arc* arc = &part->arcs[i];
      uint32_t own = cg2p_part_intern_arc(m->part, &m->failure,
                                          cg2p_merge_function(m, arc->caller),
                                          cg2p_merge_function(m, arc->callee));
      cg2p_addend_add_number(m, &m->part->arcs[own].count, arc->count);
      cg2p_addend_add_cost(m, cg2p_part_inclusive(m->part, own),
                           cg2p_part_inclusive(part, i));
   }
}

/* Adds how often the path was taken that a function is. */
static void add_calls_of_path(cg2p_merge* m, uint32_t function)
{
   const cg2p_path* more = &m->more.part->paths[function];
   cg2p_path* own = &m->part->paths[cg2p_merge_function(m, function)];
   cg2p_addend_add_number(m, &own->count, more->count);
   cg2p_addend_add_number(m, &own->again, more->again);
}

/* The sum has functions in the order in which parts mention them. */
static void add_functions(cg2p_merge* m)
{
   const Part* part = m->more.part;
   bool has_lines = m->sum->detail >= CG2P_LINES && !part->has_paths;
   for (uint32_t i = 0; i < part->n_functions; i++) {
      uint32_t own = cg2p_merge_function(m, i);
      cg2p_addend_add_cost(m, cg2p_part_self(m->part, own),
                           cg2p_part_self(part, i));
      if (part->has_paths) add_calls_of_path(m, i);
   }
   for (uint32_t i = 0; has_lines && i < part->n_functions; i++)
      if (cg2p_part_first_run(part, i))
         add_lines(m, i, cg2p_merge_function(m, i));
}

void cg2p_merge_open(cg2p_merge* m,
                     const cg2p_profile* profile,
                     const Part* part,
                     const cg2p_mapping* mapping)
{
   Addend* more = &m->more;
   more->profile = profile;
   more->part = part;
   more->mapping = mapping ? *mapping : (cg2p_mapping){.texts = NULL};
   cg2p_heading_check(m);
   if (profile->detail < m->sum->detail) m->sum->detail = profile->detail;
   forget(&more->names, &m->failure, profile->names.n);
   if (more->mapping.files) forget(&more->files, &m->failure, profile->names.n);
   forget(&more->functions, &m->failure, part->n_functions);
   reserve(m, &m->known_cost, m->part->n_events);
   reserve(m, &m->more_cost, m->part->n_events);
   reserve(m, &m->read_cost, part->n_events);
   cg2p_heading_add(m);
}

static void add_part(cg2p_merge* m,
                     const cg2p_profile* profile,
                     const Part* part,
                     const cg2p_mapping* mapping)
{
   cg2p_merge_open(m, profile, part, mapping);
   add_functions(m);
   if (!part->has_paths) add_arcs(m);
}

/* Completes the lines of a part. Each function has one run, unless it is a
 * path: what paths call is known when all were added. */
static void end_lines(cg2p_merge* m)
{
   Part* part = m->part;
   if (!part->has_paths)
      for (uint32_t i = 0; i < part->n_functions; i++)
         join_runs(m, i, UINT32_MAX);
   else if (!cg2p_callpath_complete(part, &m->failure))
      cg2p_addend_refuse(m);
   cg2p_part_end(part);
}

/* Completes the part that was begun last, if there is one. */
static void end_part(cg2p_merge* m)
{
   if (m->part) end_lines(m);
   cg2p_heading_end(m);
   cg2p_keys_free(&m->paths);
}

/*--- The operation ------------------------------------------------------*/

cg2p_merge* cg2p_merge_new(void)
{
   cg2p_merge* merge = calloc(1, sizeof *merge);
   if (!merge) return NULL;
   merge->paths.width = PATH_WIDTH;
   merge->sum = calloc(1, sizeof *merge->sum);
   if (merge->sum) {
      merge->sum->path = "a sum";
      return merge;
   }
   free(merge);
   return NULL;
}

int cg2p_merge_begin_part(cg2p_merge* m,
                          const cg2p_profile* profile,
                          size_t like,
                          const cg2p_form* form,
                          cg2p_error* error)
{
   static const cg2p_form same = {.events = NULL};
   m->failure = (Failure){.path = profile->path, .error = error};
   if (setjmp(m->failure.caught)) return 0;
   end_part(m);
   cg2p_heading_begin(m, profile, profile->parts[like]);
   cg2p_heading_set(m, profile->parts[like], form ? form : &same);
   return 1;
}

int cg2p_merge_add_part(cg2p_merge* m,
                        const cg2p_profile* profile,
                        size_t i,
                        const cg2p_mapping* mapping,
                        cg2p_error* error)
{
   m->failure = (Failure){.path = profile->path, .error = error};
   if (setjmp(m->failure.caught)) return 0;
   if (!m->part) cg2p_heading_begin(m, profile, profile->parts[i]);
   add_part(m, profile, profile->parts[i], mapping);
   return 1;
}

int cg2p_merge_add(cg2p_merge* m,
                   const cg2p_profile* profile,
                   cg2p_error* error)
{
   m->failure = (Failure){.path = profile->path, .error = error};
   if (setjmp(m->failure.caught)) return 0;
   if (!m->part) cg2p_heading_begin(m, profile, profile->parts[0]);
   if (m->is_common) cg2p_heading_add_profile(m, profile);
   for (size_t i = 0; i < profile->n_parts; i++)
      add_part(m, profile, profile->parts[i], NULL);
   return 1;
}

cg2p_profile* cg2p_merge_end(cg2p_merge* m, cg2p_error* error)
{
   m->failure = (Failure){.path = m->sum->path, .error = error};
   if (setjmp(m->failure.caught)) {
      cg2p_merge_free(m);
      return NULL;
   }
   if (!m->part)
      cg2p_failure_at(&m->failure, 0,
                      "nothing was added; expected at least one profile");
   end_part(m);
   cg2p_profile* sum = m->sum;
   m->sum = NULL;
   cg2p_merge_free(m);
   return sum;
}

void cg2p_merge_free(cg2p_merge* m)
{
   if (!m) return;
   cg2p_profile_free(m->sum);
   free(m->more.names.of);
   free(m->more.files.of);
   free(m->more.functions.of);
   cg2p_rows_free(&m->more.rows);
   cg2p_keys_free(&m->paths);
   free(m->known_cost.of);
   free(m->read_cost.of);
   free(m->more_cost.of);
   free(m->bytes);
   free(m);
}
