#include "read/lexer.h"

#include <stdio.h>
#include <string.h>

/*--- Names --------------------------------------------------------------*/

static const char* const kind_names[ID_KINDS] = {"object", "file", "function"};

/* Reads an id "(12)" or "(0x1f)" at `p`. Where it ends; NULL: there is none. */
static inline const char* read_id(const char* p, const char* end, uint64_t* id)
{
   if (p == end || *p != '(') return NULL;
   const char* close = cg2p_number_read_usual(p + 1, id);
   return close && *close == ')' ? close + 1 : NULL;
}

/* The name of an id; that only an earlier part defines it is noted. */
static uint32_t named(Reader* r, IdKind kind, uint64_t id)
{
   Id* known = cg2p_names_find_id(&r->names.ids[kind], id);
   Part* part = r->part;
   if (!known)
      cg2p_reading_refuse(
         r,
         "%s (%llu) is used before its definition; expected '(%llu) "
         "name' first",
         kind_names[kind], (unsigned long long)id, (unsigned long long)id);
   if (known->part != r->names.part && !part->borrowed_line) {
      char use[64];
      int n = snprintf(use, sizeof use, "%s (%llu)", kind_names[kind],
                       (unsigned long long)id);
      part->borrowed_line = r->text.line;
      part->borrowed = cg2p_arena_text(&r->profile->texts, &r->failure, use, n);
   }
   r->names.last = known;
   return known->name;
}

/* A name that is made of others, as "(5)'2" is: with these in their place. */
static uint32_t made_of_names(Reader* r, IdKind kind, Text value)
{
   size_t n = 0;
   const NameStore* names = &r->profile->names;
   cg2p_reading_check_text(r, value);
   while (value.start < value.end) {
      uint64_t id;
      const char* end = read_id(value.start, value.end, &id);
      const StoredName* name = end ? &names->of[named(r, kind, id)] : NULL;
      size_t more = name ? name->length : 1;
      r->names.scratch = cg2p_memory_grow(&r->failure, r->names.scratch,
                                          &r->names.scratch_room, n + more, 1);
      memcpy(r->names.scratch + n, name ? name->text : value.start, more);
      n += more;
      value.start = end ? end : value.start + 1;
   }
   return cg2p_names_intern(&r->profile->names, &r->failure, r->names.scratch,
                            n);
}

static uint32_t intern(Reader* r, Text text)
{
   cg2p_reading_check_text(r, text);
   return cg2p_names_intern(&r->profile->names, &r->failure, text.start,
                            cg2p_text_length(text));
}

static uint32_t define(Reader* r, IdKind kind, uint64_t id, Text value)
{
   Id* known = cg2p_names_find_id(&r->names.ids[kind], id);
   uint64_t other;
   bool is_known = known && known->part == r->names.part;
   r->names.last = known;
   if (is_known && value.start == value.end) return known->name;
   uint32_t name = read_id(value.start, value.end, &other)
                      ? made_of_names(r, kind, value)
                      : intern(r, value);
   const NameStore* names = &r->profile->names;
   if (is_known && known->name != name)
      cg2p_reading_refuse(
         r,
         "%s (%llu) is '%s' here and was '%s' before; expected one "
         "name for an id",
         kind_names[kind], (unsigned long long)id, names->of[name].text,
         names->of[known->name].text);
   r->names.last = cg2p_names_define_id(&r->names.ids[kind], &r->failure, id,
                                        name, r->names.part);
   r->scope.function_id = r->next.callee_id = NULL; /* ids may have moved */
   return name;
}

/* A carriage return behind a name is one of the line's end. */
static Text without_blanks(Text text)
{
   while (text.start < text.end && (*text.start == ' ' || *text.start == '\t'))
      text.start++;
   while (text.end > text.start &&
          (text.end[-1] == ' ' || text.end[-1] == '\t' || text.end[-1] == '\r'))
      text.end--;
   return text;
}

uint32_t cg2p_lexer_read_name(Reader* r, IdKind kind, Text value)
{
   uint64_t id;
   r->names.last = NULL;
   while (value.start < value.end &&
          (*value.start == ' ' || *value.start == '\t'))
      value.start++;
   if (cg2p_text_length(value) < 2 || value.start[0] != '(' ||
       !cg2p_text_is_digit(value.start[1]))
      return intern(r, without_blanks(value));
   const char* end = read_id(value.start, value.end, &id);
   if (!end)
      cg2p_reading_refuse(r, "'%s'; expected '(number) name'",
                          cg2p_reading_show(r, cg2p_text_strip(value)));
   if (end == value.end) return named(r, kind, id);
   return define(r, kind, id, without_blanks((Text){end, value.end}));
}

/*--- Positions ----------------------------------------------------------*/

static _Noreturn void refuse_step(Reader* r, __int128 position)
{
   bool is_low = position < 0;
   unsigned __int128 size = is_low ? -position : position;
   char digits[48], *p = digits + sizeof digits;
   *--p = 0;
   do
      *--p = '0' + size % 10;
   while (size /= 10);
   cg2p_reading_refuse(r, "position %s%s after relative steps; expected %s",
                       is_low ? "-" : "", p,
                       is_low ? "0 or more" : "a number of 64 bits");
}

static _Noreturn void refuse_subposition(Reader* r, Text word)
{
   cg2p_reading_refuse(
      r, "position '%s'; expected a number, +number, -number or *",
      cg2p_reading_show(r, word));
}

/* Where the first number of a range `0x10-0x1f`, `1+2` or `3:4` ends; NULL: it
 * is no range. */
static const char* range_end(Text word)
{
   const char* mark = word.start;
   while (mark < word.end && *mark != '-' && *mark != '+' && *mark != ':')
      mark++;
   bool is_range = mark < word.end &&
                   cg2p_number_looks_like((Text){word.start, mark}) &&
                   cg2p_number_looks_like((Text){mark + 1, word.end});
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
      if (!cg2p_number_read(number, &n)) refuse_subposition(r, number);
      __int128 at =
         (__int128)before + (sign == '+' ? (__int128)n : -(__int128)n);
      if (at < *wrong || at >> 64 > 0) *wrong = at;
      return at;
   }
   const char* end = range_end(word);
   if (end) word.end = end;
   if (!cg2p_number_read(word, &n)) refuse_subposition(r, word);
   return n;
}

static _Noreturn void refuse_few(Reader* r, uint64_t n)
{
   char names[64];
   const Part* part = r->part;
   cg2p_reading_refuse(r, "%llu numbers; expected a position of %u (%s)",
                       (unsigned long long)n, part->n_columns,
                       cg2p_failure_listed(names, sizeof names,
                                           part->column_names,
                                           part->n_columns));
}

const char* cg2p_lexer_read_place_slowly(Reader* r,
                                         const char* p,
                                         const char* end,
                                         Place* place)
{
   const Part* part = r->part;
   const char* start = p;
   __int128 wrong = 0;
   *place = r->at;
   uint64_t n = cg2p_text_count_words(start, end);
   if (n < part->n_columns) refuse_few(r, n);
   for (uint32_t i = 0; i < part->n_columns; i++) {
      Text word = cg2p_text_word_at(cg2p_text_behind_blanks(p, end), end);
      uint64_t* at = cg2p_column_at(place, part->columns[i]);
      *at = read_word(r, word, *at, &wrong);
      p = word.end;
   }
   if (wrong) refuse_step(r, wrong);
   return p;
}

/*--- Costs --------------------------------------------------------------*/

static _Noreturn void
refuse_many_costs(Reader* r, const char* p, const char* end)
{
   char events[512];
   const Part* part = r->part;
   uint64_t n = 0, number;
   for (p = cg2p_text_behind_blanks(p, end); p < end; n++) {
      Text word = cg2p_text_word_at(p, end);
      if (!cg2p_number_read(word, &number))
         cg2p_reading_refuse(r, "cost '%s'; expected a number",
                             cg2p_reading_show(r, word));
      p = cg2p_text_behind_blanks(word.end, end);
   }
   cg2p_reading_refuse(
      r, "%llu costs; expected at most %u (%s)", (unsigned long long)n,
      part->n_events,
      cg2p_failure_listed(events, sizeof events, part->events, part->n_events));
}

void cg2p_lexer_read_costs(Reader* r, const char* p, const char* end)
{
   uint32_t n = r->part->n_events, i = 0;
   const char* start = p;
   for (;;) {
      while (p < end && cg2p_text_is_blank(*p))
         p++;
      if (p == end) break;
      if (i == n) refuse_many_costs(r, start, end);
      const char* behind = cg2p_number_read_usual(p, &r->cost[i]);
      if (!behind || !cg2p_text_is_blank(*behind)) {
         Text word = cg2p_text_word_at(p, end);
         if (!cg2p_number_read(word, &r->cost[i]))
            cg2p_reading_refuse(r, "cost '%s'; expected a number",
                                cg2p_reading_show(r, word));
         behind = word.end;
      }
      p = behind;
      i++;
   }
   while (i < n)
      r->cost[i++] = 0;
}
