#include "read/place.h"

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

const char*
cg2p_place_read_slowly(Reader* r, const char* p, const char* end, Place* place)
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
