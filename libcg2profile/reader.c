#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*--- Texts and numbers --------------------------------------------------*/

_Noreturn void cg2p_refuse(Reader* reader, const char* format, ...)
{
   va_list arguments;
   va_start(arguments, format);
   cg2p_fail_at_list(&reader->failure, reader->line, format, arguments);
}

const char* cg2p_show(Reader* reader, Text text)
{
   return cg2p_shown(reader->shown, text.start, cg2p_text_length(text));
}

/* The value of a hexadecimal digit; -1: it is none. */
static int hexadecimal(char c)
{
   if (cg2p_is_digit(c)) return c - '0';
   c |= 0x20;
   return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_hexadecimal(Text digits, uint64_t* number)
{
   uint64_t n = 0;
   if (digits.start == digits.end) return false;
   for (const char* p = digits.start; p < digits.end; p++) {
      int digit = hexadecimal(*p);
      if (digit < 0 || n >> 60) return false;
      n = n << 4 | digit;
   }
   *number = n;
   return true;
}

static bool read_decimal(Text digits, uint64_t* number)
{
   enum { DIGITS_MAX = 20 };
   uint64_t n = 0;
   size_t length = cg2p_text_length(digits);
   if (!length || length > DIGITS_MAX) return false;
   for (const char* p = digits.start; p < digits.end; p++)
      if (!cg2p_is_digit(*p) || __builtin_mul_overflow(n, 10, &n) ||
          __builtin_add_overflow(n, (uint64_t)(*p - '0'), &n))
         return false;
   *number = n;
   return true;
}

bool cg2p_read_number(Text text, uint64_t* number)
{
   bool is_hexadecimal = cg2p_text_length(text) > 2 && text.start[0] == '0' &&
                         text.start[1] == 'x';
   return is_hexadecimal
             ? read_hexadecimal((Text){text.start + 2, text.end}, number)
             : read_decimal(text, number);
}

/* Reads a number of the usual form, and the blank behind it is still to come:
 * few decimal digits, or hexadecimal ones. Where it ends; NULL: it is not
 * usual, or none. */
static inline const char* read_usual(const char* p, uint64_t* number)
{
   enum { DIGITS_MAX = 18 };
   uint64_t n = (unsigned char)(*p - '0');
   if (n > 9) return NULL;
   const char* start = p++;
   if (n == 0 && *p == 'x') {
      start = ++p;
      for (int digit; (digit = hexadecimal(*p)) >= 0; p++)
         n = n << 4 | digit;
      *number = n;
      return p == start || p - start > 16 ? NULL : p;
   }
   while (cg2p_is_digit(*p))
      n = 10 * n + (*p++ - '0');
   *number = n;
   return p - start <= DIGITS_MAX ? p : NULL;
}

static uint64_t count_words(const char* p, const char* end)
{
   uint64_t n = 0;
   for (p = cg2p_behind_blanks(p, end); p < end; n++)
      p = cg2p_behind_blanks(cg2p_word_at(p, end).end, end);
   return n;
}

/*--- Costs --------------------------------------------------------------*/

void cg2p_reserve_cost(Reader* r)
{
   r->cost = cg2p_grow(&r->failure, r->cost, &r->cost_room, r->part->n_events,
                       sizeof *r->cost);
}

static _Noreturn void
refuse_many_costs(Reader* r, const char* p, const char* end)
{
   char events[512];
   const Part* part = r->part;
   uint64_t n = 0, number;
   for (p = cg2p_behind_blanks(p, end); p < end; n++) {
      Text word = cg2p_word_at(p, end);
      if (!cg2p_read_number(word, &number))
         cg2p_refuse(r, "cost '%s'; expected a number", cg2p_show(r, word));
      p = cg2p_behind_blanks(word.end, end);
   }
   cg2p_refuse(
      r, "%llu costs; expected at most %u (%s)", (unsigned long long)n,
      part->n_events,
      cg2p_listed(events, sizeof events, part->events, part->n_events));
}

/* Reads the costs that stand at `p`, up to the newline at `end`. */
static inline void read_costs(Reader* r, const char* p, const char* end)
{
   uint32_t n = r->part->n_events, i = 0;
   const char* start = p;
   for (;;) {
      while (p < end && cg2p_is_blank(*p))
         p++;
      if (p == end) break;
      if (i == n) refuse_many_costs(r, start, end);
      const char* behind = read_usual(p, &r->cost[i]);
      if (!behind || !cg2p_is_blank(*behind)) {
         Text word = cg2p_word_at(p, end);
         if (!cg2p_read_number(word, &r->cost[i]))
            cg2p_refuse(r, "cost '%s'; expected a number", cg2p_show(r, word));
         behind = word.end;
      }
      p = behind;
      i++;
   }
   while (i < n)
      r->cost[i++] = 0;
}

void cg2p_read_costs(Reader* r, Text text)
{
   read_costs(r, text.start, text.end);
}

/* Adds reader->cost to a sum. */
static inline void add_cost(Reader* r, uint64_t* sum)
{
   uint32_t n = r->part->n_events;
   for (uint32_t i = 0; i < n; i++)
      if (__builtin_add_overflow(sum[i], r->cost[i], &sum[i]))
         cg2p_refuse(r,
                     "the costs of %s add up to more than 64 bits; expected a "
                     "sum of less than 18446744073709551616",
                     r->part->events[i]);
}

/*--- Positions ----------------------------------------------------------*/

static uint64_t* column_at(Place* place, Column column)
{
   return column == COLUMN_INSTR  ? &place->instr
          : column == COLUMN_LINE ? &place->line
                                  : &place->block;
}

static _Noreturn void refuse_step(Reader* r, __int128 position)
{
   bool is_low = position < 0;
   unsigned __int128 size = is_low ? -position : position;
   char digits[48], *p = digits + sizeof digits;
   *--p = 0;
   do
      *--p = '0' + size % 10;
   while (size /= 10);
   cg2p_refuse(r, "position %s%s after relative steps; expected %s",
               is_low ? "-" : "", p,
               is_low ? "0 or more" : "a number of 64 bits");
}

static _Noreturn void refuse_subposition(Reader* r, Text word)
{
   cg2p_refuse(r, "position '%s'; expected a number, +number, -number or *",
               cg2p_show(r, word));
}

/* Whether the text is written as a number, of whatever size. */
static bool looks_like_number(Text text)
{
   bool is_hexadecimal = cg2p_text_length(text) > 2 && text.start[0] == '0' &&
                         text.start[1] == 'x';
   const char* p = text.start + (is_hexadecimal ? 2 : 0);
   while (p < text.end &&
          (is_hexadecimal ? hexadecimal(*p) >= 0 : cg2p_is_digit(*p)))
      p++;
   return p == text.end && text.start < text.end;
}

/* Where the first number of a range `0x10-0x1f`, `1+2` or `3:4` ends; NULL: it
 * is no range. */
static const char* range_end(Text word)
{
   const char* mark = word.start;
   while (mark < word.end && *mark != '-' && *mark != '+' && *mark != ':')
      mark++;
   bool is_range = mark < word.end &&
                   looks_like_number((Text){word.start, mark}) &&
                   looks_like_number((Text){mark + 1, word.end});
   return is_range ? mark : NULL;
}

/* Reads the subposition `word`, of any form, relative to `before`. A position
 * that is out of range goes to *wrong. */
static uint64_t
read_word(Reader* r, Text word, uint64_t before, __int128* wrong)
{
   uint64_t n;
   char sign = word.start < word.end ? *word.start : 0;
   if (sign == '*' && cg2p_text_length(word) == 1) return before;
   if (sign == '+' || sign == '-') {
      Text number = {word.start + 1, word.end};
      if (!cg2p_read_number(number, &n)) refuse_subposition(r, number);
      __int128 at =
         (__int128)before + (sign == '+' ? (__int128)n : -(__int128)n);
      if (at < *wrong || at >> 64 > 0) *wrong = at;
      return at;
   }
   const char* end = range_end(word);
   if (end) word.end = end;
   if (!cg2p_read_number(word, &n)) refuse_subposition(r, word);
   return n;
}

static _Noreturn void refuse_few(Reader* r, uint64_t n)
{
   char names[64];
   const Part* part = r->part;
   cg2p_refuse(
      r, "%llu numbers; expected a position of %u (%s)", (unsigned long long)n,
      part->n_columns,
      cg2p_listed(names, sizeof names, part->column_names, part->n_columns));
}

/* Reads a position whose numbers have any form, from `p` up to `end`, relative
 * to r->at. Where the last number ends. */
static const char*
read_place_slowly(Reader* r, const char* p, const char* end, Place* place)
{
   const Part* part = r->part;
   const char* start = p;
   __int128 wrong = 0;
   *place = r->at;
   uint64_t n = count_words(start, end);
   if (n < part->n_columns) refuse_few(r, n);
   for (uint32_t i = 0; i < part->n_columns; i++) {
      Text word = cg2p_word_at(cg2p_behind_blanks(p, end), end);
      uint64_t* at = column_at(place, part->columns[i]);
      *at = read_word(r, word, *at, &wrong);
      p = word.end;
   }
   if (wrong) refuse_step(r, wrong);
   return p;
}

/* Reads a usual subposition at `p` into *at, which has what it is relative to.
 * Where it ends; NULL: it is not usual. */
static inline const char* read_subposition(const char* p, uint64_t* at)
{
   uint64_t n = 0;
   const char* end;
   switch (*p) {
   case '*':
      return p + 1;
   case '+':
      end = read_usual(p + 1, &n);
      return end && !__builtin_add_overflow(*at, n, at) ? end : NULL;
   case '-':
      end = read_usual(p + 1, &n);
      return end && !__builtin_sub_overflow(*at, n, at) ? end : NULL;
   default:
      end = read_usual(p, &n);
      *at = n;
      return end;
   }
}

/* Reads a position of the usual form at `p`, relative to r->at. Where it ends;
 * NULL: it is not usual. */
static inline const char*
read_usual_place(Reader* r, const char* p, Place* place)
{
   const Part* part = r->part;
   *place = r->at;
   for (uint32_t i = 0; i < part->n_columns; i++) {
      while (*p == ' ')
         p++;
      p = read_subposition(p, column_at(place, part->columns[i]));
      if (!p || !cg2p_is_blank(*p)) return NULL;
   }
   return p;
}

/* Reads a position, from `p` up to `end`, relative to r->at. Where it ends. */
static inline const char*
read_place(Reader* r, const char* p, const char* end, Place* place)
{
   const char* behind = read_usual_place(r, p, place);
   return behind ? behind : read_place_slowly(r, p, end, place);
}

/*--- Functions ----------------------------------------------------------*/

/* The function that the current line is of: that of the current ob=, fl= and
 * fn=. */
static uint32_t bind_function(Reader* r)
{
   if (r->function_name == NO_NAME)
      cg2p_refuse(r, "a cost line before the first fn=; expected fn= first");
   r->function = cg2p_part_function(
      r->part, &r->failure,
      (cg2p_function){r->object, r->function_file, r->function_name});
   r->in_run = false;
   return r->function;
}

static inline uint32_t current_function(Reader* r)
{
   return r->function != NO_NAME ? r->function : bind_function(r);
}

/* Adds a line to those of the current function, if lines are kept. */
static void keep_line(Reader* r, Line* line)
{
   Part* part = r->part;
   if (r->profile->detail < CG2P_LINES) return;
   Runs* runs = &part->runs[r->function];
   line->file = r->file;
   line->cost = r->cost;
   if (!r->in_run) {
      runs->last = cg2p_lines_begin(&part->lines, &r->failure, r->function,
                                    r->file, runs->last);
      if (!runs->first) runs->first = runs->last;
      r->in_run = true;
   }
   runs->last = cg2p_lines_add(&part->lines, &r->failure, line);
}

/*--- Names --------------------------------------------------------------*/

static const char* const kind_names[ID_KINDS] = {"object", "file", "function"};

/* Reads an id "(12)" or "(0x1f)" at `p`. Where it ends; NULL: there is none. */
static const char* read_id(const char* p, const char* end, uint64_t* id)
{
   enum { DECIMAL_MAX = 18, HEXADECIMAL_MAX = 16 };
   if (p == end || *p != '(') return NULL;
   const char* close = memchr(p, ')', end - p);
   Text number = {p + 1, close};
   if (!close) return NULL;
   size_t length = cg2p_text_length(number);
   bool is_hexadecimal =
      length > 2 && number.start[0] == '0' && number.start[1] == 'x';
   if (length > (is_hexadecimal ? HEXADECIMAL_MAX + 2 : DECIMAL_MAX) ||
       !cg2p_read_number(number, id))
      return NULL;
   return close + 1;
}

/* The name of an id; that only an earlier part defines it is noted. */
static uint32_t named(Reader* r, IdKind kind, uint64_t id)
{
   const Id* known = cg2p_ids_find(&r->ids[kind], id);
   Part* part = r->part;
   if (!known)
      cg2p_refuse(r,
                  "%s (%llu) is used before its definition; expected '(%llu) "
                  "name' first",
                  kind_names[kind], (unsigned long long)id,
                  (unsigned long long)id);
   if (known->part != r->part_number && !part->borrowed_line) {
      char use[64];
      int n = snprintf(use, sizeof use, "%s (%llu)", kind_names[kind],
                       (unsigned long long)id);
      part->borrowed_line = r->line;
      part->borrowed = cg2p_arena_text(&r->profile->texts, &r->failure, use, n);
   }
   return known->name;
}

/* A name that is made of others, as "(5)'2" is: with these in their place. */
static uint32_t made_of_names(Reader* r, IdKind kind, Text value)
{
   size_t n = 0;
   const Names* names = &r->profile->names;
   while (value.start < value.end) {
      uint64_t id;
      const char* end = read_id(value.start, value.end, &id);
      const Name* name = end ? &names->of[named(r, kind, id)] : NULL;
      size_t more = name ? name->length : 1;
      r->scratch =
         cg2p_grow(&r->failure, r->scratch, &r->scratch_room, n + more, 1);
      memcpy(r->scratch + n, name ? name->text : value.start, more);
      n += more;
      value.start = end ? end : value.start + 1;
   }
   return cg2p_names_intern(&r->profile->names, &r->failure, r->scratch, n);
}

static uint32_t intern(Reader* r, Text text)
{
   return cg2p_names_intern(&r->profile->names, &r->failure, text.start,
                            cg2p_text_length(text));
}

static uint32_t define(Reader* r, IdKind kind, uint64_t id, Text value)
{
   Id* known = cg2p_ids_find(&r->ids[kind], id);
   uint64_t other;
   bool is_known = known && known->part == r->part_number;
   if (is_known && value.start == value.end) return known->name;
   uint32_t name = read_id(value.start, value.end, &other)
                      ? made_of_names(r, kind, value)
                      : intern(r, value);
   const Names* names = &r->profile->names;
   if (is_known && known->name != name)
      cg2p_refuse(r,
                  "%s (%llu) is '%s' here and was '%s' before; expected one "
                  "name for an id",
                  kind_names[kind], (unsigned long long)id,
                  names->of[name].text, names->of[known->name].text);
   cg2p_ids_define(&r->ids[kind], &r->failure, id, name, r->part_number);
   return name;
}

static Text without_blanks(Text text)
{
   while (text.start < text.end && (*text.start == ' ' || *text.start == '\t'))
      text.start++;
   while (text.end > text.start &&
          (text.end[-1] == ' ' || text.end[-1] == '\t'))
      text.end--;
   return text;
}

/* The name that a spec's value gives: a name, "(id) name" or "(id)". */
static uint32_t read_name(Reader* r, IdKind kind, Text value)
{
   uint64_t id;
   while (value.start < value.end &&
          (*value.start == ' ' || *value.start == '\t'))
      value.start++;
   if (cg2p_text_length(value) < 2 || value.start[0] != '(' ||
       !cg2p_is_digit(value.start[1]))
      return intern(r, without_blanks(value));
   const char* end = read_id(value.start, value.end, &id);
   if (!end)
      cg2p_refuse(r, "'%s'; expected '(number) name'",
                  cg2p_show(r, cg2p_strip(value)));
   if (end == value.end) return named(r, kind, id);
   return define(r, kind, id, without_blanks((Text){end, value.end}));
}

/*--- Associations -------------------------------------------------------*/

/* Takes the count that an association begins with off *text. */
static uint64_t read_count(Reader* r, const char* spec, Text* text)
{
   uint64_t n;
   Text word =
      cg2p_word_at(cg2p_behind_blanks(text->start, text->end), text->end);
   if (word.start == word.end || !cg2p_read_number(word, &n))
      cg2p_refuse(r, "%s= without a count; expected a number and a position",
                  spec);
   text->start = word.end;
   return n;
}

/* Reads the position that an association leads to, the whole of `text`. That
 * there are more numbers than a position has is wrong whatever they are. */
static void read_target(Reader* r, const char* spec, Text text, Place* target)
{
   char names[64];
   const Part* part = r->part;
   const char* end = read_usual_place(r, text.start, target);
   if (end && cg2p_behind_blanks(end, text.end) == text.end) return;
   uint64_t n = count_words(text.start, text.end);
   if (n > part->n_columns)
      cg2p_refuse(
         r,
         "%s= with %llu numbers after the count; expected a position "
         "of %u (%s)",
         spec, (unsigned long long)n, part->n_columns,
         cg2p_listed(names, sizeof names, part->column_names, part->n_columns));
   read_place_slowly(r, text.start, text.end, target);
}

static void read_calls(Reader* r, Text value)
{
   Line* line = &r->pending.line;
   *line = (Line){.kind = CG2P_CALL};
   line->count = read_count(r, "calls", &value);
   read_target(r, "calls", value, &line->target);
   if (r->callee_name == NO_NAME)
      cg2p_refuse(r, "calls= without a callee; expected cfn= first");
   cg2p_function callee = {
      r->callee_object == NO_NAME ? r->object : r->callee_object,
      r->callee_file == NO_NAME ? r->file : r->callee_file, r->callee_name};
   r->callee_object = r->callee_file = r->callee_name = NO_NAME;
   line->function = cg2p_part_function(r->part, &r->failure, callee);
   current_function(r);
   r->pending.spec = "calls";
}

static void read_jump_to(Reader* r, const char* spec, Text value)
{
   Line* line = &r->pending.line;
   read_target(r, spec, value, &line->target);
   line->target_file = r->jump_file != NO_NAME     ? r->jump_file
                       : r->callee_file != NO_NAME ? r->callee_file
                                                   : r->file;
   line->function = current_function(r);
   if (r->jump_function != NO_NAME)
      line->function = cg2p_part_function(
         r->part, &r->failure,
         (cg2p_function){r->object, line->target_file, r->jump_function});
   r->jump_file = r->jump_function = r->callee_file = NO_NAME;
   r->pending.spec = spec;
}

static void read_jump(Reader* r, Text value)
{
   r->pending.line = (Line){.kind = CG2P_JUMP};
   r->pending.line.count = read_count(r, "jump", &value);
   r->pending.line.executed = r->pending.line.count;
   read_jump_to(r, "jump", value);
}

/* Callgrind writes taken/executed, its manual says executed taken. */
static void read_conditional_jump(Reader* r, Text value)
{
   Line* line = &r->pending.line;
   *line = (Line){.kind = CG2P_JUMP, .is_conditional = 1};
   Text word =
      cg2p_word_at(cg2p_behind_blanks(value.start, value.end), value.end);
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

/* The line behind an association's first one: the source's position, and what
 * the calls cost. */
static void read_second_line(Reader* r, const char* p, const char* end)
{
   Part* part = r->part;
   const char* spec = r->pending.spec;
   Line* line = &r->pending.line;
   if (line->kind == CG2P_JUMP && count_words(p, end) > part->n_columns)
      cg2p_refuse(r, "costs after %s=; expected the jump's position alone",
                  spec);
   p = read_place(r, p, end, &line->at);
   r->at = line->at;
   read_costs(r, p, end);
   r->pending.spec = NULL;
   if (line->kind == CG2P_CALL) {
      uint32_t arc =
         cg2p_part_arc(part, &r->failure, r->function, line->function);
      if (__builtin_add_overflow(part->arcs[arc].count, line->count,
                                 &part->arcs[arc].count))
         cg2p_refuse(r, "the calls add up to more than 64 bits; expected a sum "
                        "of less than 18446744073709551616");
      add_cost(r, cg2p_part_inclusive(part, arc));
   }
   keep_line(r, line);
}

/*--- Lines --------------------------------------------------------------*/

static void read_cost_line(Reader* r, const char* p, const char* end)
{
   Line line = {.kind = CG2P_COST};
   uint32_t function = current_function(r);
   p = read_place(r, p, end, &line.at);
   r->at = line.at;
   read_costs(r, p, end);
   add_cost(r, cg2p_part_self(r->part, function));
   keep_line(r, &line);
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

static const struct {
   const char* name;
   size_t length;
} specs[SPECS] = {{"ob", 2},   {"fl", 2},    {"fi", 2},  {"fe", 2},
                  {"fn", 2},   {"cob", 3},   {"cfi", 3}, {"cfl", 3},
                  {"cfn", 3},  {"calls", 5}, {"jfi", 3}, {"jfn", 3},
                  {"jump", 4}, {"jcnd", 4},  {"cfni", 4}};

static Spec spec_of(Text key)
{
   size_t length = cg2p_text_length(key);
   Spec spec = 0;
   while (spec < SPECS && (specs[spec].length != length ||
                           memcmp(specs[spec].name, key.start, length)))
      spec++;
   return spec;
}

static void begin_body(Reader* r)
{
   if (!r->part->n_events)
      cg2p_refuse(r, "the body begins before the events: line; expected "
                     "events: in the header");
   r->in_body = true;
}

static void read_spec(Reader* r, Spec spec, Text value)
{
   switch (spec) {
   case SPEC_OB:
      r->object = read_name(r, ID_OBJECT, value);
      r->function = NO_NAME;
      break;
   case SPEC_FL:
      r->function_file = r->file = read_name(r, ID_FILE, value);
      r->function = NO_NAME;
      break;
   case SPEC_FI:
   case SPEC_FE:
      r->file = read_name(r, ID_FILE, value);
      break;
   case SPEC_FN:
      r->function_name = read_name(r, ID_FUNCTION, value);
      r->file = r->function_file;
      r->function = NO_NAME;
      break;
   case SPEC_COB:
      r->callee_object = read_name(r, ID_OBJECT, value);
      break;
   case SPEC_CFI:
   case SPEC_CFL:
      r->callee_file = read_name(r, ID_FILE, value);
      break;
   case SPEC_CFN:
      r->callee_name = read_name(r, ID_FUNCTION, value);
      break;
   case SPEC_CALLS:
      read_calls(r, value);
      break;
   case SPEC_JFI:
      r->jump_file = read_name(r, ID_FILE, value);
      break;
   case SPEC_JFN:
      r->jump_function = read_name(r, ID_FUNCTION, value);
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
   Text text = {p, end};
   while (text.end > text.start && text.end[-1] == '\r')
      text.end--;
   while (text.start < text.end && *text.start == '\r')
      text.start++;
   const char* equals = memchr(text.start, '=', cg2p_text_length(text));
   Text key = {text.start, equals ? equals : text.end};
   Spec spec = spec_of(key);
   if (spec < SPECS) {
      if (!r->in_body) begin_body(r);
      read_spec(r, spec, (Text){equals ? equals + 1 : text.end, text.end});
      return;
   }
   Text stripped = cg2p_strip(text);
   if (stripped.start < stripped.end && *text.start != '#')
      cg2p_read_header(r, text);
}

static _Noreturn void refuse_first_line_alone(Reader* r, Text line)
{
   const char* spec = r->pending.spec;
   cg2p_refuse(r, "'%s' after %s=; expected the position the %s= is at",
               cg2p_show(r, cg2p_strip(line)), spec, spec);
}

static inline bool begins_cost_line(char c)
{
   return cg2p_is_digit(c) || c == '+' || c == '-' || c == '*';
}

/* Reads the lines in [p, end), which ends in a newline. */
static void read_lines(Reader* r, const char* p, const char* end)
{
   while (p < end) {
      uint64_t line = r->next_line++;
      if (*p == '\n' && !r->pending.spec) {
         p++;
         continue;
      }
      const char* newline = memchr(p, '\n', end - p);
      r->line = line;
      if (begins_cost_line(*p)) {
         if (r->pending.spec)
            read_second_line(r, p, newline);
         else
            read_cost_line(r, p, newline);
      } else if (!r->pending.spec)
         read_other_line(r, p, newline);
      else if (*p != '#')
         refuse_first_line_alone(r, (Text){p, newline});
      p = newline + 1;
   }
}

/*--- A file -------------------------------------------------------------*/

static void read_file(Reader* r, const cg2p_progress* progress)
{
   const char *begin, *end;
   uint64_t size = cg2p_input_size(&r->input);
   while ((end = cg2p_input_next(&r->input, &begin))) {
      r->has_lines = true;
      read_lines(r, begin, end);
      if (progress) progress->report(progress->data, r->input.done, size);
   }
   if (!r->has_lines) {
      r->line = 1;
      cg2p_refuse(r, "the file is empty; expected a profile");
   }
   if (r->pending.spec)
      cg2p_refuse(r,
                  "the file ends after %s=; expected the position the %s= is "
                  "at",
                  r->pending.spec, r->pending.spec);
   if (!r->part->n_events)
      cg2p_refuse(r, "the file ends without an events: line; expected one");
   cg2p_lines_end(&r->part->lines);
}

static void free_reader(Reader* r)
{
   cg2p_input_close(&r->input);
   for (int kind = 0; kind < ID_KINDS; kind++)
      cg2p_ids_free(&r->ids[kind]);
   free(r->cost);
   free(r->scratch);
   free(r);
}

/* A reader and its profile, empty; NULL: *error says why. */
static Reader*
make_reader(const char* path, cg2p_detail detail, cg2p_error* error)
{
   Reader* r = calloc(1, sizeof *r);
   cg2p_profile* profile = calloc(1, sizeof *profile);
   if (!r || !profile) {
      free(r);
      free(profile);
      cg2p_say_no_memory(error, path);
      return NULL;
   }
   r->failure = (Failure){.path = path, .error = error};
   r->input.fd = -1;
   r->profile = profile;
   r->next_line = 1;
   profile->detail = detail;
   profile->version = profile->version_line = 1;
   profile->creator = "";
   return r;
}

/* The profile, which is complete; the reader is freed. */
static cg2p_profile* hand_over(Reader* r)
{
   cg2p_profile* profile = r->profile;
   free_reader(r);
   return profile;
}

cg2p_profile* cg2p_read(const char* path,
                        cg2p_detail detail,
                        const cg2p_progress* progress,
                        cg2p_error* error)
{
   Reader* r = make_reader(path, detail, error);
   if (!r) return NULL;
   if (setjmp(r->failure.caught)) {
      cg2p_free(r->profile);
      free_reader(r);
      return NULL;
   }
   cg2p_names_init(&r->profile->names, &r->failure);
   r->profile->path =
      cg2p_arena_text(&r->profile->texts, &r->failure, path, strlen(path));
   cg2p_begin_part(r);
   cg2p_input_open(&r->input, &r->failure, path);
   read_file(r, progress);
   return hand_over(r);
}
