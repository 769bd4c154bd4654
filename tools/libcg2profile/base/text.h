/* Pieces of a profile's text. */
#ifndef CG2P_TEXT_H
#define CG2P_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Text {
   const char *start, *end;
} Text;

static inline size_t cg2p_text_length(Text text)
{
   return text.end - text.start;
}

static inline bool cg2p_text_is_blank(char c)
{
   return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool cg2p_text_is_digit(char c)
{
   return (unsigned char)(c - '0') < 10;
}

/* The first place from `p` on that is not blank; `end` if all is. */
static inline const char* cg2p_text_behind_blanks(const char* p,
                                                  const char* end)
{
   while (p < end && cg2p_text_is_blank(*p))
      p++;
   return p;
}

/* The text without blanks around it. */
static inline Text cg2p_text_strip(Text text)
{
   text.start = cg2p_text_behind_blanks(text.start, text.end);
   while (text.end > text.start && cg2p_text_is_blank(text.end[-1]))
      text.end--;
   return text;
}

/* The line between `p` and `end` without carriage returns around it. */
static inline Text cg2p_text_line(const char* p, const char* end)
{
   while (end > p && end[-1] == '\r')
      end--;
   while (p < end && *p == '\r')
      p++;
   return (Text){p, end};
}

/* The word that begins at `p`, up to a blank or `end`. */
static inline Text cg2p_text_word_at(const char* p, const char* end)
{
   Text word = {p, p};
   while (word.end < end && !cg2p_text_is_blank(*word.end))
      word.end++;
   return word;
}

/* How many words there are from `p` up to `end`. */
static inline uint64_t cg2p_text_count_words(const char* p, const char* end)
{
   uint64_t n = 0;
   for (p = cg2p_text_behind_blanks(p, end); p < end; n++)
      p = cg2p_text_behind_blanks(cg2p_text_word_at(p, end).end, end);
   return n;
}

#endif
