/* The one reader of the Callgrind format.
 *
 * Words of the format:
 *
 * spec         a body line `fn=main`: what the following lines belong to
 * id           a number for a name: `fn=(3) main` defines it, `fn=(3)` uses it;
 *              objects, files and functions count apart, and anew in each part
 * subposition  one number of a position: an address or a line. `+3`, `-3` and
 *              `*` are relative to the previous cost line
 * cost line    subpositions, then costs; costs missing at the end are 0
 * association  `calls=`, `jump=` or `jcnd=` and the target's position; the line
 *              after it has the source's position, and the calls' inclusive
 *              cost
 *
 * What the format does not allow ends the reading with the line's number, what
 * is wrong and what was expected. */
#include "read/reader.h"
#include "read/ahead.h"
#include "read/header.h"
#include "read/lexer.h"
#include "read/pathreader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How a file is read that has to be one of paths. */
#define PATHS_ALONE (1u << 31)

/*--- Functions ----------------------------------------------------------*/

/* The number of a function, whose name has an id, or NULL, which remembers it.
 */
static uint32_t number_of(Reader* r, cg2p_function key, Id* id)
{
   if (id && id->function_part == r->names.part && id->file == key.file &&
       id->object == key.object)
      return id->function;
   uint32_t number = cg2p_part_intern_function(r->part, &r->failure, key);
   if (!id) return number;
   id->function_part = r->names.part;
   id->function = number;
   id->object = key.object;
   id->file = key.file;
   return number;
}

/* The function that the current line is of: that of the current ob=, fl= and
 * fn=. */
static uint32_t bind_function(Reader* r)
{
   if (r->scope.function_name == NO_NAME)
      cg2p_reading_refuse(
         r, "a cost line before the first fn=; expected fn= first");
   r->scope.function =
      number_of(r,
                (cg2p_function){r->scope.object, r->scope.function_file,
                                r->scope.function_name},
                r->scope.function_id);
   r->scope.in_run = false;
   return r->scope.function;
}

static inline uint32_t current_function(Reader* r)
{
   return r->scope.function != NO_NAME ? r->scope.function : bind_function(r);
}

/* Adds a line to those of the current function, if lines are kept. */
static void keep_line(Reader* r, Line* line)
{
   Part* part = r->part;
   if (r->profile->detail < CG2P_LINES) return;
   Runs* runs = cg2p_part_runs(part, &r->failure, r->scope.function);
   line->file = r->scope.file;
   line->cost = r->cost;
   if (!r->scope.in_run) {
      runs->last =
         cg2p_lines_begin(&part->lines, &r->failure, r->scope.function,
                          r->scope.file, runs->last);
      if (!runs->first) runs->first = runs->last;
      r->scope.in_run = true;
   }
   runs->last = cg2p_lines_add(&part->lines, &r->failure, line);
}

/*--- Associations -------------------------------------------------------*/

/* Takes the count that an association begins with off *text. */
static uint64_t read_count(Reader* r, const char* spec, Text* text)
{
   uint64_t n;
   Text word = cg2p_text_word_at(
      cg2p_text_behind_blanks(text->start, text->end), text->end);
   if (cg2p_number_read_usual(word.start, &n) != word.end &&
       !cg2p_number_read(word, &n))
      cg2p_reading_refuse(
         r, "%s= without a count; expected a number and a position", spec);
   text->start = word.end;
   return n;
}

/* Reads the position that an association leads to, the whole of `text`, if it
 * is usual. */
static bool read_usual_target(Reader* r, Text text, Place* target)
{
   const char* end = cg2p_lexer_read_usual_place(r, text.start, target);
   return end && cg2p_text_behind_blanks(end, text.end) == text.end;
}

/* Does the same of any position. That there are more numbers than a position
 * has is wrong whatever they are. */
static void read_target(Reader* r, const char* spec, Text text, Place* target)
{
   char names[64];
   const Part* part = r->part;
   if (read_usual_target(r, text, target)) return;
   uint64_t n = cg2p_text_count_words(text.start, text.end);
   if (n > part->n_columns)
      cg2p_reading_refuse(
         r,
         "%s= with %llu numbers after the count; expected a position "
         "of %u (%s)",
         spec, (unsigned long long)n, part->n_columns,
         cg2p_failure_listed(names, sizeof names, part->column_names,
                             part->n_columns));
   cg2p_lexer_read_place_slowly(r, text.start, text.end, target);
}

/* A position of zeros, of so many columns. Xdebug writes two whatever the
 * columns are, as it does not know where a function begins. */
static Text without_more_zeros(Text position, uint32_t n_columns)
{
   Text left = position, rest = position;
   for (uint32_t i = 0;; i++) {
      rest.start = cg2p_text_behind_blanks(rest.start, rest.end);
      Text word = cg2p_text_word_at(rest.start, rest.end);
      if (word.start == word.end) return left;
      if (cg2p_text_length(word) != 1 || *word.start != '0') return position;
      if (i < n_columns) left.end = word.end;
      rest.start = word.end;
   }
}

static void read_calls(Reader* r, Text value)
{
   Line* line = &r->next.line;
   *line = (Line){.kind = CG2P_CALL};
   line->count = read_count(r, "calls", &value);
   if (!read_usual_target(r, value, &line->target))
      read_target(r, "calls", without_more_zeros(value, r->part->n_columns),
                  &line->target);
   if (r->next.callee_name == NO_NAME)
      cg2p_reading_refuse(r, "calls= without a callee; expected cfn= first");
   cg2p_function callee = {
      r->next.callee_object == NO_NAME ? r->scope.object
                                       : r->next.callee_object,
      r->next.callee_file == NO_NAME ? r->scope.file : r->next.callee_file,
      r->next.callee_name};
   r->next.callee_object = r->next.callee_file = r->next.callee_name = NO_NAME;
   line->function = number_of(r, callee, r->next.callee_id);
   current_function(r);
   r->next.spec = "calls";
}

static void read_jump_to(Reader* r, const char* spec, Text value)
{
   Line* line = &r->next.line;
   read_target(r, spec, value, &line->target);
   line->target_file = r->next.jump_file != NO_NAME     ? r->next.jump_file
                       : r->next.callee_file != NO_NAME ? r->next.callee_file
                                                        : r->scope.file;
   line->function = current_function(r);
   if (r->next.jump_function != NO_NAME)
      line->function =
         number_of(r,
                   (cg2p_function){r->scope.object, line->target_file,
                                   r->next.jump_function},
                   NULL);
   r->next.jump_file = r->next.jump_function = r->next.callee_file = NO_NAME;
   r->next.spec = spec;
}

static void read_jump(Reader* r, Text value)
{
   r->next.line = (Line){.kind = CG2P_JUMP};
   r->next.line.count = read_count(r, "jump", &value);
   r->next.line.executed = r->next.line.count;
   read_jump_to(r, "jump", value);
}

/* Callgrind writes taken/executed, its manual says executed taken. */
static void read_conditional_jump(Reader* r, Text value)
{
   Line* line = &r->next.line;
   *line = (Line){.kind = CG2P_JUMP, .is_conditional = 1};
   Text word = cg2p_text_word_at(
      cg2p_text_behind_blanks(value.start, value.end), value.end);
   const char* slash = memchr(word.start, '/', cg2p_text_length(word));
   if (slash) {
      Text taken = {word.start, slash}, executed = {slash + 1, word.end};
      line->count = read_count(r, "jcnd", &taken);
      line->executed = read_count(r, "jcnd", &executed);
      value.start = word.end;
   } else {
      line->executed = read_count(r, "jcnd", &value);
      line->count = read_count(r, "jcnd", &value);
   }
   read_jump_to(r, "jcnd", value);
}

/* Adds calls, of r->cost, to the arc that they are of. */
static void add_calls(Reader* r, const Line* calls)
{
   Part* part = r->part;
   uint32_t arc = cg2p_part_intern_arc(part, &r->failure, r->scope.function,
                                       calls->function);
   if (__builtin_add_overflow(part->arcs[arc].count, calls->count,
                              &part->arcs[arc].count))
      cg2p_reading_refuse(
         r, "the calls add up to more than 64 bits; expected a sum "
            "of less than 18446744073709551616");
   cg2p_reading_add_cost(r, cg2p_part_inclusive(part, arc));
}

/* Where a line ends: at its newline. */
static inline const char* end_of_line(const char* p)
{
   return rawmemchr(p, '\n');
}

/* Reads a place into r->at, and costs, of a line that is not usual; where the
 * next line begins. */
static const char* read_place_and_costs_slowly(Reader* r, const char* p)
{
   Place at;
   const char* end = end_of_line(p);
   p = cg2p_lexer_read_place(r, p, end, &at);
   r->at = at;
   cg2p_lexer_read_costs(r, p, end);
   return end + 1;
}

/* Does the same of any line; the usual one is read once, without a look for its
 * end before. */
__attribute__((always_inline)) static inline const char*
read_place_and_costs(Reader* r, const char* p)
{
   uint64_t at[COLUMNS_MAX];
   const char* behind = cg2p_lexer_read_usual_columns(r, p, at);
   const char* next = behind ? cg2p_lexer_read_usual_costs(r, behind) : NULL;
   if (!next) return read_place_and_costs_slowly(r, p);
   cg2p_lexer_set_place(r, &r->at, at);
   return next;
}

/* The line behind an association's first one: the source's position, and what
 * the calls cost. */
static const char* read_second_line(Reader* r, const char* p)
{
   Line* line = &r->next.line;
   if (line->kind == CG2P_JUMP &&
       cg2p_text_count_words(p, end_of_line(p)) > r->part->n_columns)
      cg2p_reading_refuse(r,
                          "costs after %s=; expected the jump's position alone",
                          r->next.spec);
   const char* next = read_place_and_costs(r, p);
   line->at = r->at;
   r->next.spec = NULL;
   if (line->kind == CG2P_CALL && r->profile->detail >= CG2P_SUMS)
      add_calls(r, line);
   keep_line(r, line);
   return next;
}

/*--- Lines --------------------------------------------------------------*/

static inline const char* read_cost_line(Reader* r, const char* p)
{
   uint32_t function = current_function(r);
   const char* next = read_place_and_costs(r, p);
   cg2p_reading_add_cost(r, cg2p_part_self(r->part, function));
   if (r->profile->detail < CG2P_LINES) return next;
   Line line = {.kind = CG2P_COST, .at = r->at};
   keep_line(r, &line);
   return next;
}

typedef enum Spec {
   SPEC_OB,
   SPEC_FL,
   SPEC_FI,
   SPEC_FE,
   SPEC_FN,
   SPEC_COB,
   SPEC_CFI,
   SPEC_CFL,
   SPEC_CFN,
   SPEC_CALLS,
   SPEC_JFI,
   SPEC_JFN,
   SPEC_JUMP,
   SPEC_JCND,
   SPEC_CFNI,
   SPECS
} Spec;

/* Up to eight letters as a number, in the order of the text. */
#define KEY2(a, b)          ((uint64_t)(b) << 8 | (a))
#define KEY3(a, b, c)       ((uint64_t)(c) << 16 | KEY2(a, b))
#define KEY4(a, b, c, d)    ((uint64_t)(d) << 24 | KEY3(a, b, c))
#define KEY5(a, b, c, d, e) ((uint64_t)(e) << 32 | KEY4(a, b, c, d))

static Spec spec_of_key(uint64_t key)
{
   switch (key) {
   case KEY2('o', 'b'):
      return SPEC_OB;
   case KEY2('f', 'l'):
      return SPEC_FL;
   case KEY2('f', 'i'):
      return SPEC_FI;
   case KEY2('f', 'e'):
      return SPEC_FE;
   case KEY2('f', 'n'):
      return SPEC_FN;
   case KEY3('c', 'o', 'b'):
      return SPEC_COB;
   case KEY3('c', 'f', 'i'):
      return SPEC_CFI;
   case KEY3('c', 'f', 'l'):
      return SPEC_CFL;
   case KEY3('c', 'f', 'n'):
      return SPEC_CFN;
   case KEY3('j', 'f', 'i'):
      return SPEC_JFI;
   case KEY3('j', 'f', 'n'):
      return SPEC_JFN;
   case KEY4('j', 'u', 'm', 'p'):
      return SPEC_JUMP;
   case KEY4('j', 'c', 'n', 'd'):
      return SPEC_JCND;
   case KEY4('c', 'f', 'n', 'i'):
      return SPEC_CFNI;
   case KEY5('c', 'a', 'l', 'l', 's'):
      return SPEC_CALLS;
   default:
      return SPECS;
   }
}

/* The spec that a line begins with, up to a '=' or its end, which *text is left
 * at; SPECS, and *text as it was: there is none. */
static Spec take_spec(Text* text)
{
   enum { BITS = 8 };
   const uint64_t letter_bits = 0x4040404040404040; /* nor '=' nor an end has */
   uint64_t word;
   memcpy(&word, text->start, sizeof word);
   word = le64toh(word);
   uint64_t others = ~word & letter_bits;
   if (!others) return SPECS;
   unsigned n = __builtin_ctzll(others) / BITS;
   const char* mark = text->start + n;
   if (mark < text->end && *mark != '=') return SPECS;
   Spec spec = spec_of_key(word & (((uint64_t)1 << n * BITS) - 1));
   if (spec < SPECS) text->start = mark;
   return spec;
}

static void begin_body(Reader* r)
{
   if (!r->part->n_events)
      cg2p_reading_refuse(r,
                          "the body begins before the events: line; expected "
                          "events: in the header");
   r->in_body = true;
}

static void read_spec(Reader* r, Spec spec, Text value)
{
   switch (spec) {
   case SPEC_OB:
      r->scope.object = cg2p_lexer_read_name(r, ID_OBJECT, value);
      r->scope.function = NO_NAME;
      break;
   case SPEC_FL:
      r->scope.function_file = r->scope.file =
         cg2p_lexer_read_name(r, ID_FILE, value);
      r->scope.function = NO_NAME;
      break;
   case SPEC_FI:
   case SPEC_FE:
      r->scope.file = cg2p_lexer_read_name(r, ID_FILE, value);
      break;
   case SPEC_FN:
      r->scope.function_name = cg2p_lexer_read_name(r, ID_FUNCTION, value);
      r->scope.function_id = r->names.last;
      r->scope.file = r->scope.function_file;
      r->scope.function = NO_NAME;
      break;
   case SPEC_COB:
      r->next.callee_object = cg2p_lexer_read_name(r, ID_OBJECT, value);
      break;
   case SPEC_CFI:
   case SPEC_CFL:
      r->next.callee_file = cg2p_lexer_read_name(r, ID_FILE, value);
      break;
   case SPEC_CFN:
      r->next.callee_name = cg2p_lexer_read_name(r, ID_FUNCTION, value);
      r->next.callee_id = r->names.last;
      break;
   case SPEC_CALLS:
      read_calls(r, value);
      break;
   case SPEC_JFI:
      r->next.jump_file = cg2p_lexer_read_name(r, ID_FILE, value);
      break;
   case SPEC_JFN:
      r->next.jump_function = cg2p_lexer_read_name(r, ID_FUNCTION, value);
      break;
   case SPEC_JUMP:
      read_jump(r, value);
      break;
   case SPEC_JCND:
      read_conditional_jump(r, value);
      break;
   default: /* says nothing about costs */
      break;
   }
}

static void read_other_line(Reader* r, const char* p, const char* end)
{
   Text text = cg2p_text_line(p, end);
   Spec spec = take_spec(&text);
   if (spec < SPECS) {
      if (!r->in_body) begin_body(r);
      bool has_value = text.start < text.end;
      read_spec(r, spec, (Text){text.start + has_value, text.end});
      return;
   }
   Text stripped = cg2p_text_strip(text);
   if (stripped.start < stripped.end && *text.start != '#')
      cg2p_header_read(r, text);
}

static _Noreturn void refuse_first_line_alone(Reader* r, Text line)
{
   const char* spec = r->next.spec;
   cg2p_reading_refuse(r, "'%s' after %s=; expected the position the %s= is at",
                       cg2p_reading_show(r, cg2p_text_strip(line)), spec, spec);
}

static inline bool begins_cost_line(char c)
{
   return cg2p_text_is_digit(c) || c == '+' || c == '-' || c == '*';
}

/* Fetches what the next lines need; up to where. */
static const char*
fetch_stretch(const Reader* r, const char* p, const char* end)
{
   enum { STRETCH = 2048 };
   if (end - p > STRETCH) end = p + STRETCH;
   cg2p_ahead_fetch(r, p, end);
   return end;
}

/* Reads the lines in [p, end), which ends in a newline. */
static void read_lines(Reader* r, const char* p, const char* end)
{
   const char* fetched = p;
   while (p < end) {
      if (p >= fetched) fetched = fetch_stretch(r, p, end);
      uint64_t line = r->text.next_line++;
      if (*p == '\n' && !r->next.spec) {
         p++;
         continue;
      }
      r->text.line = line;
      if (begins_cost_line(*p)) {
         p = r->next.spec ? read_second_line(r, p) : read_cost_line(r, p);
         continue;
      }
      const char* newline = end_of_line(p);
      if (!r->next.spec)
         read_other_line(r, p, newline);
      else if (*p != '#')
         refuse_first_line_alone(r, (Text){p, newline});
      p = newline + 1;
   }
}

/*--- A file -------------------------------------------------------------*/

static bool has_functions(const cg2p_profile* profile)
{
   for (size_t i = 0; i < profile->n_parts; i++)
      if (profile->parts[i]->n_functions) return true;
   return false;
}

/* Leaves out what was begun last and is not complete: calls or a jump whose
 * second line is cut off, a part of which there is only a header. */
static void leave_rest(Reader* r)
{
   cg2p_profile* profile = r->profile;
   r->next.spec = NULL;
   if (r->part->n_functions) {
      cg2p_reading_state_costs(r);
      cg2p_part_end(r->part);
      return;
   }
   if (!has_functions(profile))
      cg2p_failure_at(&r->failure, 0,
                      "the file is cut off %s, in front of its first function; "
                      "expected at least one",
                      cg2p_reading_where_cut_off(r));
   cg2p_part_free(r->part);
   r->part = profile->parts[--profile->n_parts - 1];
}

static void check_complete(Reader* r)
{
   const char* spec = r->next.spec;
   if (spec)
      cg2p_reading_refuse(
         r,
         "the file ends after %s=; expected the position the %s= is "
         "at",
         spec, spec);
   if (!r->part->n_events)
      cg2p_reading_refuse(
         r, "the file ends without an events: line; expected one");
   cg2p_part_end(r->part);
}

/* Ends the last part, as far as it is there. */
static void end_file(Reader* r)
{
   r->text.is_at_end = true;
   if (!r->text.line) r->text.line = 1; /* no line says anything */
   if (!r->text.has_lines && !r->input.has_rest && !r->input.lacks_end)
      cg2p_reading_refuse(r, "the file is empty; expected a profile");
   bool is_cut_off = cg2p_reading_is_cut_off(r);
   if (is_cut_off && r->input.may_be_cut) {
      leave_rest(r);
      cg2p_header_say_cut_off(r);
   } else {
      check_complete(r);
      if (is_cut_off) r->profile->cut_off = cg2p_reading_where_cut_off(r);
   }
}

/* Finds out by its first line what the file is. */
static void
find_format(Reader* r, unsigned how, const char* text, const char* end)
{
   static const char format[] = CG2P_PATHS_FORMAT;
   size_t length = sizeof format - 1;
   Text line = {text, memchr(text, '\n', end - text)};
   bool has_paths =
      cg2p_text_length(line) >= length && !memcmp(line.start, format, length);
   r->text.line = 1;
   if (has_paths && !(how & CG2P_PATHS))
      cg2p_reading_refuse(
         r, "paths of calls; expected a profile; cg2_annotate --paths "
            "shows paths, cg2_convert makes stacks of them");
   if (!has_paths && how & PATHS_ALONE)
      cg2p_reading_refuse(
         r, "'%s'; expected a file of paths, which begins with '%s'",
         cg2p_reading_show(r, line), format);
   if (has_paths) cg2p_pathreader_begin(r);
}

static void read_file(Reader* r, unsigned how, const cg2p_progress* progress)
{
   const char *begin, *end;
   uint64_t size = cg2p_input_size(&r->input);
   while ((end = cg2p_input_next(&r->input, &begin))) {
      if (!r->text.has_lines) find_format(r, how, begin, end);
      r->text.has_lines = true;
      if (r->paths)
         cg2p_pathreader_read(r->paths, begin, end);
      else
         read_lines(r, begin, end);
      if (progress) progress->report(progress->data, r->input.done, size);
   }
   if (r->paths) cg2p_pathreader_end(r->paths);
   end_file(r);
}

/*--- Beginning and end --------------------------------------------------*/

Reader*
cg2p_reader_make(const char* path, cg2p_detail detail, cg2p_error* error)
{
   Reader* r = calloc(1, sizeof *r);
   cg2p_profile* profile = calloc(1, sizeof *profile);
   if (!r || !profile) {
      free(r);
      free(profile);
      cg2p_failure_say_no_memory(error, path);
      return NULL;
   }
   r->failure = (Failure){.path = path, .error = error};
   r->input.fd = -1;
   r->profile = profile;
   r->text.next_line = 1;
   profile->detail = detail;
   profile->version = profile->version_line = 1;
   profile->creator = "";
   return r;
}

void cg2p_reader_open(Reader* r, const char* path)
{
   cg2p_profile* profile = r->profile;
   cg2p_input_open(&r->input, &r->failure, path);
   cg2p_names_init(&profile->names, &r->failure);
   cg2p_header_begin_part(r);
   path = r->failure.path;
   profile->path =
      cg2p_arena_text(&profile->texts, &r->failure, path, strlen(path));
}

cg2p_profile* cg2p_reader_take(Reader* r)
{
   cg2p_profile* profile = r->profile;
   r->profile = NULL;
   return profile;
}

void cg2p_reader_free(Reader* r)
{
   if (!r) return;
   cg2p_profile_free(r->profile);
   cg2p_pathreader_free(r->paths);
   cg2p_input_close(&r->input);
   for (int kind = 0; kind < ID_KINDS; kind++)
      cg2p_names_free_ids(&r->names.ids[kind]);
   free(r->cost);
   free(r->names.scratch);
   free(r);
}

cg2p_profile* cg2p_profile_read(const char* path,
                                cg2p_detail detail,
                                unsigned how,
                                const cg2p_progress* progress,
                                cg2p_error* error)
{
   Reader* r = cg2p_reader_make(path, detail, error);
   if (!r) return NULL;
   if (setjmp(r->failure.caught)) {
      cg2p_reader_free(r);
      return NULL;
   }
   cg2p_reader_open(r, path);
   r->input.may_be_cut = how & CG2P_PARTIAL;
   read_file(r, how, progress);
   cg2p_profile* profile = cg2p_reader_take(r);
   cg2p_reader_free(r);
   return profile;
}

cg2p_profile*
cg2p_profile_read_paths(const char* path, unsigned how, cg2p_error* error)
{
   return cg2p_profile_read(path, CG2P_LINES, how | CG2P_PATHS | PATHS_ALONE,
                            NULL, error);
}
