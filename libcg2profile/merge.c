/* Adds profiles up. What is kept are the functions and positions that there
 * are, not the files: of each function one run of lines, in order, each place
 * once. The next profile's function is brought into that order, and the two are
 * merged into a new run.
 *
 * The order of a run is by numbers of the sum's own names, which depend on the
 * order of the profiles; the writer puts lines into the order of their texts,
 * so that what it writes does not. */
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char several_commands[] = "(several commands)";
static const char merged_profiles[] = "Merged profiles";

/* Numbers of the sum by numbers of the profile that is added. */
typedef struct Numbers {
   uint32_t* of; /* + 1; 0: not asked for yet */
   size_t room;
} Numbers;

struct cg2p_merge {
   Failure failure;
   cg2p_profile* sum;
   Part* part;     /* its only one; NULL before the first profile */
   uint64_t files; /* profiles, and those that they were merged of */
   Numbers names, functions;
   Rows known, more;
   uint8_t* bytes; /* of the run that is made */
   size_t bytes_room;
};

/*--- Order --------------------------------------------------------------*/

static int compare_targets(const Line* a, const Line* b)
{
   int order = cg2p_compare_numbers(a->function, b->function);
   if (!order) order = cg2p_compare_places(&a->target, &b->target);
   if (order || a->kind == CG2P_CALL) return order;
   order = cg2p_compare_numbers(a->target_file, b->target_file);
   return order ? order
                : cg2p_compare_numbers(a->is_conditional, b->is_conditional);
}

/* Rows that are equal are at one place, and lead to one. */
static int compare_rows(const Line* a, const Line* b, const void* nothing)
{
   (void)nothing;
   int order = cg2p_compare_places(&a->at, &b->at);
   if (!order) order = cg2p_compare_numbers(a->file, b->file);
   if (!order) order = cg2p_compare_numbers(a->kind, b->kind);
   return order || a->kind == CG2P_COST ? order : compare_targets(a, b);
}

/*--- Names and functions ------------------------------------------------*/

static void forget(Numbers* numbers, Failure* failure, size_t n)
{
   numbers->of =
      cg2p_grow(failure, numbers->of, &numbers->room, n, sizeof *numbers->of);
   if (n) memset(numbers->of, 0, n * sizeof *numbers->of);
}

static uint32_t
name_of(cg2p_merge* m, const cg2p_profile* profile, uint32_t name)
{
   uint32_t* known = &m->names.of[name];
   const Name* text = &profile->names.of[name];
   if (!*known)
      *known = cg2p_names_intern(&m->sum->names, &m->failure, text->text,
                                 text->length) +
               1;
   return *known - 1;
}

static uint32_t function_of(cg2p_merge* m,
                            const cg2p_profile* profile,
                            const Part* part,
                            uint32_t function)
{
   uint32_t* known = &m->functions.of[function];
   const cg2p_function* key = &part->functions[function];
   if (!*known) {
      cg2p_function own = {name_of(m, profile, key->object),
                           name_of(m, profile, key->file),
                           name_of(m, profile, key->name)};
      *known = cg2p_part_function(m->part, &m->failure, own) + 1;
   }
   return *known - 1;
}

static void translate(cg2p_merge* m,
                      const cg2p_profile* profile,
                      const Part* part,
                      Rows* rows)
{
   for (size_t i = 0; i < rows->n; i++) {
      Line* row = &rows->of[i];
      row->file = name_of(m, profile, row->file);
      if (row->kind == CG2P_COST) continue;
      row->function = function_of(m, profile, part, row->function);
      if (row->kind == CG2P_JUMP)
         row->target_file = name_of(m, profile, row->target_file);
   }
}

/*--- Lines --------------------------------------------------------------*/

static _Noreturn void refuse_sum(cg2p_merge* m)
{
   cg2p_fail_at(&m->failure, 1,
                "its sum with the other profiles does not fit into 64 bits; "
                "expected numbers that do");
}

/* Writes the two rows as one, in order, what is equal added up; where it ends.
 */
static uint8_t* put_merged(cg2p_merge* m, uint8_t* to, RunState* state)
{
   uint32_t width = m->part->n_events;
   Line *a = m->known.of, *a_end = a + m->known.n;
   Line *b = m->more.of, *b_end = b + m->more.n;
   while (a < a_end || b < b_end) {
      int order = a == a_end ? 1 : b == b_end ? -1 : compare_rows(a, b, NULL);
      if (order == 0 && !cg2p_row_add(a, b, width)) refuse_sum(m);
      to = cg2p_line_put(to, state, order > 0 ? b : a, width);
      a += order <= 0;
      b += order >= 0;
   }
   return to;
}

/* Adds the lines in m->more, sorted, to those of a function of the sum. */
static void add_rows(cg2p_merge* m, uint32_t function)
{
   Part* sum = m->part;
   Runs* runs = &sum->runs[function];
   cg2p_rows_read(&m->known, &m->failure, sum, function);
   size_t n = m->known.n + m->more.n;
   m->bytes = cg2p_grow(&m->failure, m->bytes, &m->bytes_room,
                        n * cg2p_line_max(sum->n_events), 1);
   RunState state = {.file = sum->functions[function].file};
   uint8_t* end = put_merged(m, m->bytes, &state);
   runs->first = runs->last = cg2p_lines_set(
      &sum->lines, &m->failure, function, sum->functions[function].file,
      m->bytes, end - m->bytes, runs->first);
}

static void add_costs(cg2p_merge* m, uint64_t* sum, const uint64_t* more)
{
   for (uint32_t i = 0; i < m->part->n_events; i++)
      if (__builtin_add_overflow(sum[i], more[i], &sum[i])) refuse_sum(m);
}

static void add_function(cg2p_merge* m,
                         const cg2p_profile* profile,
                         const Part* part,
                         uint32_t function)
{
   uint32_t width = part->n_events;
   if (!part->runs[function].first) return;
   uint32_t own = function_of(m, profile, part, function);
   add_costs(m, cg2p_part_self(m->part, own), cg2p_part_self(part, function));
   cg2p_rows_read(&m->more, &m->failure, part, function);
   translate(m, profile, part, &m->more);
   cg2p_rows_sort(&m->more, compare_rows, NULL);
   for (cg2p_line_kind kind = CG2P_COST; kind <= CG2P_JUMP; kind++)
      if (!cg2p_rows_unite(&m->more, kind, width, compare_rows, NULL))
         refuse_sum(m);
   add_rows(m, own);
}

static void
add_arcs(cg2p_merge* m, const cg2p_profile* profile, const Part* part)
{
   for (size_t i = 0; i < part->n_arcs; i++) {
      const cg2p_arc* arc = &part->arcs[i];
      uint32_t own = cg2p_part_arc(m->part, &m->failure,
                                   function_of(m, profile, part, arc->caller),
                                   function_of(m, profile, part, arc->callee));
      uint64_t* count = &m->part->arcs[own].count;
      if (__builtin_add_overflow(*count, arc->count, count)) refuse_sum(m);
      add_costs(m, cg2p_part_inclusive(m->part, own),
                cg2p_part_inclusive(part, i));
   }
}

static void
add_part(cg2p_merge* m, const cg2p_profile* profile, const Part* part)
{
   forget(&m->functions, &m->failure, part->n_functions);
   for (uint32_t i = 0; i < part->n_functions; i++)
      add_function(m, profile, part, i);
   add_arcs(m, profile, part);
}

/*--- Headers ------------------------------------------------------------*/

static char* keep(cg2p_merge* m, const char* text)
{
   return cg2p_arena_text(&m->sum->texts, &m->failure, text, strlen(text));
}

static const Description* find_description(const Part* part, const char* kind)
{
   for (size_t i = 0; i < part->n_descriptions; i++)
      if (!strcmp(part->descriptions[i].kind, kind))
         return &part->descriptions[i];
   return NULL;
}

static void add_description(cg2p_merge* m, const char* kind, const char* text)
{
   Part* sum = m->part;
   sum->descriptions =
      cg2p_grow(&m->failure, sum->descriptions, &sum->descriptions_room,
                sum->n_descriptions + 1, sizeof *sum->descriptions);
   sum->descriptions[sum->n_descriptions++] =
      (Description){keep(m, kind), keep(m, text)};
}

/* Drops what `part` does not say. */
static void keep_common_descriptions(Part* sum, const Part* part)
{
   size_t n = 0;
   for (size_t i = 0; i < sum->n_descriptions; i++) {
      const Description* own = &sum->descriptions[i];
      const Description* other = find_description(part, own->kind);
      if (other && !strcmp(own->text, other->text))
         sum->descriptions[n++] = *own;
   }
   sum->n_descriptions = n;
}

/* Drops the description of a kind. */
static void keep_other_descriptions(Part* sum, const char* kind)
{
   size_t n = 0;
   for (size_t i = 0; i < sum->n_descriptions; i++)
      if (strcmp(sum->descriptions[i].kind, kind))
         sum->descriptions[n++] = sum->descriptions[i];
   sum->n_descriptions = n;
}

static bool defines(const Part* part, const char* name)
{
   for (size_t i = 0; i < part->n_definitions; i++)
      if (!strcmp(part->definitions[i].name, name)) return true;
   return false;
}

static void add_definition(cg2p_merge* m, const EventDefinition* definition)
{
   Part* sum = m->part;
   size_t bytes = definition->n_terms * sizeof *definition->terms;
   sum->definitions =
      cg2p_grow(&m->failure, sum->definitions, &sum->definitions_room,
                sum->n_definitions + 1, sizeof *sum->definitions);
   EventDefinition* own = &sum->definitions[sum->n_definitions++];
   *own = (EventDefinition){keep(m, definition->name),
                            keep(m, definition->long_name), NULL,
                            definition->n_terms};
   own->terms = cg2p_arena_add(&m->sum->texts, &m->failure, bytes + 1);
   for (uint32_t i = 0; i < own->n_terms; i++)
      own->terms[i] = (Term){definition->terms[i].factor,
                             keep(m, definition->terms[i].event)};
}

static void add_skipped(cg2p_merge* m, const Skipped* skipped)
{
   Part* sum = m->part;
   for (size_t i = 0; i < sum->n_skipped; i++)
      if (!strcmp(sum->skipped[i].name, skipped->name)) {
         uint64_t* count = &sum->skipped[i].count;
         if (__builtin_add_overflow(*count, skipped->count, count))
            refuse_sum(m);
         return;
      }
   sum->skipped = cg2p_grow(&m->failure, sum->skipped, &sum->skipped_room,
                            sum->n_skipped + 1, sizeof *sum->skipped);
   sum->skipped[sum->n_skipped++] =
      (Skipped){keep(m, skipped->name), skipped->count};
}

static void add_header(cg2p_merge* m, const Part* part)
{
   Part* sum = m->part;
   if (strcmp(sum->cmd, part->cmd)) sum->cmd = several_commands;
   keep_common_descriptions(sum, part);
   for (size_t i = 0; i < part->n_definitions; i++)
      if (!defines(sum, part->definitions[i].name))
         add_definition(m, &part->definitions[i]);
   for (size_t i = 0; i < part->n_skipped; i++)
      add_skipped(m, &part->skipped[i]);
}

/* Makes the sum's part, with what the header of the first part says. */
static void begin_part(cg2p_merge* m, const cg2p_profile* profile)
{
   cg2p_profile* sum = m->sum;
   const Part* first = profile->parts[0];
   size_t bytes = first->n_events * sizeof *first->events;
   sum->version = profile->version;
   sum->creator = keep(m, profile->creator);
   sum->path = keep(m, profile->path);
   cg2p_names_init(&sum->names, &m->failure);
   sum->parts = cg2p_grow(&m->failure, sum->parts, &sum->parts_room, 1,
                          sizeof *sum->parts);
   Part* part = cg2p_allocate(&m->failure, sizeof *part);
   sum->parts[sum->n_parts++] = m->part = part;
   part->cmd = keep(m, first->cmd);
   memcpy(part->columns, first->columns, sizeof part->columns);
   memcpy(part->column_names, first->column_names, sizeof part->column_names);
   part->n_columns = first->n_columns;
   part->events = cg2p_arena_add(&sum->texts, &m->failure, bytes);
   for (uint32_t i = 0; i < first->n_events; i++)
      part->events[i] = keep(m, first->events[i]);
   part->n_events = part->lines.n_events = first->n_events;
   for (size_t i = 0; i < first->n_descriptions; i++)
      add_description(m, first->descriptions[i].kind,
                      first->descriptions[i].text);
}

/*--- Whether profiles can be added --------------------------------------*/

static bool
are_same(const char* const* a, uint32_t n_a, const char* const* b, uint32_t n_b)
{
   bool same = n_a == n_b;
   for (uint32_t i = 0; same && i < n_a; i++)
      same = !strcmp(a[i], b[i]);
   return same;
}

/* Ends the operation if two lists of words, of a profile and of the sum, are
 * not the same. */
static void check_words(cg2p_merge* m,
                        const char* key,
                        uint64_t line,
                        const char* const* words,
                        uint32_t n,
                        const char* const* expected,
                        uint32_t n_expected)
{
   char here[400], there[400];
   if (are_same(words, n, expected, n_expected)) return;
   cg2p_fail_at(&m->failure, line, "%s: %s; expected %s as in %s", key,
                cg2p_listed(here, sizeof here, words, n),
                cg2p_listed(there, sizeof there, expected, n_expected),
                m->sum->path);
}

static void check_alike(cg2p_merge* m, const cg2p_profile* profile)
{
   const Part* sum = m->part;
   if (profile->version != m->sum->version)
      cg2p_fail_at(&m->failure, profile->version_line,
                   "version: %llu; expected %llu as in %s",
                   (unsigned long long)profile->version,
                   (unsigned long long)m->sum->version, m->sum->path);
   for (size_t i = 0; i < profile->n_parts; i++) {
      const Part* part = profile->parts[i];
      uint64_t line =
         part->positions_line ? part->positions_line : part->events_line;
      check_words(m, "events", part->events_line, part->events, part->n_events,
                  sum->events, sum->n_events);
      check_words(m, "positions", line, part->column_names, part->n_columns,
                  sum->column_names, sum->n_columns);
   }
}

/*--- The operation ------------------------------------------------------*/

/* How many files a profile was merged of; 1 if it was not. */
static uint64_t files_in(const cg2p_profile* profile)
{
   enum { DIGITS_MAX = 9 };
   const Description* said =
      find_description(profile->parts[0], merged_profiles);
   const char* text = said ? said->text : "";
   size_t n = strspn(text, "0123456789");
   return n && n <= DIGITS_MAX && !text[n] ? strtoull(text, NULL, 10) : 1;
}

cg2p_merge* cg2p_merge_begin(void)
{
   cg2p_merge* merge = calloc(1, sizeof *merge);
   if (!merge) return NULL;
   merge->sum = calloc(1, sizeof *merge->sum);
   if (merge->sum) {
      merge->sum->detail = CG2P_LINES;
      return merge;
   }
   free(merge);
   return NULL;
}

int cg2p_merge_add(cg2p_merge* m,
                   const cg2p_profile* profile,
                   cg2p_error* error)
{
   m->failure = (Failure){.path = profile->path, .error = error};
   if (setjmp(m->failure.caught)) return 0;
   if (!m->part) begin_part(m, profile);
   check_alike(m, profile);
   if (strcmp(profile->creator, m->sum->creator) < 0)
      m->sum->creator = keep(m, profile->creator);
   m->files += files_in(profile);
   forget(&m->names, &m->failure, profile->names.n);
   for (size_t i = 0; i < profile->n_parts; i++) {
      add_header(m, profile->parts[i]);
      add_part(m, profile, profile->parts[i]);
   }
   return 1;
}

static int compare_descriptions(const void* a, const void* b)
{
   return strcmp(((const Description*)a)->kind, ((const Description*)b)->kind);
}

static int compare_definitions(const void* a, const void* b)
{
   return strcmp(((const EventDefinition*)a)->name,
                 ((const EventDefinition*)b)->name);
}

static int compare_skipped(const void* a, const void* b)
{
   return strcmp(((const Skipped*)a)->name, ((const Skipped*)b)->name);
}

/* Puts what headers said into an order that does not depend on theirs. */
static void sort_header(Part* part)
{
   if (part->n_descriptions)
      qsort(part->descriptions, part->n_descriptions,
            sizeof *part->descriptions, compare_descriptions);
   if (part->n_definitions)
      qsort(part->definitions, part->n_definitions, sizeof *part->definitions,
            compare_definitions);
   if (part->n_skipped)
      qsort(part->skipped, part->n_skipped, sizeof *part->skipped,
            compare_skipped);
}

static void state_sums(cg2p_merge* m)
{
   Part* part = m->part;
   uint64_t* total = cg2p_arena_add(&m->sum->texts, &m->failure,
                                    part->n_events * sizeof *total);
   memset(total, 0, part->n_events * sizeof *total);
   for (uint32_t i = 0; i < part->n_functions; i++)
      add_costs(m, total, cg2p_part_self(part, i));
   part->sums[CG2P_SUMMARY] = part->sums[CG2P_TOTALS] = total;
}

cg2p_profile* cg2p_merge_end(cg2p_merge* m, cg2p_error* error)
{
   char files[24];
   m->failure = (Failure){.path = m->sum->path, .error = error};
   if (setjmp(m->failure.caught)) {
      cg2p_merge_free(m);
      return NULL;
   }
   snprintf(files, sizeof files, "%llu", (unsigned long long)m->files);
   keep_other_descriptions(m->part, merged_profiles);
   add_description(m, merged_profiles, files);
   sort_header(m->part);
   state_sums(m);
   cg2p_profile* sum = m->sum;
   m->sum = NULL;
   cg2p_merge_free(m);
   return sum;
}

void cg2p_merge_free(cg2p_merge* m)
{
   if (!m) return;
   cg2p_free(m->sum);
   free(m->names.of);
   free(m->functions.of);
   cg2p_rows_free(&m->known);
   cg2p_rows_free(&m->more);
   free(m->bytes);
   free(m);
}
