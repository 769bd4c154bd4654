#include "read/header.h"
#include "read/lexer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Key {
   KEY_VERSION,
   KEY_CREATOR,
   KEY_PID,
   KEY_CMD,
   KEY_PART,
   KEY_THREAD,
   KEY_DESC,
   KEY_EVENT,
   KEY_POSITIONS,
   KEY_EVENTS,
   KEY_SUMMARY,
   KEY_TOTALS,
   KEY_ARCH,
   KEY_TIMEFRAME,
   KEY_CMDS,
   KEYS
} Key;

static const char* const key_names[KEYS] = {
   "version", "creator",        "pid",       "cmd",    "part",    "thread",
   "desc",    "event",          "positions", "events", "summary", "totals",
   "arch",    "timeframe (BB)", "cmds"};

static bool is(Text text, const char* word)
{
   size_t length = strlen(word);
   return cg2p_text_length(text) == length && !memcmp(text.start, word, length);
}

static Key key_of(Text text)
{
   Key key = 0;
   while (key < KEYS && !is(text, key_names[key]))
      key++;
   return key;
}

/* The next word of *rest, which is cut off there; empty at the end. */
static Text next_word(Text* rest)
{
   const char* start = cg2p_text_behind_blanks(rest->start, rest->end);
   Text word = cg2p_text_word_at(start, rest->end);
   rest->start = word.end;
   return word;
}

/* A copy of a header's text, which can have no 0, as that ends it. */
static char* keep(Reader* r, Text text)
{
   cg2p_reading_check_text(r, text);
   return cg2p_arena_text(&r->profile->texts, &r->failure, text.start,
                          cg2p_text_length(text));
}

/*--- Numbers and sums ---------------------------------------------------*/

static uint64_t number(Reader* r, Key key, Text value)
{
   uint64_t n;
   if (!cg2p_number_read(value, &n))
      cg2p_reading_refuse(r, "%s: '%s'; expected a number", key_names[key],
                          cg2p_reading_show(r, value));
   return n;
}

static void read_version(Reader* r, Text value)
{
   r->profile->version = number(r, KEY_VERSION, value);
   r->profile->version_line = r->text.line;
   if (r->profile->version > 1)
      cg2p_reading_refuse(r, "version %s; expected version 0 or 1",
                          cg2p_reading_show(r, value));
}

static void read_sum(Reader* r, cg2p_sum sum, Key key, Text value)
{
   Part* part = r->part;
   if (!part->n_events)
      cg2p_reading_refuse(r, "%s: before events:; expected events: first",
                          key_names[key]);
   size_t bytes = part->n_events * sizeof *r->cost;
   part->sum_lines[sum] = r->text.line;
   cg2p_lexer_read_costs(r, value.start, value.end);
   part->sums[sum] = cg2p_arena_add(&r->profile->texts, &r->failure, bytes);
   memcpy(part->sums[sum], r->cost, bytes);
}

/*--- Descriptions -------------------------------------------------------*/

static void add_skipped(Reader* r, Skipped* skipped, uint64_t count)
{
   if (__builtin_add_overflow(skipped->count, count, &skipped->count))
      cg2p_reading_refuse(
         r,
         "the calls of '%s' add up to more than 64 bits; expected a "
         "sum of less than 18446744073709551616",
         skipped->name);
}

/* Whether `text` is "Skipped: 17 name"; if so adds it. */
static bool read_skipped(Reader* r, Text text)
{
   enum { DIGITS_MAX = 20 };
   static const char word[] = "Skipped:";
   Part* part = r->part;
   if (cg2p_text_length(text) < sizeof word - 1 ||
       memcmp(text.start, word, sizeof word - 1))
      return false;
   Text name = {text.start + sizeof word - 1, text.end};
   Text digits = next_word(&name);
   uint64_t count;
   bool is_number = cg2p_text_length(digits) <= DIGITS_MAX &&
                    digits.start < digits.end &&
                    cg2p_number_read(digits, &count) &&
                    !memchr(digits.start, 'x', cg2p_text_length(digits));
   if (!is_number || name.end - name.start < 2 || *name.start != ' ')
      return false;
   name.start++;
   for (size_t i = 0; i < part->n_skipped; i++)
      if (is(name, part->skipped[i].name)) {
         add_skipped(r, &part->skipped[i], count);
         return true;
      }
   part->skipped =
      cg2p_memory_grow(&r->failure, part->skipped, &part->skipped_room,
                       part->n_skipped + 1, sizeof *part->skipped);
   part->skipped[part->n_skipped++] = (Skipped){keep(r, name), count};
   return true;
}

/* Adds a description, which replaces the one of its kind. */
static void add_description(Reader* r, Text kind, Text text)
{
   Part* part = r->part;
   for (size_t i = 0; i < part->n_descriptions; i++)
      if (is(kind, part->descriptions[i].kind)) {
         part->descriptions[i].text = keep(r, text);
         return;
      }
   part->descriptions = cg2p_memory_grow(
      &r->failure, part->descriptions, &part->descriptions_room,
      part->n_descriptions + 1, sizeof *part->descriptions);
   part->descriptions[part->n_descriptions++] =
      (Description){keep(r, kind), keep(r, text)};
}

static Text text_of(const char* text)
{
   return (Text){text, text + strlen(text)};
}

void cg2p_header_say_cut_off(Reader* r)
{
   char said[120];
   cg2p_profile* profile = r->profile;
   profile->cut_off = cg2p_reading_where_cut_off(r);
   snprintf(said, sizeof said, "cut off %s", profile->cut_off);
   add_description(r, text_of(CG2P_PARTIAL_KIND), text_of(said));
}

static void read_description(Reader* r, Text value)
{
   const char* colon = memchr(value.start, ':', cg2p_text_length(value));
   Text kind =
      cg2p_text_strip((Text){value.start, colon ? colon : value.start});
   if (!colon || kind.start == kind.end)
      cg2p_reading_refuse(r, "desc: '%s'; expected 'desc: type: value'",
                          cg2p_reading_show(r, value));
   if (read_skipped(r, value)) return;
   add_description(r, kind, cg2p_text_strip((Text){colon + 1, value.end}));
}

/*--- Events -------------------------------------------------------------*/

/* Reads "+ 10 Bm", "+ 10 * Bm" or "- Bm" at *at into *term; false: there is no
 * term. The first one of a formula needs no sign, which `sign` then is. */
static bool
read_term(Reader* r, const char** at, const char* end, char sign, Term* term)
{
   enum { DIGITS_MAX = 18 };
   const char* p = *at;
   if (!sign) {
      if (p == end || (*p != '+' && *p != '-')) return false;
      sign = *p++;
   }
   p = cg2p_text_behind_blanks(p, end);
   const char* digits = p;
   int64_t factor = 0;
   while (p < end && cg2p_text_is_digit(*p) && p - digits < DIGITS_MAX)
      factor = 10 * factor + (*p++ - '0');
   const char* name = cg2p_text_behind_blanks(p, end);
   if (p > digits && name < end && *name == '*')
      name = cg2p_text_behind_blanks(name + 1, end);
   const char* stop = name;
   while (stop < end && !cg2p_text_is_blank(*stop) && *stop != '+' &&
          *stop != '*' && *stop != '=' && *stop != '-')
      stop++;
   if (p > digits && stop == name) { /* the digits are the name's */
      name = digits;
      stop = p;
      /* A name of digits alone leaves the factor at least one digit. */
      if (stop - name > 1) {
         factor = 0;
         for (const char* d = digits; d < stop - 1; d++)
            factor = 10 * factor + (*d - '0');
         name = stop - 1;
      } else
         factor = 1;
   } else if (p == digits)
      factor = 1;
   if (stop == name) return false;
   term->factor = sign == '-' ? -factor : factor;
   term->event = keep(r, (Text){name, stop});
   *at = cg2p_text_behind_blanks(stop, end);
   return true;
}

static void read_formula(Reader* r, EventDefinition* definition, Text formula)
{
   Term* terms = NULL;
   size_t n = 0, room = 0;
   const char* at = formula.start;
   char sign = at < formula.end && *at == '-' ? 0 : '+';
   Term term;
   while (read_term(r, &at, formula.end, sign, &term)) {
      if (n == room) {
         size_t more = room ? 2 * room : 4;
         Term* grown = cg2p_arena_add(&r->profile->texts, &r->failure,
                                      more * sizeof *grown);
         if (n) memcpy(grown, terms, n * sizeof *terms);
         terms = grown;
         room = more;
      }
      terms[n++] = term;
      sign = 0;
   }
   if (at < formula.end || !n)
      cg2p_reading_refuse(r,
                          "event formula '%s'; expected a sum as 'Ir + 10 Bm'",
                          cg2p_reading_show(r, formula));
   definition->terms = terms;
   definition->n_terms = n;
}

static void read_event(Reader* r, Text value)
{
   Part* part = r->part;
   const char* colon = memchr(value.start, ':', cg2p_text_length(value));
   Text left = {value.start, colon ? colon : value.end};
   Text longer = {colon ? colon + 1 : value.end, value.end};
   const char* equals = memchr(left.start, '=', cg2p_text_length(left));
   Text name = cg2p_text_strip((Text){left.start, equals ? equals : left.end});
   if (name.start == name.end)
      cg2p_reading_refuse(
         r,
         "event: '%s'; expected 'event: name [= formula] [: long "
         "name]'",
         cg2p_reading_show(r, value));
   EventDefinition made = {keep(r, name), keep(r, cg2p_text_strip(longer)),
                           NULL, 0};
   if (equals)
      read_formula(r, &made, cg2p_text_strip((Text){equals + 1, left.end}));
   for (size_t i = 0; i < part->n_definitions; i++)
      if (!strcmp(part->definitions[i].name, made.name)) {
         part->definitions[i] = made;
         return;
      }
   part->definitions =
      cg2p_memory_grow(&r->failure, part->definitions, &part->definitions_room,
                       part->n_definitions + 1, sizeof *part->definitions);
   part->definitions[part->n_definitions++] = made;
}

static int compare_texts(const void* a, const void* b)
{
   return strcmp(*(const char* const*)a, *(const char* const*)b);
}

static bool has_twins(Reader* r, const char** events, uint32_t n)
{
   size_t bytes = n * sizeof *events;
   const char** sorted = cg2p_arena_add(&r->profile->texts, &r->failure, bytes);
   memcpy(sorted, events, bytes);
   qsort(sorted, n, sizeof *sorted, compare_texts);
   for (uint32_t i = 1; i < n; i++)
      if (!strcmp(sorted[i - 1], sorted[i])) return true;
   return false;
}

static void read_events(Reader* r, Text value)
{
   Part* part = r->part;
   uint32_t n = 0;
   for (Text rest = value; cg2p_text_length(next_word(&rest)) > 0;)
      n++;
   const char** events =
      cg2p_arena_add(&r->profile->texts, &r->failure, (n + 1) * sizeof *events);
   Text rest = value;
   for (uint32_t i = 0; i < n; i++)
      events[i] = keep(r, next_word(&rest));
   if (!n || has_twins(r, events, n))
      cg2p_reading_refuse(r,
                          "events: '%s'; expected one or more different names",
                          cg2p_reading_show(r, value));
   part->events = events;
   part->n_events = part->lines.n_events = n;
   part->events_line = r->text.line;
   cg2p_reading_reserve_cost(r);
}

/*--- Positions ----------------------------------------------------------*/

/* The name that the list of columns has for `word`, and whose it is; NULL: it
 * is no column's. */
static const char* column_named(Text word, int* column)
{
   for (int i = 0; i < COLUMNS_MAX; i++) {
      const char *name = cg2p_columns[i].name, *other = cg2p_columns[i].synonym;
      *column = i;
      if (is(word, name)) return name;
      if (other && is(word, other)) return other;
   }
   return NULL;
}

static void read_positions(Reader* r, Text value)
{
   Part* part = r->part;
   Text rest = value;
   int column, last = -1;
   part->n_columns = 0;
   for (;;) {
      Text word = next_word(&rest);
      if (word.start == word.end) break;
      const char* name = column_named(word, &column);
      if (!name || column <= last) {
         part->n_columns = 0;
         break;
      }
      last = column;
      part->column_names[part->n_columns] = name;
      part->columns[part->n_columns++] = column;
   }
   if (!part->n_columns)
      cg2p_reading_refuse(
         r, "positions: '%s'; expected 'line', 'instr' or 'instr line'",
         cg2p_reading_show(r, value));
   part->positions_line = r->text.line;
}

/*--- Parts --------------------------------------------------------------*/

/* Whether a description holds for its own part alone. */
static bool is_of_part(const char* kind)
{
   return !strcmp(kind, CG2P_PARTIAL_KIND) || cg2p_part_counts(kind);
}

static void inherit(Reader* r, Part* part, const Part* before)
{
   part->pid = before->pid;
   part->has_pid = before->has_pid;
   part->cmd = before->cmd;
   for (size_t i = 0; i < before->n_descriptions; i++) {
      const Description* d = &before->descriptions[i];
      if (!is_of_part(d->kind))
         add_description(r, text_of(d->kind), text_of(d->text));
   }
}

void cg2p_header_begin_part(Reader* r)
{
   cg2p_profile* profile = r->profile;
   Part* before = r->part;
   if (before) cg2p_part_end(before);
   profile->parts =
      cg2p_memory_grow(&r->failure, profile->parts, &profile->parts_room,
                       profile->n_parts + 1, sizeof *profile->parts);
   Part* part = cg2p_memory_allocate(&r->failure, sizeof *part);
   profile->parts[profile->n_parts++] = r->part = part;
   part->cmd = "";
   part->columns[0] = COLUMN_LINE;
   part->column_names[0] = cg2p_columns[COLUMN_LINE].name;
   part->n_columns = 1;
   if (before) inherit(r, part, before);
   r->names.part++;
   r->in_body = false;
   r->seen = 0;
   r->scope.object = r->scope.function_file = r->scope.file = NAME_UNKNOWN;
   r->scope.function_name = r->scope.function = NO_NAME;
   r->next.callee_object = r->next.callee_file = r->next.callee_name = NO_NAME;
   r->next.jump_file = r->next.jump_function = NO_NAME;
   r->at = (Place){0, 0, 0};
}

/*--- Any line -----------------------------------------------------------*/

/* Specs that Callgrind's hidden options write and no reader understands. */
static const struct {
   const char *spec, *option;
} not_read[] = {{"rec", "--mangle-names=no"},
                {"frfn", "--mangle-names=no"},
                {"bb", "--dump-bbs=yes"},
                {"ln", "--dump-bbs=yes"}};

static _Noreturn void refuse_unknown(Reader* r, Text text)
{
   const char* equals = memchr(text.start, '=', cg2p_text_length(text));
   Text spec = {text.start, equals ? equals : text.end};
   for (size_t i = 0; i < sizeof not_read / sizeof *not_read; i++)
      if (is(spec, not_read[i].spec))
         cg2p_reading_refuse(
            r,
            "'%s' is written with %s only; expected a profile made "
            "without that option",
            cg2p_reading_show(r, cg2p_text_strip(text)), not_read[i].option);
   cg2p_reading_check_text(r, text);
   cg2p_reading_refuse(
      r,
      "unknown line '%s'; expected 'key: value', 'spec=name' or a "
      "cost line",
      cg2p_reading_show(r, cg2p_text_strip(text)));
}

/* Whether a part may have a line several times. */
static bool may_repeat(Key key)
{
   return key == KEY_DESC || key == KEY_EVENT;
}

static bool is_sum(Key key)
{
   return key == KEY_SUMMARY || key == KEY_TOTALS;
}

static void read_value(Reader* r, Key key, Text value)
{
   Part* part = r->part;
   switch (key) {
   case KEY_VERSION:
      read_version(r, value);
      break;
   case KEY_CREATOR:
      r->profile->creator = keep(r, value);
      break;
   case KEY_PID:
      part->pid = number(r, key, value);
      part->has_pid = true;
      break;
   case KEY_CMD:
   case KEY_CMDS: /* pprofile's */
      part->cmd = keep(r, value);
      break;
   case KEY_PART:
      part->number = number(r, key, value);
      part->has_number = true;
      break;
   case KEY_THREAD:
      part->thread = number(r, key, value);
      part->has_thread = true;
      break;
   case KEY_DESC:
      read_description(r, value);
      break;
   case KEY_EVENT:
      read_event(r, value);
      break;
   case KEY_POSITIONS:
      read_positions(r, value);
      break;
   case KEY_EVENTS:
      read_events(r, value);
      break;
   case KEY_SUMMARY:
      read_sum(r, CG2P_SUMMARY, key, value);
      break;
   case KEY_TOTALS:
      read_sum(r, CG2P_TOTALS, key, value);
      break;
   default: /* says nothing about costs */
      break;
   }
}

/* Whether the part that ends here has the totals that it needs. */
static void check_totals(Reader* r)
{
   if (cg2p_part_needs_totals(r->profile) && !(r->seen & 1u << KEY_TOTALS))
      cg2p_reading_refuse(
         r, "a part begins, but the one before it has no totals: line; "
            "expected one at its end: some of the file is missing here");
}

void cg2p_header_read(Reader* r, Text text)
{
   const char* colon = memchr(text.start, ':', cg2p_text_length(text));
   Text name = {text.start, colon ? colon : text.end};
   Key key = key_of(name);
   if (key == KEYS) refuse_unknown(r, text);
   if (!is_sum(key) && (r->in_body || r->seen & 1u << KEY_TOTALS)) {
      check_totals(r);
      cg2p_header_begin_part(r);
   }
   if (!may_repeat(key) && r->seen & 1u << key)
      cg2p_reading_refuse(r, "a second %s: line; expected one in each part",
                          key_names[key]);
   r->seen |= 1u << key;
   Text value = {colon ? colon + 1 : text.end, text.end};
   read_value(r, key, cg2p_text_strip(value));
}
