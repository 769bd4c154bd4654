/* Writes profiles: what the reader reads. The file has the order of section 4
 * of docs/format.md, which depends on names and positions alone, so that equal
 * profiles are equal files. Ids begin anew in each part, each is defined once,
 * and there is one block for each function. */
#include "base/text.h"
#include "write/pathwriter.h"

#include <stdlib.h>
#include <string.h>

/*--- Order --------------------------------------------------------------*/

static int compare_functions(const void* a, const void* b, void* writer)
{
   return cg2p_order_functions(&((Writer*)writer)->order, *(const uint32_t*)a,
                               *(const uint32_t*)b);
}

/* Lines that come several times in what was read are in the order of their
 * numbers. */
static int compare_rows(const Line* a, const Line* b, const void* writer)
{
   const Writer* w = writer;
   int order = cg2p_order_lines(a, b, &w->order);
   if (order || a->kind == CG2P_COST) return order;
   order = cg2p_rows_compare_numbers(a->count, b->count);
   if (a->kind == CG2P_JUMP)
      return order ? order
                   : cg2p_rows_compare_numbers(a->executed, b->executed);
   for (uint32_t i = 0; !order && i < w->part->n_events; i++)
      order = cg2p_rows_compare_numbers(a->cost[i], b->cost[i]);
   return order;
}

/*--- Functions ----------------------------------------------------------*/

/* KCachegrind takes what has the id of a function for that function, in
 * whatever file and object: each function has its own. */
static void put_function_name(Writer* w, const char* spec, uint32_t function)
{
   cg2p_writing_name(w, spec, &w->function_ids[function], &w->n_function_ids,
                     w->part->functions[function].name);
}

/* Writes a line `spec=name` where readers expect no definition. */
static void put_use(Writer* w, const char* spec, uint32_t id, uint32_t name)
{
   cg2p_writing_put(w, spec);
   if (id)
      cg2p_writing_id(w, id);
   else
      cg2p_writing_text_of(w, name);
   cg2p_writing_end_line(w);
}

static void put_source(Writer* w, const Line* line)
{
   cg2p_writing_place(w, &line->at);
   w->last = line->at;
   w->has_last = true;
}

static void put_jump(Writer* w, const Line* line)
{
   const cg2p_function* to = &w->part->functions[line->function];
   if (line->target_file != w->file)
      put_use(w, "jfi=", w->ids[NAME_FILE][line->target_file],
              line->target_file);
   if (line->function != w->order.function)
      put_use(w, "jfn=", w->function_ids[line->function], to->name);
   cg2p_writing_put(w, line->is_conditional ? "jcnd=" : "jump=");
   cg2p_output_decimal(&w->output, line->count);
   if (line->is_conditional) {
      cg2p_output_letter(&w->output, '/');
      cg2p_output_decimal(&w->output, line->executed);
   }
   cg2p_output_letter(&w->output, ' ');
   cg2p_writing_place(w, &line->target);
   cg2p_writing_end_line(w);
   put_source(w, line);
   cg2p_writing_end_line(w);
}

static void put_call(Writer* w, const Line* line)
{
   const cg2p_function* callee = &w->part->functions[line->function];
   if (callee->object != w->object)
      cg2p_writing_spec(w, "cob=", NAME_OBJECT, callee->object);
   cg2p_writing_spec(w, "cfi=", NAME_FILE, callee->file);
   put_function_name(w, "cfn=", line->function);
   cg2p_writing_put(w, "calls=");
   cg2p_output_decimal(&w->output, line->count);
   cg2p_output_letter(&w->output, ' ');
   cg2p_writing_place(w, &line->target);
   cg2p_writing_end_line(w);
   put_source(w, line);
   cg2p_writing_costs(w, line->cost, 1);
   cg2p_writing_end_line(w);
}

static void put_row(Writer* w, const Line* line)
{
   uint32_t own = w->part->functions[w->order.function].file;
   if (line->file != w->file) {
      w->file = line->file;
      cg2p_writing_spec(w, line->file == own ? "fe=" : "fi=", NAME_FILE,
                        line->file);
   }
   if (line->kind == CG2P_JUMP)
      put_jump(w, line);
   else if (line->kind == CG2P_CALL)
      put_call(w, line);
   else {
      put_source(w, line);
      cg2p_writing_costs(w, line->cost, 1);
      cg2p_writing_end_line(w);
   }
}

static void put_function(Writer* w, uint32_t function)
{
   const cg2p_function* key = &w->part->functions[function];
   w->order.function = function;
   cg2p_rows_read(&w->rows, &w->failure, w->part, function);
   if (!w->rows.n) return;
   cg2p_rows_sort(&w->rows, compare_rows, w);
   cg2p_rows_unite(&w->rows, CG2P_COST, w->part->n_events, compare_rows, w);
   if (key->object != w->object) {
      w->object = key->object;
      cg2p_writing_spec(w, "ob=", NAME_OBJECT, key->object);
   }
   cg2p_writing_spec(w, "fl=", NAME_FILE, key->file);
   put_function_name(w, "fn=", function);
   w->file = key->file;
   w->has_last = false;
   for (size_t i = 0; i < w->rows.n; i++)
      put_row(w, &w->rows.of[i]);
   cg2p_writing_end_line(w);
}

/* Begins a body: no name has an id, and no position is near another. */
static void begin_body(Writer* w)
{
   w->order = (Order){.names = &w->profile->names, .part = w->part};
   for (int kind = 0; kind < KINDS; kind++) {
      memset(w->ids[kind], 0, w->profile->names.n * sizeof *w->ids[kind]);
      w->n_ids[kind] = 0;
   }
   size_t n = w->part->n_functions;
   free(w->function_ids);
   w->function_ids = NULL;
   w->function_ids =
      cg2p_memory_allocate(&w->failure, n * sizeof *w->function_ids);
   w->n_function_ids = 0;
   w->object = w->file = NAME_UNKNOWN;
   w->has_last = false;
}

static void put_functions(Writer* w)
{
   const Part* part = w->part;
   size_t n = part->n_functions;
   free(w->functions);
   w->functions = NULL;
   w->functions = cg2p_memory_allocate(&w->failure, n * sizeof *w->functions);
   for (size_t i = 0; i < n; i++)
      w->functions[i] = i;
   qsort_r(w->functions, n, sizeof *w->functions, compare_functions, w);
   for (size_t i = 0; i < n; i++)
      put_function(w, w->functions[i]);
}

/*--- Headers ------------------------------------------------------------*/

static void put_number(Writer* w, const char* key, bool is_there, uint64_t n)
{
   if (!is_there) return;
   cg2p_writing_put(w, key);
   cg2p_output_decimal(&w->output, n);
   cg2p_writing_end_line(w);
}

static void put_definition(Writer* w, const EventDefinition* definition)
{
   cg2p_writing_put(w, "event: ");
   cg2p_writing_put(w, definition->name);
   for (uint32_t i = 0; i < definition->n_terms; i++) {
      const Term* term = &definition->terms[i];
      uint64_t size = term->factor < 0 ? -term->factor : term->factor;
      cg2p_writing_put(w, i ? " " : " = ");
      if (term->factor < 0)
         cg2p_writing_put(w, "- ");
      else if (i)
         cg2p_writing_put(w, "+ ");
      /* A digit alone is read as a name, several as a factor and a name. */
      bool looks_like_factor =
         cg2p_text_is_digit(term->event[0]) && term->event[1];
      if (size != 1 || looks_like_factor) {
         cg2p_output_decimal(&w->output, size);
         cg2p_writing_put(w, " ");
      }
      cg2p_writing_put(w, term->event);
   }
   if (*definition->long_name) {
      cg2p_writing_put(w, " : ");
      cg2p_writing_put(w, definition->long_name);
   }
   cg2p_writing_end_line(w);
}

static void put_descriptions(Writer* w)
{
   const Part* part = w->part;
   for (size_t i = 0; i < part->n_descriptions; i++) {
      cg2p_writing_put(w, "desc: ");
      cg2p_writing_put(w, part->descriptions[i].kind);
      cg2p_writing_put(w, ": ");
      cg2p_writing_put(w, part->descriptions[i].text);
      cg2p_writing_end_line(w);
   }
   for (size_t i = 0; i < part->n_skipped; i++) {
      cg2p_writing_put(w, "desc: Skipped: ");
      cg2p_output_decimal(&w->output, part->skipped[i].count);
      cg2p_writing_put(w, " ");
      cg2p_writing_put(w, part->skipped[i].name);
      cg2p_writing_end_line(w);
   }
}

static void put_sum(Writer* w, const char* key, const uint64_t* sum)
{
   cg2p_writing_put(w, key);
   if (sum)
      cg2p_writing_costs(w, sum, 1);
   else
      cg2p_writing_put(w, " 0");
   cg2p_writing_end_line(w);
}

/* `before` is the command of the part in front, which the part would have if it
 * did not say that it has none. */
static void put_header(Writer* w, const char* before)
{
   const Part* part = w->part;
   put_number(w, "pid: ", part->has_pid, part->pid);
   put_number(w, "part: ", part->has_number, part->number);
   put_number(w, "thread: ", part->has_thread, part->thread);
   if (*part->cmd || *before) {
      cg2p_writing_put(w, *part->cmd ? "cmd: " : "cmd:");
      cg2p_writing_put(w, part->cmd);
      cg2p_writing_end_line(w);
   }
   put_descriptions(w);
   cg2p_writing_put(w, "positions:");
   for (uint32_t i = 0; i < part->n_columns; i++) {
      cg2p_writing_put(w, " ");
      cg2p_writing_put(w, part->column_names[i]);
   }
   cg2p_writing_end_line(w);
   for (size_t i = 0; i < part->n_definitions; i++)
      put_definition(w, &part->definitions[i]);
   cg2p_writing_put(w, "events:");
   for (uint32_t i = 0; i < part->n_events; i++) {
      cg2p_writing_put(w, " ");
      cg2p_writing_put(w, part->events[i]);
   }
   cg2p_writing_end_line(w);
   if (part->sums[CG2P_SUMMARY])
      put_sum(w, "summary:", part->sums[CG2P_SUMMARY]);
   if (part->has_paths) cg2p_pathwriter_put_size(w);
   cg2p_writing_end_line(w);
}

/*--- A profile ----------------------------------------------------------*/

/* Whether each part has the totals that it needs. It has none where profiles
 * were written into one file, and only a later one says its creator. */
static bool have_totals(const cg2p_profile* profile)
{
   if (!cg2p_part_needs_totals(profile)) return true;
   for (size_t i = 0; i + 1 < profile->n_parts; i++)
      if (profile->parts[i]->n_functions &&
          !profile->parts[i]->sums[CG2P_TOTALS])
         return false;
   return true;
}

static void put_profile(Writer* w)
{
   const cg2p_profile* profile = w->profile;
   bool has_paths = profile->n_parts && profile->parts[0]->has_paths;
   if (has_paths) w->form = 0;
   cg2p_writing_put(w, has_paths ? CG2P_PATHS_FORMAT : "# callgrind format");
   cg2p_writing_put(w, "\nversion: ");
   cg2p_output_decimal(&w->output, profile->version);
   cg2p_writing_end_line(w);
   if (*profile->creator && have_totals(profile)) {
      cg2p_writing_put(w, "creator: ");
      cg2p_writing_put(w, profile->creator);
      cg2p_writing_end_line(w);
   }
   for (size_t i = 0; i < profile->n_parts; i++) {
      w->part = profile->parts[i];
      put_header(w, i ? profile->parts[i - 1]->cmd : "");
      begin_body(w);
      (w->part->has_paths ? cg2p_pathwriter_put : put_functions)(w);
      if (!w->part->sums[CG2P_TOTALS] && w->part->n_functions) continue;
      put_sum(w, "totals:", w->part->sums[CG2P_TOTALS]);
      cg2p_writing_end_line(w);
   }
}

static void free_writer(Writer* w)
{
   cg2p_output_close(&w->output);
   cg2p_rows_free(&w->rows);
   cg2p_arena_free(&w->scratch);
   cg2p_keys_free(&w->keys);
   for (int kind = 0; kind < KINDS; kind++)
      free(w->ids[kind]);
   free(w->function_ids);
   free(w->functions);
   free(w);
}

int cg2p_profile_write(const cg2p_profile* profile,
                       const char* path,
                       unsigned form,
                       cg2p_error* error)
{
   Writer* w = calloc(1, sizeof *w);
   if (!w) {
      cg2p_failure_say_no_memory(error, cg2p_output_name(path));
      return 0;
   }
   w->failure = (Failure){.path = cg2p_output_name(path), .error = error};
   w->output.fd = -1;
   w->profile = profile;
   w->form = form;
   w->keys.width = 3;
   if (setjmp(w->failure.caught)) {
      free_writer(w);
      return 0;
   }
   if (profile->detail < CG2P_LINES)
      cg2p_failure_at(
         &w->failure, 0,
         "the profile was read without lines; expected CG2P_LINES");
   size_t n = profile->names.n;
   for (int kind = 0; kind < KINDS; kind++)
      w->ids[kind] =
         cg2p_memory_allocate(&w->failure, n * sizeof *w->ids[kind]);
   cg2p_output_open(&w->output, &w->failure, path);
   put_profile(w);
   cg2p_output_finish(&w->output);
   free_writer(w);
   return 1;
}
