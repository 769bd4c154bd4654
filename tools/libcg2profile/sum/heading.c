#include "sum/heading.h"

#include "sum/countedlist.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char several_commands[] = "(several commands)";
static const char merged_profiles[] = "Merged profiles";
static const char files_cut_off[] = "profiles that were cut off: ";

/* Descriptions whose text is a list with tabs between its words: a sum says
 * what any of its parts says. */
static const char* const lists[] = {CG2P_INLINED_KIND, CG2P_ESTIMATED_KIND,
                                    CG2P_OBJECTS_KIND};
enum { LISTS = sizeof lists / sizeof *lists };

/*--- Lines of headers ---------------------------------------------------*/

static char* keep(cg2p_merge* m, const char* text)
{
   return cg2p_arena_text(&m->sum->texts, &m->failure, text, strlen(text));
}

static Description* find_description(const Part* part, const char* kind)
{
   for (size_t i = 0; i < part->n_descriptions; i++)
      if (!strcmp(part->descriptions[i].kind, kind))
         return &part->descriptions[i];
   return NULL;
}

void cg2p_heading_describe(cg2p_merge* m, const char* kind, const char* text)
{
   Part* sum = m->part;
   sum->descriptions =
      cg2p_memory_grow(&m->failure, sum->descriptions, &sum->descriptions_room,
                       sum->n_descriptions + 1, sizeof *sum->descriptions);
   sum->descriptions[sum->n_descriptions++] =
      (Description){keep(m, kind), keep(m, text)};
}

static bool is_list(const char* kind)
{
   for (int i = 0; i < LISTS; i++)
      if (!strcmp(kind, lists[i])) return true;
   return false;
}

/* A word of a list. */
typedef struct Word {
   const char* text;
   size_t length;
} Word;

static int compare_words(const void* a, const void* b)
{
   const Word *x = a, *y = b;
   size_t both = x->length < y->length ? x->length : y->length;
   int order = memcmp(x->text, y->text, both);
   if (order) return order;
   return x->length < y->length ? -1 : x->length > y->length;
}

/* How many words a list has at most. */
static size_t count_words(const char* list)
{
   size_t n = 1;
   for (const char* at = list; *at; at++)
      n += *at == '\t';
   return n;
}

/* Puts the words of a list behind those before, whose number it is given. */
static size_t take_words(Word* words, size_t n, const char* list)
{
   for (const char *at = list, *end; *at; at = end + (*end == '\t')) {
      end = at + strcspn(at, "\t");
      words[n++] = (Word){at, end - at};
   }
   return n;
}

/* The words of two lists in their order, each once. */
static const char* united(cg2p_merge* m, const char* a, const char* b)
{
   Arena* texts = &m->sum->texts;
   size_t n = count_words(a) + count_words(b), length = 0;
   Word* words = cg2p_arena_add(texts, &m->failure, n * sizeof *words);
   char* text = cg2p_arena_add(texts, &m->failure, strlen(a) + strlen(b) + 2);
   n = take_words(words, take_words(words, 0, a), b);
   if (n) qsort(words, n, sizeof *words, compare_words);
   for (size_t i = 0; i < n; i++) {
      if (i && !compare_words(&words[i - 1], &words[i])) continue;
      if (length) text[length++] = '\t';
      memcpy(text + length, words[i].text, words[i].length);
      length += words[i].length;
   }
   text[length] = '\0';
   return text;
}

/* Adds the lists of a part to the sum's. */
static void unite_lists(cg2p_merge* m, const Part* part)
{
   for (int i = 0; i < LISTS; i++) {
      const Description* said = find_description(part, lists[i]);
      Description* own = find_description(m->part, lists[i]);
      if (said && !own)
         cg2p_heading_describe(m, said->kind, said->text);
      else if (said && strcmp(own->text, said->text))
         own->text = united(m, own->text, said->text);
   }
}

/* Adds what a part counts in its descriptions to the sum's. */
static void add_counted_lists(cg2p_merge* m, const Part* part)
{
   for (size_t i = 0; i < part->n_descriptions; i++) {
      const Description* more = &part->descriptions[i];
      if (!cg2p_part_counts(more->kind)) continue;
      Description* own = find_description(m->part, more->kind);
      if (own)
         own->text = cg2p_countedlist_add(&m->sum->texts, &m->failure,
                                          own->text, more->text);
      else
         cg2p_heading_describe(m, more->kind, more->text);
   }
}

/* A sum began when the first of its runs did. */
static void take_earlier(cg2p_merge* m, const Part* part)
{
   const Description* said = find_description(part, CG2P_STARTED_KIND);
   Description* own = find_description(m->part, CG2P_STARTED_KIND);
   if (said && own && strcmp(said->text, own->text) < 0)
      own->text = keep(m, said->text);
}

/* Whether a sum says something of a kind that not all of its parts say. */
static bool is_summed_up(const char* kind)
{
   return is_list(kind) || cg2p_part_counts(kind) ||
          !strcmp(kind, CG2P_STARTED_KIND);
}

/* Drops what `part` does not say. */
static void keep_common_descriptions(Part* sum, const Part* part)
{
   size_t n = 0;
   for (size_t i = 0; i < sum->n_descriptions; i++) {
      const Description* own = &sum->descriptions[i];
      const Description* other = find_description(part, own->kind);
      if ((other && !strcmp(own->text, other->text)) || is_summed_up(own->kind))
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

/* The definition of an event; NULL: there is none. */
static EventDefinition* find_definition(const Part* part, const char* name)
{
   for (size_t i = 0; i < part->n_definitions; i++)
      if (!strcmp(part->definitions[i].name, name))
         return &part->definitions[i];
   return NULL;
}

static int compare_terms(const Term* a, const Term* b)
{
   int order = strcmp(a->event, b->event);
   return order ? order : (a->factor > b->factor) - (a->factor < b->factor);
}

/* An order of definitions of the same event. */
static int compare_meanings(const EventDefinition* a, const EventDefinition* b)
{
   int order = strcmp(a->long_name, b->long_name);
   if (!order && a->n_terms != b->n_terms)
      order = a->n_terms < b->n_terms ? -1 : 1;
   for (uint32_t i = 0; !order && i < a->n_terms; i++)
      order = compare_terms(&a->terms[i], &b->terms[i]);
   return order;
}

static EventDefinition copy_definition(cg2p_merge* m,
                                       const EventDefinition* definition)
{
   EventDefinition copy = {keep(m, definition->name),
                           keep(m, definition->long_name), NULL,
                           definition->n_terms};
   size_t bytes = copy.n_terms * sizeof *copy.terms;
   copy.terms = cg2p_arena_add(&m->sum->texts, &m->failure, bytes + 1);
   for (uint32_t i = 0; i < copy.n_terms; i++)
      copy.terms[i] = (Term){definition->terms[i].factor,
                             keep(m, definition->terms[i].event)};
   return copy;
}

void cg2p_heading_define(cg2p_merge* m, const EventDefinition* definition)
{
   Part* sum = m->part;
   sum->definitions =
      cg2p_memory_grow(&m->failure, sum->definitions, &sum->definitions_room,
                       sum->n_definitions + 1, sizeof *sum->definitions);
   sum->definitions[sum->n_definitions] = copy_definition(m, definition);
   sum->n_definitions++;
}

/* Adds a definition. Of two of the same event the first in their order stays,
 * whichever came first. */
static void unite_definition(cg2p_merge* m, const EventDefinition* definition)
{
   EventDefinition* own = find_definition(m->part, definition->name);
   if (!own)
      cg2p_heading_define(m, definition);
   else if (compare_meanings(definition, own) < 0)
      *own = copy_definition(m, definition);
}

static void add_skipped(cg2p_merge* m, const Skipped* skipped)
{
   Part* sum = m->part;
   for (size_t i = 0; i < sum->n_skipped; i++)
      if (!strcmp(sum->skipped[i].name, skipped->name)) {
         uint64_t* count = &sum->skipped[i].count;
         if (__builtin_add_overflow(*count, skipped->count, count))
            cg2p_addend_refuse(m);
         return;
      }
   sum->skipped =
      cg2p_memory_grow(&m->failure, sum->skipped, &sum->skipped_room,
                       sum->n_skipped + 1, sizeof *sum->skipped);
   sum->skipped[sum->n_skipped++] =
      (Skipped){keep(m, skipped->name), skipped->count};
}

/*--- Beginning ----------------------------------------------------------*/

static const char**
keep_words(cg2p_merge* m, const char* const* words, uint32_t n)
{
   const char** kept =
      cg2p_arena_add(&m->sum->texts, &m->failure, n * sizeof *kept);
   for (uint32_t i = 0; i < n; i++)
      kept[i] = keep(m, words[i]);
   return kept;
}

/* What a file says of itself is what the first one says. */
static void begin_sum(cg2p_merge* m, const cg2p_profile* profile)
{
   cg2p_profile* sum = m->sum;
   sum->detail = profile->detail;
   sum->version = profile->version;
   sum->creator = keep(m, profile->creator);
   sum->path = keep(m, profile->path);
   cg2p_names_init(&sum->names, &m->failure);
}

void cg2p_heading_begin(cg2p_merge* m,
                        const cg2p_profile* profile,
                        const Part* first)
{
   cg2p_profile* sum = m->sum;
   if (!m->part) begin_sum(m, profile);
   sum->parts = cg2p_memory_grow(&m->failure, sum->parts, &sum->parts_room,
                                 sum->n_parts + 1, sizeof *sum->parts);
   Part* part = cg2p_memory_allocate(&m->failure, sizeof *part);
   sum->parts[sum->n_parts++] = m->part = part;
   part->cmd = keep(m, first->cmd);
   part->has_paths = first->has_paths;
   memcpy(part->columns, first->columns, sizeof part->columns);
   memcpy(part->column_names, first->column_names, sizeof part->column_names);
   part->n_columns = first->n_columns;
   part->events = keep_words(m, first->events, first->n_events);
   part->n_events = part->lines.n_events = first->n_events;
   for (size_t i = 0; i < first->n_descriptions; i++)
      if (!cg2p_part_counts(first->descriptions[i].kind))
         cg2p_heading_describe(m, first->descriptions[i].kind,
                               first->descriptions[i].text);
   m->is_common = true;
   m->has_columns = m->has_events = m->leaves_jumps = false;
   m->n_added = 0;
   m->files = m->cut_off = 0;
}

/* Makes the part's columns those of a set, as it names them. */
static void set_columns(Part* part, unsigned set)
{
   const char* names[COLUMNS_MAX];
   for (int i = 0; i < COLUMNS_MAX; i++)
      names[i] = cg2p_columns[i].name;
   for (uint32_t i = 0; i < part->n_columns; i++)
      names[part->columns[i]] = part->column_names[i];
   part->n_columns = 0;
   for (int i = 0; i < COLUMNS_MAX; i++) {
      if (!(set & cg2p_columns[i].bit)) continue;
      part->columns[part->n_columns] = i;
      part->column_names[part->n_columns++] = names[i];
   }
}

void cg2p_heading_set(cg2p_merge* m, const Part* like, const cg2p_form* form)
{
   Part* part = m->part;
   part->has_pid = like->has_pid;
   part->pid = like->pid;
   part->has_number = like->has_number;
   part->number = like->number;
   part->has_thread = like->has_thread;
   part->thread = like->thread;
   m->is_common = false;
   m->leaves_jumps = form->leaves_jumps;
   m->has_columns = form->columns;
   m->has_events = form->events;
   if (form->columns) {
      m->columns = form->columns;
      set_columns(part, form->columns);
   }
   if (form->events) {
      part->events = keep_words(m, form->events, form->n_events);
      part->n_events = part->lines.n_events = form->n_events;
   }
   for (size_t i = 0; !form->events && i < like->n_definitions; i++)
      cg2p_heading_define(m, &like->definitions[i]);
   size_t bytes = part->n_events * sizeof(uint64_t);
   for (int sum = 0; sum < SUMS; sum++) {
      part->sums[sum] = cg2p_arena_add(&m->sum->texts, &m->failure, bytes);
      memset(part->sums[sum], 0, bytes);
      m->states[sum] = true;
   }
}

/*--- Whether parts can be added -----------------------------------------*/

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
   cg2p_failure_at(
      &m->failure, line, "%s: %s; expected %s as in %s", key,
      cg2p_failure_listed(here, sizeof here, words, n),
      cg2p_failure_listed(there, sizeof there, expected, n_expected),
      m->sum->path);
}

void cg2p_heading_check(cg2p_merge* m)
{
   static const char* const kinds[] = {"a profile", "paths of calls"};
   const Part *sum = m->part, *part = m->more.part;
   if (part->has_paths != sum->has_paths)
      cg2p_failure_at(&m->failure, 1, "%s; expected %s as in %s",
                      kinds[part->has_paths], kinds[sum->has_paths],
                      m->sum->path);
   uint64_t line =
      part->positions_line ? part->positions_line : part->events_line;
   if (!m->more.mapping.events)
      check_words(m, "events", part->events_line, part->events, part->n_events,
                  sum->events, sum->n_events);
   if (!m->has_columns)
      check_words(m, "positions", line, part->column_names, part->n_columns,
                  sum->column_names, sum->n_columns);
}

/*--- Adding -------------------------------------------------------------*/

/* The number that a text is; 1 if it is none. */
static uint64_t count_said(const char* text)
{
   enum { DIGITS_MAX = 9 };
   size_t n = strspn(text, "0123456789");
   return n && n <= DIGITS_MAX && !text[n] ? strtoull(text, NULL, 10) : 1;
}

/* How many files a profile was merged of; 1 if it was not. */
static uint64_t files_in(const cg2p_profile* profile)
{
   const Description* said =
      find_description(profile->parts[0], merged_profiles);
   return said ? count_said(said->text) : 1;
}

/* How many files that were cut off a part was merged of. */
static uint64_t cut_off_in(const Part* part)
{
   const Description* said = find_description(part, CG2P_PARTIAL_KIND);
   if (!said) return 0;
   bool is_sum = !strncmp(said->text, files_cut_off, strlen(files_cut_off));
   return is_sum ? count_said(said->text + strlen(files_cut_off)) : 1;
}

void cg2p_heading_add_profile(cg2p_merge* m, const cg2p_profile* profile)
{
   bool is_first = strcmp(profile->creator, m->sum->creator) < 0;
   if (profile->version != m->sum->version)
      cg2p_failure_at(&m->failure, profile->version_line,
                      "version: %llu; expected %llu as in %s",
                      (unsigned long long)profile->version,
                      (unsigned long long)m->sum->version, m->sum->path);
   if (is_first) m->sum->creator = keep(m, profile->creator);
   m->files += files_in(profile);
}

static void add_to_common(cg2p_merge* m, const Part* part)
{
   Part* sum = m->part;
   if (strcmp(sum->cmd, part->cmd)) sum->cmd = several_commands;
   m->cut_off += cut_off_in(part);
   keep_common_descriptions(sum, part);
   for (size_t i = 0; i < part->n_definitions; i++)
      unite_definition(m, &part->definitions[i]);
}

/* A part of which some is cut off makes the sum such a one. */
static void add_cut_off(cg2p_merge* m, const Part* part)
{
   const Description* said = find_description(part, CG2P_PARTIAL_KIND);
   if (said && !find_description(m->part, CG2P_PARTIAL_KIND))
      cg2p_heading_describe(m, CG2P_PARTIAL_KIND, said->text);
}

static void add_sums(cg2p_merge* m, const Part* part)
{
   add_cut_off(m, part);
   if (m->n_added > 1) m->part->has_number = m->part->has_thread = false;
   for (int sum = 0; sum < SUMS; sum++) {
      m->states[sum] &= part->sums[sum] != NULL;
      if (m->states[sum])
         cg2p_addend_add_cost(m, m->part->sums[sum], part->sums[sum]);
   }
}

void cg2p_heading_add(cg2p_merge* m)
{
   const Part* part = m->more.part;
   m->n_added++;
   for (size_t i = 0; i < part->n_skipped; i++)
      add_skipped(m, &part->skipped[i]);
   unite_lists(m, part);
   add_counted_lists(m, part);
   take_earlier(m, part);
   if (m->is_common)
      add_to_common(m, part);
   else
      add_sums(m, part);
}

/*--- The end ------------------------------------------------------------*/

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

/* Says how many profiles were added, if they were added as a whole. */
static void say_files(cg2p_merge* m)
{
   char files[24];
   snprintf(files, sizeof files, "%llu", (unsigned long long)m->files);
   if (!m->files) return;
   keep_other_descriptions(m->part, merged_profiles);
   cg2p_heading_describe(m, merged_profiles, files);
}

/* Says how many of them were cut off, if any were. */
static void say_cut_off(cg2p_merge* m)
{
   char said[sizeof files_cut_off + 20];
   keep_other_descriptions(m->part, CG2P_PARTIAL_KIND);
   if (!m->cut_off) return;
   snprintf(said, sizeof said, "%s%llu", files_cut_off,
            (unsigned long long)m->cut_off);
   cg2p_heading_describe(m, CG2P_PARTIAL_KIND, said);
}

/* Summary and totals are what functions cost. */
static void state_costs(cg2p_merge* m)
{
   Part* part = m->part;
   size_t bytes = part->n_events * sizeof(uint64_t);
   uint64_t* total = cg2p_arena_add(&m->sum->texts, &m->failure, bytes);
   memset(total, 0, bytes);
   for (uint32_t i = 0; i < part->n_functions; i++) {
      const uint64_t* self = cg2p_part_self(part, i);
      for (uint32_t event = 0; event < part->n_events; event++)
         if (__builtin_add_overflow(total[event], self[event], &total[event]))
            cg2p_addend_refuse(m);
   }
   part->sums[CG2P_SUMMARY] = part->sums[CG2P_TOTALS] = total;
}

void cg2p_heading_end(cg2p_merge* m)
{
   Part* part = m->part;
   if (!part) return;
   if (m->is_common) {
      say_files(m);
      say_cut_off(m);
      sort_header(part);
   }
   if (m->is_common || m->has_events)
      state_costs(m);
   else
      for (int sum = 0; sum < SUMS; sum++)
         if (!m->states[sum]) part->sums[sum] = NULL;
}
