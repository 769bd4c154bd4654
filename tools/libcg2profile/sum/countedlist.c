#include "sum/countedlist.h"

#include "base/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct CountedWord {
   Text of;
   uint64_t count;
} CountedWord;

/* How many words a list has at most. */
static size_t count_words(const char* list)
{
   size_t n = 1;
   for (const char* at = list; *at; at++)
      n += *at == '\t';
   return n;
}

/* Puts the words of a list behind those before, whose number it is given. */
static size_t take_words(CountedWord* words, size_t n, const char* list)
{
   for (const char *at = list, *end; *at; at = end + (*end == '\t')) {
      end = at + strcspn(at, "\t");
      const char* blank = memchr(at, ' ', end - at);
      if (blank && cg2p_number_read((Text){at, blank}, &words[n].count))
         words[n++].of = (Text){blank + 1, end};
   }
   return n;
}

static int compare_words(const void* a, const void* b)
{
   const CountedWord *x = a, *y = b;
   size_t n = cg2p_text_length(x->of), m = cg2p_text_length(y->of);
   int order = memcmp(x->of.start, y->of.start, n < m ? n : m);
   return order ? order : (n > m) - (n < m);
}

/* Adds a count to a word; one that is too large stays the largest. */
static void add(CountedWord* word, uint64_t count)
{
   if (__builtin_add_overflow(word->count, count, &word->count))
      word->count = UINT64_MAX;
}

const char* cg2p_countedlist_add(Arena* texts,
                                 Failure* failure,
                                 const char* a,
                                 const char* b)
{
   enum { DIGITS_MAX = 20 };
   size_t n = count_words(a) + count_words(b), length = 0, n_sums = 0;
   CountedWord* words = cg2p_arena_add(texts, failure, n * sizeof *words);
   char* text = cg2p_arena_add(
      texts, failure, strlen(a) + strlen(b) + n * (DIGITS_MAX + 1) + 1);
   n = take_words(words, take_words(words, 0, a), b);
   if (n) qsort(words, n, sizeof *words, compare_words);
   for (size_t i = 0; i < n; i++)
      if (n_sums && !compare_words(&words[n_sums - 1], &words[i]))
         add(&words[n_sums - 1], words[i].count);
      else
         words[n_sums++] = words[i];
   text[0] = '\0';
   for (size_t i = 0; i < n_sums; i++)
      length += sprintf(text + length, "%s%" PRIu64 " %.*s", i ? "\t" : "",
                        words[i].count, (int)cg2p_text_length(words[i].of),
                        words[i].of.start);
   return text;
}
