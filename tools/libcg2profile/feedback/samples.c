#include "feedback/samples.h"

#include "base/search.h"

#include <stdlib.h>
#include <string.h>

static const Control* control_of(const Samples* s)
{
   return &s->writer->feedback->control;
}

/*--- Records ------------------------------------------------------------*/

static uint32_t name_number(Samples* s, const char* text)
{
   uint64_t key = cg2p_numbermap_key(text);
   uint64_t number = cg2p_numbermap_find(&s->names.numbers, key);
   if (number) return number - 1;
   s->names.texts =
      cg2p_memory_grow(&s->writer->failure, s->names.texts, &s->names.room,
                       s->names.n + 1, sizeof *s->names.texts);
   s->names.texts[s->names.n] = text;
   cg2p_numbermap_set(&s->names.numbers, &s->writer->failure, key,
                      s->names.n + 1);
   return s->names.n++;
}

/* The line of a function, as LLVM counts it. */
static uint32_t offset_of(uint32_t line, uint32_t declared)
{
   return (line - declared) & 0xffff;
}

static bool is_same(const SampleRecord* a, const SampleRecord* b)
{
   return a->outer == b->outer && a->offset == b->offset &&
          a->discriminator == b->discriminator && a->name == b->name;
}

static uint32_t record_number(Samples* s, SampleRecord wanted)
{
   uint64_t keys[] = {wanted.outer, wanted.offset, wanted.discriminator,
                      wanted.name};
   uint32_t hash = cg2p_hash_numbers(keys, sizeof keys / sizeof *keys);
   uint32_t found =
      cg2p_hash_find(&s->table, hash, i, is_same(&s->records[i], &wanted));
   if (found != CG2P_NONE) return found;
   s->records = cg2p_memory_grow(&s->writer->failure, s->records, &s->room,
                                 s->n_records + 1, sizeof *s->records);
   cg2p_hash_add(&s->table, &s->writer->failure, hash, s->n_records);
   wanted.number = s->n_records;
   s->records[s->n_records] = wanted;
   return s->n_records++;
}

/* Bodies come behind those that they are in. */
static void find_records(Samples* s)
{
   s->of_body = cg2p_arena_add(&s->writer->arena, &s->writer->failure,
                               (s->bodies->n_bodies + 1) * sizeof *s->of_body);
   for (size_t b = 0; b < s->bodies->n_bodies; b++) {
      const cg2p_body* body = &s->bodies->bodies[b];
      SampleRecord record = {.outer = CG2P_NONE, .text = body->name};
      record.name = name_number(s, body->name);
      if (body->outer == CG2P_NONE)
         cg2p_numbermap_set(&s->entries, &s->writer->failure, body->address,
                            b + 1);
      else {
         record.outer = s->of_body[body->outer];
         record.offset =
            offset_of(body->call_line, s->bodies->bodies[body->outer].line);
         record.discriminator = body->call_discriminator;
      }
      s->of_body[b] = record_number(s, record);
   }
}

/*--- Counts -------------------------------------------------------------*/

static void put_place(const Samples* s, uint64_t* to, const cg2p_spot* spot)
{
   to[LINE_RECORD] = s->of_body[spot->body];
   to[LINE_OFFSET] = offset_of(spot->line, s->bodies->bodies[spot->body].line);
   to[LINE_DISCRIMINATOR] = spot->discriminator;
}

/* Lets a line know that code of it ran so often. */
static void add_line(Samples* s, const cg2p_spot* spot, uint64_t count)
{
   uint64_t* line = cg2p_sums_reserve(&s->lines, &s->writer->failure);
   put_place(s, line, spot);
   line[LINE_COUNT] = ~(count * spot->copies);
   cg2p_counts_add(&s->lines, &s->writer->failure);
}

/* The function that a body is of, through all that it is put into. */
static uint32_t function_of(const Samples* s, uint32_t body)
{
   while (body != CG2P_NONE && s->bodies->bodies[body].outer != CG2P_NONE)
      body = s->bodies->bodies[body].outer;
   return body;
}

/* Counts a transfer from spot `from` (`n`: from outside) if it enters a
 * function. */
static void add_transfer(Samples* s, size_t from, const uint64_t* transfer)
{
   uint64_t body = cg2p_numbermap_find(&s->entries, transfer[TRANSFER_TO]);
   const cg2p_spot* spot =
      from < control_of(s)->n ? &s->bodies->spots[from] : NULL;
   if (!body) return;
   body--;
   if (transfer[TRANSFER_KIND] == TRANSFER_JUMP && spot &&
       function_of(s, spot->body) == body)
      return;
   SampleRecord* called = &s->records[s->of_body[body]];
   called->head += transfer[TRANSFER_COUNT];
   if (!spot || spot->body == CG2P_NONE || !spot->line) return;
   uint64_t* call = cg2p_sums_reserve(&s->calls, &s->writer->failure);
   put_place(s, call, spot);
   call[CALL_NAME] = called->name;
   call[CALL_COUNT] = transfer[TRANSFER_COUNT];
   cg2p_counts_add(&s->calls, &s->writer->failure);
}

static void add_entries_from_nowhere(Samples* s, size_t i)
{
   uint64_t count = control_of(s)->passages[i].outside;
   if (!count) return;
   uint64_t body =
      cg2p_numbermap_find(&s->entries, control_of(s)->counts->addresses[i]);
   if (body) s->records[s->of_body[body - 1]].head += count;
}

static void count(Samples* s)
{
   const Counts* counts = control_of(s)->counts;
   size_t spot = 0, n = control_of(s)->n;
   s->lines = (Sums){.n_keys = LINE_COUNT,
                     .n_least = 1,
                     .width = LINE_WIDTH,
                     .adds_late = true};
   s->calls =
      (Sums){.n_keys = CALL_COUNT, .width = CALL_WIDTH, .adds_late = true};
   for (size_t i = 0; i < n; i++) {
      const cg2p_spot* own = &s->bodies->spots[i];
      if (own->body != CG2P_NONE && own->line)
         add_line(s, own, control_of(s)->passages[i].count);
      add_entries_from_nowhere(s, i);
   }
   for (size_t i = 0; i < s->bodies->n_idle; i++)
      add_line(s, &s->bodies->idle[i], 0);
   for (size_t t = 0; t < counts->transfers.n; t++) {
      const uint64_t* transfer = cg2p_sums_at(&counts->transfers, t);
      while (spot < n && counts->addresses[spot] < transfer[TRANSFER_FROM])
         spot++;
      bool is_own =
         spot < n && counts->addresses[spot] == transfer[TRANSFER_FROM];
      add_transfer(s, is_own ? spot : n, transfer);
   }
   cg2p_counts_add_up(&s->lines, &s->writer->failure);
   cg2p_counts_add_up(&s->calls, &s->writer->failure);
   for (size_t i = 0; i < s->lines.n; i++) {
      uint64_t times = cg2p_samples_times(cg2p_sums_at(&s->lines, i));
      if (times > s->most) s->most = times;
   }
}

static void add_totals(Samples* s)
{
   for (size_t i = 0; i < control_of(s)->n; i++) {
      uint32_t body = s->bodies->spots[i].body;
      if (body != CG2P_NONE)
         s->records[s->of_body[body]].total +=
            control_of(s)->passages[i].count * control_of(s)->steps[i].length;
   }
   s->names.ran =
      cg2p_arena_add(&s->writer->arena, &s->writer->failure, s->names.n + 1);
   memset(s->names.ran, 0, s->names.n + 1);
   for (size_t i = s->n_records; i-- > 0;) {
      const SampleRecord* record = &s->records[i];
      if (record->outer != CG2P_NONE)
         s->records[record->outer].total += record->total;
      s->names.ran[record->name] |= record->total > 0;
   }
}

/*--- What is asked for --------------------------------------------------*/

static int compare_numbers(uint64_t a, uint64_t b)
{
   return (a > b) - (a < b);
}

/* By what they were put into, copies by place, functions by total. */
static int compare(const void* a, const void* b)
{
   const SampleRecord *x = *(const SampleRecord*const*)a,
                      *y = *(const SampleRecord*const*)b;
   int order = compare_numbers(x->outer, y->outer);
   if (!order && x->outer == CG2P_NONE)
      order = compare_numbers(y->total, x->total);
   if (!order) order = compare_numbers(x->offset, y->offset);
   if (!order) order = compare_numbers(x->discriminator, y->discriminator);
   return order ? order : strcmp(x->text, y->text);
}

static void find_order(Samples* s)
{
   s->order = cg2p_arena_add(&s->writer->arena, &s->writer->failure,
                             (s->n_records + 1) * sizeof *s->order);
   for (size_t i = 0; i < s->n_records; i++)
      s->order[i] = &s->records[i];
   qsort(s->order, s->n_records, sizeof *s->order, compare);
}

/* The first of what is in the order of records, for each of these. */
static size_t* firsts_of(Samples* s, const Sums* sums)
{
   size_t* firsts = cg2p_arena_add(&s->writer->arena, &s->writer->failure,
                                   (s->n_records + 1) * sizeof *firsts);
   size_t record = 0;
   for (size_t i = 0; i < sums->n; i++)
      while (record <= cg2p_sums_at(sums, i)[LINE_RECORD])
         firsts[record++] = i;
   while (record <= s->n_records)
      firsts[record++] = sums->n;
   return firsts;
}

static bool comes_before(const uint64_t* a, const uint64_t* b)
{
   for (unsigned key = 0; key < LINE_COUNT; key++)
      if (a[key] != b[key]) return a[key] < b[key];
   return false;
}

size_t cg2p_samples_calls(const Samples* s, const uint64_t* line, size_t* first)
{
   const Sums* calls = &s->calls;
   const size_t* own = &s->first_calls[line[LINE_RECORD]];
   size_t at = cg2p_search_first(i, own[0], own[1],
                                 comes_before(cg2p_sums_at(calls, i), line));
   *first = at;
   while (at < own[1] && !comes_before(line, cg2p_sums_at(calls, at)))
      at++;
   return at;
}

size_t cg2p_samples_first_in(const Samples* s, uint32_t outer)
{
   return cg2p_search_first(i, 0, s->n_records, s->order[i]->outer < outer);
}

size_t cg2p_samples_first_line(const Samples* s, uint32_t record)
{
   return s->first_lines[record];
}

/*--- The whole ----------------------------------------------------------*/

void cg2p_samples_find(FeedbackWriter* writer)
{
   const cg2p_feedback* feedback = writer->feedback;
   Failure* failure = &writer->failure;
   if (!feedback->bodies || !feedback->bodies->n_bodies)
      cg2p_failure_at(failure, 0,
                      "no function that ran has debug information; expected "
                      "an object that was compiled with -g");
   Samples* s = cg2p_arena_add(&writer->arena, failure, sizeof *s);
   *s = (Samples){.writer = writer, .bodies = feedback->bodies};
   writer->samples = s;
   find_records(s);
   count(s);
   s->first_lines = firsts_of(s, &s->lines);
   s->first_calls = firsts_of(s, &s->calls);
   add_totals(s);
   find_order(s);
}

void cg2p_samples_free(FeedbackWriter* writer)
{
   Samples* s = writer->samples;
   if (!s) return;
   free(s->records);
   free(s->names.texts);
   cg2p_hash_free(&s->table);
   cg2p_numbermap_free(&s->names.numbers);
   cg2p_numbermap_free(&s->entries);
   cg2p_sums_free(&s->lines);
   cg2p_sums_free(&s->calls);
}
