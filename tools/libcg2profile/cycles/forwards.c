#include "cycles/forwards.h"

#include "base/number.h"
#include "profile/rows.h"

#include <stdlib.h>
#include <string.h>

/*--- Reading ------------------------------------------------------------*/

/* Takes the word up to the next blank from a text. */
static Text take_word(Text* text)
{
   const char* end = memchr(text->start, ' ', cg2p_text_length(*text));
   Text word = {text->start, end ? end : text->end};
   text->start = end ? end + 1 : text->end;
   return word;
}

static bool take_number(Text* text, uint64_t* number)
{
   return cg2p_number_read(take_word(text), number);
}

static bool is_partly(Text text)
{
   static const char partly[] = "partly ";
   size_t n = sizeof partly - 1;
   return cg2p_text_length(text) > n && !memcmp(text.start, partly, n);
}

/* The object of instructions of this name. */
static const CycleObject*
object_of(const cg2p_profile* profile, const CycleObjects* objects, Text name)
{
   for (size_t i = 0; i < objects->n; i++) {
      size_t length;
      const char* own =
         cg2p_profile_name(profile, objects->of[i].name, &length);
      if (length == cg2p_text_length(name) && !memcmp(own, name.start, length))
         return &objects->of[i];
   }
   return NULL;
}

/* Reads "100 0x1138 0x1200 1 /bin/app", or the same with `partly` in front of
 * the object's name. */
static void read_forward(Forwards* forwards,
                         Failure* failure,
                         const cg2p_profile* profile,
                         const CycleObjects* objects,
                         Text text)
{
   uint64_t count, load, store, ago;
   if (!take_number(&text, &count) || !take_number(&text, &load) ||
       !take_number(&text, &store) || !take_number(&text, &ago) || !ago ||
       ago > FORWARD_AGO_MAX)
      return;
   bool is_whole = !is_partly(text);
   if (!is_whole) take_word(&text);
   const CycleObject* object = object_of(profile, objects, text);
   if (!object) return;
   Forward forward = {.ago = ago, .is_whole = is_whole, .count = count};
   forward.load = cg2p_gathering_spot(objects, object->name, load, CG2P_NONE);
   forward.store = cg2p_gathering_spot(objects, object->name, store, CG2P_NONE);
   if (forward.load == CG2P_NONE || forward.store == CG2P_NONE) return;
   forwards->of = cg2p_memory_grow(failure, forwards->of, &forwards->room,
                                   forwards->n + 1, sizeof *forwards->of);
   forwards->of[forwards->n++] = forward;
}

static void read_list(Forwards* forwards,
                      Failure* failure,
                      const cg2p_profile* profile,
                      const CycleObjects* objects,
                      const char* list)
{
   for (const char *at = list, *end; *at; at = end + (*end == '\t')) {
      end = at + strcspn(at, "\t");
      read_forward(forwards, failure, profile, objects, (Text){at, end});
   }
}

/*--- Order --------------------------------------------------------------*/

static int compare_keys(const void* va, const void* vb)
{
   const Forward *a = va, *b = vb;
   int order = cg2p_rows_compare_numbers(a->load, b->load);
   if (!order) order = cg2p_rows_compare_numbers(a->store, b->store);
   if (!order) order = cg2p_rows_compare_numbers(a->ago, b->ago);
   return order ? order : b->is_whole - a->is_whole;
}

/* By load; then what is forwarded most often first. */
static int compare_counts(const void* va, const void* vb)
{
   const Forward *a = va, *b = vb;
   int order = cg2p_rows_compare_numbers(a->load, b->load);
   if (!order) order = cg2p_rows_compare_numbers(b->count, a->count);
   return order ? order : compare_keys(a, b);
}

/* The sum, or the largest number. */
static uint64_t sum_of(uint64_t a, uint64_t b)
{
   return a + b < a ? UINT64_MAX : a + b;
}

/* Adds up what several parts say of the same. */
static void unite(Forwards* forwards)
{
   size_t n = 0;
   qsort(forwards->of, forwards->n, sizeof *forwards->of, compare_keys);
   for (size_t i = 0; i < forwards->n; i++) {
      Forward* more = &forwards->of[i];
      Forward* last = n ? &forwards->of[n - 1] : NULL;
      if (last && compare_keys(last, more) == 0)
         last->count = sum_of(last->count, more->count);
      else
         forwards->of[n++] = *more;
   }
   forwards->n = n;
   qsort(forwards->of, n, sizeof *forwards->of, compare_counts);
}

static void add_up(Forwards* forwards)
{
   for (size_t i = 0; i < forwards->n; i++) {
      Forward* f = &forwards->of[i];
      bool is_first = !i || f[-1].load != f->load;
      uint64_t before = is_first ? 0 : f[-1].up_to;
      f->up_to = sum_of(before, f->count);
   }
}

static void number_sources(Forwards* forwards)
{
   for (size_t i = 0; i < forwards->n; i++) {
      uint32_t* source = &forwards->sources[forwards->of[i].store];
      if (!*source) *source = ++forwards->n_sources;
   }
}

void cg2p_forwards_find(Forwards* forwards,
                        Failure* failure,
                        const cg2p_profile* profile,
                        const CycleObjects* objects)
{
   size_t n = (size_t)objects->n_spots + 1;
   for (size_t p = 0; p < profile->n_parts; p++) {
      const Part* part = profile->parts[p];
      for (size_t i = 0; i < part->n_descriptions; i++)
         if (!strcmp(part->descriptions[i].kind, CG2P_FORWARDED_KIND))
            read_list(forwards, failure, profile, objects,
                      part->descriptions[i].text);
   }
   if (!forwards->n) return;
   unite(forwards);
   add_up(forwards);
   forwards->sources =
      cg2p_memory_allocate(failure, n * sizeof *forwards->sources);
   number_sources(forwards);
   forwards->first = cg2p_memory_allocate(failure, n * sizeof *forwards->first);
   for (size_t i = 0, spot = 0; spot < n; spot++) {
      while (i < forwards->n && forwards->of[i].load < spot)
         i++;
      forwards->first[spot] = i;
   }
}

void cg2p_forwards_free(Forwards* forwards)
{
   free(forwards->of);
   free(forwards->first);
   free(forwards->sources);
}
