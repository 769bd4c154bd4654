#include "cycles/corewords.h"
#include "base/number.h"
#include "cycles/core.h"

#include <string.h>

/* Where a remark begins, which # does behind a blank. */
static const char* remark_in(Text line)
{
   for (const char* p = line.start; p < line.end; p++)
      if (*p == '#' && (p == line.start || cg2p_text_is_blank(p[-1]))) return p;
   return line.end;
}

void cg2p_corewords_begin(CoreWords* words, Text line)
{
   words->number++;
   line.end = remark_in(line);
   words->line = cg2p_text_strip(line);
   words->at = words->line.start;
}

bool cg2p_corewords_next(CoreWords* words, Text* word)
{
   const char* end = words->line.end;
   words->at = cg2p_text_behind_blanks(words->at, end);
   if (words->at == end) return false;
   *word = cg2p_text_word_at(words->at, end);
   words->at = word->end;
   return true;
}

bool cg2p_corewords_pair(CoreWords* words, Text* key, Text* value)
{
   Text word;
   if (!cg2p_corewords_next(words, &word)) return false;
   const char* mark = cg2p_corewords_find(word, "=");
   if (mark == word.end || mark == word.start || mark + 1 == word.end)
      cg2p_corewords_refuse(words, word, "key=value");
   *key = (Text){word.start, mark};
   *value = (Text){mark + 1, word.end};
   return true;
}

Text cg2p_corewords_until_pair(CoreWords* words)
{
   Text word, all = {words->at, words->at};
   bool is_first = true;
   while (cg2p_corewords_next(words, &word)) {
      if (cg2p_corewords_find(word, "=") < word.end) {
         words->at = word.start;
         break;
      }
      if (is_first) all.start = word.start;
      all.end = word.end;
      is_first = false;
   }
   return all;
}

Text cg2p_corewords_rest(CoreWords* words)
{
   Text rest = cg2p_text_strip((Text){words->at, words->line.end});
   words->at = words->line.end;
   return rest;
}

bool cg2p_corewords_is(Text text, const char* word)
{
   size_t n = cg2p_text_length(text);
   return strlen(word) == n && !memcmp(text.start, word, n);
}

const char* cg2p_corewords_find(Text text, const char* characters)
{
   const char* p = text.start;
   while (p < text.end && (!*p || !strchr(characters, *p)))
      p++;
   return p;
}

_Noreturn void
cg2p_corewords_refuse(CoreWords* words, Text piece, const char* expected)
{
   char room[SHOWN_ROOM];
   cg2p_failure_at(
      words->failure, words->number, "%s; expected %s",
      cg2p_failure_shown(room, piece.start, cg2p_text_length(piece)), expected);
}

static _Noreturn void
refuse_number(CoreWords* words, const char* key, Text value, uint64_t most)
{
   char room[SHOWN_ROOM];
   cg2p_failure_at(
      words->failure, words->number,
      "%s=%s; expected a number that fits there, of at most %llu", key,
      cg2p_failure_shown(room, value.start, cg2p_text_length(value)),
      (unsigned long long)most);
}

uint64_t cg2p_corewords_number(
   CoreWords* words, const char* key, Text value, uint64_t least, uint64_t most)
{
   uint64_t number;
   if (!cg2p_number_read(value, &number) || number < least || number > most)
      refuse_number(words, key, value, most);
   return number;
}

uint64_t cg2p_corewords_grains(CoreWords* words,
                               const char* key,
                               Text value,
                               uint64_t most)
{
   const char* point = cg2p_corewords_find(value, ".");
   uint64_t whole =
      cg2p_corewords_number(words, key, (Text){value.start, point}, 0, most);
   uint64_t grains = 0, unit = 1;
   for (const char* p = point + 1; point < value.end && p < value.end; p++) {
      if (!cg2p_text_is_digit(*p) || unit > 1000)
         refuse_number(words, key, value, most);
      unit *= 10;
      grains = 10 * grains + (*p - '0');
   }
   return whole * CORE_GRAINS + (grains * CORE_GRAINS + unit / 2) / unit;
}

uint64_t cg2p_corewords_yes(CoreWords* words, const char* key, Text value)
{
   if (cg2p_corewords_is(value, "yes")) return 1;
   if (cg2p_corewords_is(value, "no")) return 0;
   char room[SHOWN_ROOM];
   cg2p_failure_at(
      words->failure, words->number, "%s=%s; expected yes or no", key,
      cg2p_failure_shown(room, value.start, cg2p_text_length(value)));
}
