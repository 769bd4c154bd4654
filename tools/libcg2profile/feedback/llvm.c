/* LLVM's sample profile as text, for -fprofile-sample-use and llvm-profdata
 * merge --sample:
 *
 *    function:total:calls                       how often it was called
 *     line[.discriminator]: count [name:calls...]
 *     line[.discriminator]: name:total          a copy that was put there
 *      line[.discriminator]: count [name:calls...] */
#include "feedback/llvm.h"

#include "feedback/samples.h"

static void put_number(Samples* s, const char* before, uint64_t number)
{
   cg2p_output_string(&s->writer->output, before);
   cg2p_output_decimal(&s->writer->output, number);
}

static void
put_offset(Samples* s, unsigned depth, uint64_t offset, uint64_t discriminator)
{
   for (unsigned i = 0; i < depth; i++)
      cg2p_output_letter(&s->writer->output, ' ');
   put_number(s, "", offset);
   if (discriminator) put_number(s, ".", discriminator);
   cg2p_output_string(&s->writer->output, ": ");
}

/* Puts what was called on a line. */
static void put_calls(Samples* s, const uint64_t* line)
{
   size_t first, end = cg2p_samples_calls(s, line, &first);
   for (size_t i = first; i < end; i++) {
      const uint64_t* call = cg2p_sums_at(&s->calls, i);
      cg2p_output_letter(&s->writer->output, ' ');
      cg2p_output_string(&s->writer->output, s->names.texts[call[CALL_NAME]]);
      put_number(s, ":", call[CALL_COUNT]);
   }
}

static void put_lines(Samples* s, uint32_t record, unsigned depth)
{
   const Sums* lines = &s->lines;
   size_t at = cg2p_samples_first_line(s, record);
   for (; at < lines->n; at++) {
      const uint64_t* line = cg2p_sums_at(lines, at);
      if (line[LINE_RECORD] != record) return;
      uint64_t times = cg2p_samples_times(line);
      if (!times) continue;
      put_offset(s, depth, line[LINE_OFFSET], line[LINE_DISCRIMINATOR]);
      put_number(s, "", times);
      put_calls(s, line);
      cg2p_output_letter(&s->writer->output, '\n');
   }
}

/* Puts the lines of a record, and what was put into it. */
static void put_inside(Samples* s, uint32_t record, unsigned depth)
{
   put_lines(s, record, depth);
   size_t at = cg2p_samples_first_in(s, record);
   for (; at < s->n_records && s->order[at]->outer == record; at++) {
      const SampleRecord* copy = s->order[at];
      if (!copy->total) continue;
      put_offset(s, depth, copy->offset, copy->discriminator);
      cg2p_output_string(&s->writer->output, copy->text);
      put_number(s, ":", copy->total);
      cg2p_output_letter(&s->writer->output, '\n');
      put_inside(s, copy->number, depth + 1);
   }
}

static void put_functions(Samples* s)
{
   size_t at = cg2p_samples_first_in(s, CG2P_NONE);
   for (; at < s->n_records; at++) {
      const SampleRecord* function = s->order[at];
      if (!function->total) continue;
      cg2p_output_string(&s->writer->output, function->text);
      put_number(s, ":", function->total);
      put_number(s, ":", function->head);
      cg2p_output_letter(&s->writer->output, '\n');
      put_inside(s, function->number, 1);
   }
}

void cg2p_llvm_put(FeedbackWriter* writer)
{
   cg2p_samples_find(writer);
   put_functions(writer->samples);
}
