/* The profile of GCC's -fauto-profile, from version 12 on, in words of 32 bits:
 *
 *    "adcg", 2, 0
 *    0xaa000000, words, number of names; of each its bytes, and these
 *    0xac000000, words, number of functions; each with how often it was called
 *       (two words) in front of: name, number of lines, number of copies
 *       line:  offset, number of calls, how often it ran (two words)
 *       call:  7, name, how often (two words each)
 *       copy:  offset, and what is in a function
 *    0xae000000, words, 0
 *
 * An offset is the line, from the one that declares the function on, times
 * 65536. A name is padded with zeroes to whole words, which it counts. GCC
 * stops where a function that is called has the first name, so that one is
 * empty.
 *
 * GCC takes all for hot that ran more than once, where with -fprofile-use that
 * is what ran at least a 10,000th as often as what ran most often. So the most
 * that a line may have run is 10,000 times, and all others are in proportion.
 *
 * A function that did not run has no lines, and was called 0 times: GCC makes
 * it small. Where copies of it ran it is not there, as GCC may want to make
 * other copies. */
#include "feedback/gcc.h"

#include "feedback/samples.h"

#include <string.h>

enum { GCC_NAMES = 0xaa000000u, GCC_FUNCTIONS = 0xac000000u };
enum { GCC_MODULES = 0xae000000u, GCC_INDIRECT = 7, GCC_MOST = 10000 };

static void put_word(Samples* s, uint32_t word)
{
   char bytes[4];
   for (unsigned i = 0; i < sizeof bytes; i++)
      bytes[i] = (char)(word >> 8 * i);
   cg2p_output_text(&s->writer->output, bytes, sizeof bytes);
}

static void put_words(Samples* s, uint64_t number)
{
   put_word(s, (uint32_t)number);
   put_word(s, (uint32_t)(number >> 32));
}

static void put_count(Samples* s, uint64_t count)
{
   double share = s->most > GCC_MOST ? (double)GCC_MOST / s->most : 1;
   uint64_t scaled = count * share + 0.5;
   put_words(s, count && !scaled ? 1 : scaled);
}

static void put_names(Samples* s)
{
   static const char zeroes[4];
   put_word(s, GCC_NAMES);
   put_word(s, 0); /* GCC does not look at lengths */
   put_word(s, 1 + s->names.n);
   for (size_t i = 0; i < 1 + s->names.n; i++) {
      const char* text = i ? s->names.texts[i - 1] : "";
      size_t length = strlen(text), padding = 4 - length % 4;
      put_word(s, length + padding);
      cg2p_output_text(&s->writer->output, text, length);
      cg2p_output_text(&s->writer->output, zeroes, padding);
   }
}

/* The number that a name has here. */
static uint64_t number_of(uint64_t name)
{
   return 1 + name;
}

static void put_line(Samples* s, const uint64_t* line)
{
   size_t first, end = cg2p_samples_calls(s, line, &first);
   put_word(s, (uint32_t)line[LINE_OFFSET] << 16);
   put_word(s, end - first);
   put_count(s, cg2p_samples_times(line));
   for (size_t i = first; i < end; i++) {
      const uint64_t* call = cg2p_sums_at(&s->calls, i);
      put_word(s, GCC_INDIRECT);
      put_words(s, number_of(call[CALL_NAME]));
      put_count(s, call[CALL_COUNT]);
   }
}

/* Puts the lines of a record, and what was put into it. */
static void put_inside(Samples* s, const SampleRecord* record)
{
   size_t line = cg2p_samples_first_line(s, record->number), end = line;
   size_t copy = cg2p_samples_first_in(s, record->number), copies = copy;
   while (end < s->lines.n &&
          cg2p_sums_at(&s->lines, end)[LINE_RECORD] == record->number)
      end++;
   while (copies < s->n_records && s->order[copies]->outer == record->number)
      copies++;
   put_word(s, number_of(record->name));
   put_word(s, end - line);
   put_word(s, copies - copy);
   for (; line < end; line++)
      put_line(s, cg2p_sums_at(&s->lines, line));
   for (; copy < copies; copy++) {
      put_word(s, s->order[copy]->offset << 16);
      put_inside(s, s->order[copy]);
   }
}

static bool is_said(const Samples* s, const SampleRecord* function)
{
   return function->total || !s->names.ran[function->name];
}

static void put_functions(Samples* s)
{
   size_t first = cg2p_samples_first_in(s, CG2P_NONE), n = 0;
   for (size_t i = first; i < s->n_records; i++)
      n += is_said(s, s->order[i]);
   put_word(s, GCC_FUNCTIONS);
   put_word(s, 0);
   put_word(s, n);
   for (size_t i = first; i < s->n_records; i++) {
      if (!is_said(s, s->order[i])) continue;
      put_count(s, s->order[i]->head);
      put_inside(s, s->order[i]);
   }
}

void cg2p_gcc_put(FeedbackWriter* writer)
{
   cg2p_samples_find(writer);
   Samples* s = writer->samples;
   cg2p_output_string(&writer->output, "adcg");
   put_word(s, 2);
   put_word(s, 0);
   put_names(s);
   put_functions(s);
   put_word(s, GCC_MODULES);
   put_word(s, 0);
   put_word(s, 0);
}
