#include "model/described/description.h"

#include <stddef.h>

/*--- What may be said ---------------------------------------------------*/

typedef enum KeyKind {
   KEY_NUMBER, /* UInt */
   KEY_LONG,   /* ULong */
   KEY_SIZE,   /* UInt, with K, M or G */
   KEY_WAYS,   /* UInt, or full */
   KEY_WORD,   /* an enum: the index of the word */
   KEY_SWITCH  /* Bool: the index of the word */
} KeyKind;

enum { WAYS_FULL = ~0U, WORDS_MAX = 6, KEYS_MAX = 16, STATEMENTS_MAX = 16 };

/* A key of a statement, KEY=VALUE, and what it may be set to. */
typedef struct StatementKey {
   const HChar* name;
   KeyKind kind;
   UInt offset;                   /* where in the record the value goes */
   Bool is_needed;                /* the statement is wrong without the key */
   ULong low, high;               /* of a number */
   const HChar* words[WORDS_MAX]; /* values that are words, in order */
} StatementKey;

#define REPLACEMENTS                                                           \
   {                                                                           \
      "lru", "plru", "fifo", "random", "srrip"                                 \
   }
#define IN_CACHE(field)      offsetof(CacheConfig, field)
#define IN_PREFETCHER(field) IN_CACHE(prefetcher.field)
#define IN_PROCESSOR(field)  offsetof(Processor, field)

/* Rows: name, kind, where the value goes, is it needed, low, high, words. */

/* clang-format off */
static const StatementKey cache_keys[KEYS_MAX] = {
   {"size", KEY_LONG, IN_CACHE(geometry.size), True, 1, 1ULL << 32, {0}},
   {"ways", KEY_WAYS, IN_CACHE(geometry.ways), True, 1, 1 << 28, {0}},
   {"line", KEY_SIZE, IN_CACHE(geometry.line), False,
    GEOMETRY_LINE_MIN, GEOMETRY_LINE_MAX, {0}},
   {"replacement", KEY_WORD, IN_CACHE(replacement), False, 0, 0, REPLACEMENTS},
   {"seed", KEY_LONG, IN_CACHE(seed), False, 1, 1ULL << 62, {0}},
   {"inclusion", KEY_WORD, IN_CACHE(inclusion), False,
    0, 0, {"none", "inclusive", "exclusive"}},
   {"write", KEY_WORD, IN_CACHE(writing), False,
    0, 0, {"back", "through", "none"}},
   {"allocate", KEY_SWITCH, IN_CACHE(is_not_allocated), False,
    0, 0, {"yes", "no"}},
   {"shared", KEY_SWITCH, IN_CACHE(is_shared), False, 0, 0, {"no", "yes"}},
   {"victims", KEY_NUMBER, IN_CACHE(victims), False,
    0, PROCESSOR_WAYS_MAX, {0}},
   {"latency", KEY_NUMBER, IN_CACHE(latency), False, 0, LATENCY_MAX, {0}},
   {"prefetch", KEY_WORD, IN_PREFETCHER(kind), False,
    0, 0, {"none", "next", "stride", "stream", "page"}},
   {"degree", KEY_NUMBER, IN_PREFETCHER(degree), False,
    1, PREFETCH_DEGREE_MAX, {0}},
   {"distance", KEY_NUMBER, IN_PREFETCHER(distance), False,
    1, PREFETCH_DISTANCE_MAX, {0}},
   {"entries", KEY_NUMBER, IN_PREFETCHER(entries), False,
    1, PREFETCH_ENTRIES_MAX, {0}},
};

static const StatementKey tlb_keys[KEYS_MAX] = {
   {"entries", KEY_LONG, IN_CACHE(geometry.size), True, 1, 1 << 20, {0}},
   {"ways", KEY_WAYS, IN_CACHE(geometry.ways), True, 1, 1 << 20, {0}},
   {"replacement", KEY_WORD, IN_CACHE(replacement), False, 0, 0, REPLACEMENTS},
   {"seed", KEY_LONG, IN_CACHE(seed), False, 1, 1ULL << 62, {0}},
   {"latency", KEY_NUMBER, IN_CACHE(latency), False, 0, LATENCY_MAX, {0}},
};

static const StatementKey memory_keys[KEYS_MAX] = {
   {"latency", KEY_NUMBER, IN_PROCESSOR(memory_latency), True,
    0, LATENCY_MAX, {0}},
};
static const StatementKey walk_keys[KEYS_MAX] = {
   {"latency", KEY_NUMBER, IN_PROCESSOR(walk_latency), True,
    0, LATENCY_MAX, {0}},
};
static const StatementKey page_keys[KEYS_MAX] = {
   {"size", KEY_SIZE, IN_PROCESSOR(page), True, PAGE_MIN, PAGE_MAX, {0}},
   {"cleared", KEY_SWITCH, IN_PROCESSOR(clears_pages), False,
    0, 0, {"no", "yes"}},
};
static const StatementKey levels_keys[KEYS_MAX] = {
   {"ask", KEY_SWITCH, IN_PROCESSOR(asks_for_whole), True,
    0, 0, {"lines", "whole"}},
};
static const StatementKey branches_keys[KEYS_MAX] = {
   {"predictor", KEY_WORD, IN_PROCESSOR(predictor.kind), False,
    0, 0, {"callgrind", "gshare", "perceptron", "tage"}},
   {"bits", KEY_NUMBER, IN_PROCESSOR(predictor.bits), False,
    4, PREDICTOR_BITS_MAX, {0}},
   {"history", KEY_NUMBER, IN_PROCESSOR(predictor.history), False,
    1, PREDICTOR_HISTORY_MAX, {0}},
   {"latency", KEY_NUMBER, IN_PROCESSOR(misprediction_latency), False,
    0, LATENCY_MAX, {0}},
};

/* clang-format on */

/*--- Reading ------------------------------------------------------------*/

enum { WORD_MAX = 80 };

typedef struct DescriptionReader {
   const HChar* text;
   Processor* processor;
   UInt* line;
   HChar* error;
   Bool says_shared;           /* a statement says which levels are shared */
   Bool has_split_tlbs;        /* there is a TLB I1 or D1 */
   UInt known[STATEMENTS_MAX]; /* [statement]: the line where it was, or 0 */
} DescriptionReader;

static Bool fail(DescriptionReader* r, UInt n_written)
{
   (void)r;
   tl_assert(n_written < PROCESSOR_TEXT);
   return False;
}

static Bool is_end(HChar c)
{
   return c == '\0' || c == '\n' || c == '#';
}

static void skip_blanks(DescriptionReader* r)
{
   while (*r->text == ' ' || *r->text == '\t' || *r->text == '\r')
      r->text++;
}

/* Reads the next word of the line, up to a blank or `end`. An empty word: there
 * is none. */
static Bool read_word(DescriptionReader* r, HChar end, HChar* word)
{
   UInt n = 0;
   skip_blanks(r);
   for (; !is_end(*r->text) && *r->text != end && *r->text > ' '; r->text++) {
      HChar c = *r->text;
      if (n == WORD_MAX - 1)
         return fail(r, VG_(sprintf)(r->error, "a word has up to %d characters",
                                     WORD_MAX - 1));
      word[n++] = c < 127 ? c : '?';
   }
   word[n] = '\0';
   return True;
}

/* Writes words with commas between them. Returns how many characters. */
static UInt list(HChar* to, const HChar* const* words, UInt n)
{
   HChar* end = to;
   for (UInt i = 0; i < n && words[i]; i++)
      end += VG_(sprintf)(end, "%s%s", i ? ", " : "", words[i]);
   return end - to;
}

static UInt list_keys(HChar* to, const StatementKey* keys)
{
   const HChar* names[KEYS_MAX];
   UInt n = 0;
   for (; n < KEYS_MAX && keys[n].name; n++)
      names[n] = keys[n].name;
   return list(to, names, n);
}

/* Reads digits, behind which K, M or G may stand. A number that is too large
 * stops growing when it is. */
static Bool read_number(const HChar* word, ULong high, ULong* number)
{
   const HChar* c = word;
   ULong n = 0;
   for (; *c >= '0' && *c <= '9'; c++)
      if (n <= high) n = 10 * n + (*c - '0');
   UInt shift = *c == 'K' ? 10 : *c == 'M' ? 20 : *c == 'G' ? 30 : 0;
   if (c == word || c[shift ? 1 : 0]) return False;
   *number = n > high >> shift ? high + 1 : n << shift;
   return True;
}

static Bool set_number(DescriptionReader* r,
                       const StatementKey* key,
                       const HChar* word,
                       HChar* to)
{
   ULong n;
   if (key->kind == KEY_WAYS && VG_(strcmp)(word, "full") == 0) {
      *(UInt*)to = WAYS_FULL;
      return True;
   }
   if (!read_number(word, key->high, &n) || n < key->low || n > key->high)
      return fail(r,
                  VG_(sprintf)(r->error,
                               "%s is a number from %llu to %llu%s; K, M and "
                               "G may follow; not '%s'",
                               key->name, key->low, key->high,
                               key->kind == KEY_WAYS ? ", or full" : "", word));
   if (key->kind == KEY_SIZE && (n & (n - 1)))
      return fail(r, VG_(sprintf)(r->error, "%s is a power of two, not %llu",
                                  key->name, n));
   if (key->kind == KEY_LONG)
      *(ULong*)to = n;
   else
      *(UInt*)to = n;
   return True;
}

static Bool set_word(DescriptionReader* r,
                     const StatementKey* key,
                     const HChar* word,
                     HChar* to)
{
   for (UInt i = 0; i < WORDS_MAX && key->words[i]; i++)
      if (VG_(strcmp)(word, key->words[i]) == 0) {
         if (key->kind == KEY_SWITCH)
            *(Bool*)to = i;
         else
            *(UInt*)to = i;
         return True;
      }
   UInt n = VG_(sprintf)(r->error, "%s is one of ", key->name);
   n += list(r->error + n, key->words, WORDS_MAX);
   return fail(r, n + VG_(sprintf)(r->error + n, "; not '%s'", word));
}

static Bool set(DescriptionReader* r,
                const StatementKey* key,
                const HChar* word,
                HChar* record)
{
   HChar* to = record + key->offset;
   return key->words[0] ? set_word(r, key, word, to)
                        : set_number(r, key, word, to);
}

static const StatementKey* find_key(const StatementKey* keys, const HChar* name)
{
   for (UInt i = 0; i < KEYS_MAX && keys[i].name; i++)
      if (VG_(strcmp)(name, keys[i].name) == 0) return &keys[i];
   return NULL;
}

static Bool
check_needed(DescriptionReader* r, const StatementKey* keys, UInt given)
{
   for (UInt i = 0; i < KEYS_MAX && keys[i].name; i++)
      if (keys[i].is_needed && !(given & 1U << i))
         return fail(r, VG_(sprintf)(r->error, "%s= is missing", keys[i].name));
   return True;
}

/* Reads KEY=VALUE ... to the end of the line into a record. Bit i of *given is
 * whether keys[i] was there. */
static Bool read_keys(DescriptionReader* r,
                      const StatementKey* keys,
                      void* record,
                      UInt* given)
{
   HChar name[WORD_MAX], value[WORD_MAX];
   *given = 0;
   for (;;) {
      if (!read_word(r, '=', name)) return False;
      if (!*name && *r->text != '=') break;
      const StatementKey* key = find_key(keys, name);
      if (!key) {
         UInt n =
            VG_(sprintf)(r->error, "'%s' is not known here; there are ", name);
         return fail(r, n + list_keys(r->error + n, keys));
      }
      if (*r->text != '=')
         return fail(r, VG_(sprintf)(r->error, "'%s' needs a value: %s=...",
                                     name, name));
      r->text++;
      if (*given & 1U << (key - keys))
         return fail(r, VG_(sprintf)(r->error, "%s= is there twice", name));
      *given |= 1U << (key - keys);
      if (*r->text == ' ' || is_end(*r->text))
         value[0] = '\0';
      else if (!read_word(r, '\0', value))
         return False;
      if (!set(r, key, value, record)) return False;
   }
   return check_needed(r, keys, *given);
}

static Bool was_given(const StatementKey* keys, const HChar* name, UInt given)
{
   return (given & 1U << (find_key(keys, name) - keys)) != 0;
}

/*--- Statements ---------------------------------------------------------*/

/* Gives a cache that is full(y associative) as many ways as it has lines. */
static void complete_ways(Geometry* g)
{
   if (g->ways == WAYS_FULL) g->ways = g->size / g->line;
}

static Bool read_name(DescriptionReader* r, HChar* name)
{
   return read_word(r, '=', name) &&
          (*r->text != '=' ||
           fail(r, VG_(sprintf)(r->error, "a name comes before %s=", name)));
}

static Bool
check_new(DescriptionReader* r, const CacheConfig* c, const HChar* name)
{
   if (!c->line_of_file) return True;
   return fail(r, VG_(sprintf)(r->error, "%s is there already, in line %u",
                               name, c->line_of_file));
}

static Bool read_cache(DescriptionReader* r)
{
   static const HChar* const names[] = {"I1", "D1", "L1", "L2",
                                        "L3", "L4", "L5"};
   static const UInt places[] = {0, 1, 0, 2, 3, 4, 5};
   HChar name[WORD_MAX];
   UInt given, i = 0;
   if (!read_name(r, name)) return False;
   while (i < 7 && VG_(strcmp)(name, names[i]) != 0)
      i++;
   if (i == 7)
      return fail(r, VG_(sprintf)(r->error,
                                  "a cache is I1, D1, L1, L2, L3, L4 or L5; "
                                  "not '%s'",
                                  name));
   CacheConfig* c = &r->processor->caches[places[i]];
   if (!check_new(r, c, name)) return False;
   *c =
      (CacheConfig){.line_of_file = *r->line,
                    .geometry.line = 64,
                    .seed = 1,
                    .prefetcher = {.degree = 1, .distance = 1, .entries = 16}};
   if (i == 2) r->processor->is_unified = True;
   if (!read_keys(r, cache_keys, c, &given)) return False;
   if (c->prefetcher.kind == PREFETCH_NONE &&
       (was_given(cache_keys, "degree", given) ||
        was_given(cache_keys, "distance", given) ||
        was_given(cache_keys, "entries", given)))
      return fail(r, VG_(sprintf)(r->error, "degree, distance and entries are "
                                            "of a prefetcher: prefetch=next, "
                                            "stride, stream or page"));
   if (was_given(cache_keys, "shared", given)) r->says_shared = True;
   complete_ways(&c->geometry);
   return True;
}

static Bool read_tlb(DescriptionReader* r)
{
   static const HChar* const names[] = {"I1", "D1", "L1", "L2"};
   static const UInt places[] = {TLB_CODE, TLB_DATA, TLB_CODE, TLB_SECOND};
   HChar name[WORD_MAX];
   UInt given, i = 0;
   if (!read_name(r, name)) return False;
   while (i < 4 && VG_(strcmp)(name, names[i]) != 0)
      i++;
   if (i == 4)
      return fail(r, VG_(sprintf)(r->error,
                                  "a tlb is I1, D1, L1 or L2; not '%s'", name));
   CacheConfig* c = &r->processor->tlbs[places[i]];
   if (!check_new(r, c, name)) return False;
   *c = (CacheConfig){.line_of_file = *r->line, .geometry.line = 1, .seed = 1};
   if (!read_keys(r, tlb_keys, c, &given)) return False;
   complete_ways(&c->geometry);
   if (c->geometry.size % c->geometry.ways)
      return fail(r, VG_(sprintf)(r->error,
                                  "%llu entries are no whole number of sets of "
                                  "%u ways",
                                  c->geometry.size, c->geometry.ways));
   if (i < 2) r->has_split_tlbs = True;
   return True;
}

/* Reads the name of a machine: the rest of the line, which a comment ends. */
static Bool read_machine(DescriptionReader* r)
{
   HChar* to = r->processor->name;
   UInt n = 0;
   skip_blanks(r);
   for (; !is_end(*r->text); r->text++) {
      if (n == PROCESSOR_NAME - 1)
         return fail(r, VG_(sprintf)(r->error,
                                     "a machine's name has up to %d characters",
                                     PROCESSOR_NAME - 1));
      to[n++] = *r->text >= ' ' ? *r->text : '?';
   }
   while (n > 0 && to[n - 1] == ' ')
      n--;
   to[n] = '\0';
   return n > 0 || fail(r, VG_(sprintf)(r->error, "machine has a name"));
}

static Bool read_source(DescriptionReader* r)
{
   while (*r->text && *r->text != '\n')
      r->text++;
   return True;
}

static Bool read_plain(DescriptionReader* r, const StatementKey* keys)
{
   UInt given;
   return read_keys(r, keys, r->processor, &given);
}

static const struct {
   const HChar* word;
   Bool (*read)(DescriptionReader* r); /* NULL: the statement, of which there is
                               at most one, has `keys` of Processor */
   const StatementKey* keys;
} statements[] = {
   {"machine", read_machine, NULL},   {"source", read_source, NULL},
   {"cache", read_cache, NULL},       {"memory", NULL, memory_keys},
   {"page", NULL, page_keys},         {"tlb", read_tlb, NULL},
   {"walk", NULL, walk_keys},         {"levels", NULL, levels_keys},
   {"branches", NULL, branches_keys},
};
enum { STATEMENTS = sizeof statements / sizeof *statements };

static Bool read_statement(DescriptionReader* r)
{
   HChar word[WORD_MAX];
   if (!read_word(r, '\0', word)) return False;
   for (UInt i = 0; *word && i < STATEMENTS; i++) {
      if (VG_(strcmp)(word, statements[i].word) != 0) continue;
      if (statements[i].read) return statements[i].read(r);
      if (r->known[i])
         return fail(r,
                     VG_(sprintf)(r->error, "%s is there already, in line %u",
                                  word, r->known[i]));
      r->known[i] = *r->line;
      return read_plain(r, statements[i].keys);
   }
   if (!*word) return True;
   const HChar* words[STATEMENTS];
   for (UInt i = 0; i < STATEMENTS; i++)
      words[i] = statements[i].word;
   UInt n = VG_(sprintf)(r->error, "'%s' is no statement; there are ", word);
   return fail(r, n + list(r->error + n, words, STATEMENTS));
}

/*--- All of it ----------------------------------------------------------*/

static Bool missing(DescriptionReader* r, UInt line, const HChar* what)
{
   *r->line = line;
   return fail(r, VG_(sprintf)(r->error, "%s", what));
}

static Bool check_first(DescriptionReader* r)
{
   const CacheConfig* c = r->processor->caches;
   Bool has_code = c[0].line_of_file, has_data = c[1].line_of_file;
   if (r->processor->is_unified && has_data)
      return missing(r, c[1].line_of_file,
                     "a machine has the caches I1 and D1, or L1 for both");
   if (!r->processor->is_unified && !(has_code && has_data))
      return missing(r, *r->line,
                     "the machine needs a cache I1 and a cache "
                     "D1, or a cache L1 for both");
   return True;
}

static Bool count_levels(DescriptionReader* r)
{
   Processor* p = r->processor;
   UInt n = 1;
   while (n < PROCESSOR_LEVELS_MAX && p->caches[n + 1].line_of_file)
      n++;
   p->n_levels = n;
   for (UInt i = n + 1; i < PROCESSOR_CACHES_MAX; i++)
      if (p->caches[i].line_of_file) {
         *r->line = p->caches[i].line_of_file;
         return fail(r, VG_(sprintf)(r->error,
                                     "cache L%u needs a cache L%u above it", i,
                                     n + 1));
      }
   if (!r->says_shared && n > 1) p->caches[n].is_shared = True;
   return True;
}

static Bool check_tlbs(DescriptionReader* r)
{
   const CacheConfig* tlbs = r->processor->tlbs;
   UInt code = tlbs[TLB_CODE].line_of_file, data = tlbs[TLB_DATA].line_of_file;
   if (!r->has_split_tlbs || (code && data)) return True;
   return missing(r, code ? code : data,
                  "tlb I1 and tlb D1 go together; tlb L1 is for both");
}

static Bool check_seeds(DescriptionReader* r)
{
   for (UInt i = 0; i < PROCESSOR_CACHES_MAX; i++) {
      const CacheConfig* c = &r->processor->caches[i];
      if (c->replacement == REPLACE_RANDOM || c->seed == 1) continue;
      if (c->line_of_file)
         return missing(r, c->line_of_file, "seed= is for replacement=random");
   }
   return True;
}

static UInt line_of(const DescriptionReader* r, const HChar* statement)
{
   UInt i = 0;
   while (VG_(strcmp)(statements[i].word, statement) != 0)
      i++;
   return r->known[i];
}

static Bool check_pages(DescriptionReader* r)
{
   const Processor* p = r->processor;
   if (!p->clears_pages || cg2_processor_has_tlb(p)) return True;
   return missing(r, line_of(r, "page"),
                  "cleared=yes needs a tlb, which has not seen a new page");
}

/* Gives a predictor the numbers that were not given, which are 0. */
static Bool complete_predictor(DescriptionReader* r)
{
   PredictorConfig* p = &r->processor->predictor;
   if (p->kind == PREDICT_CALLGRIND && (p->bits || p->history))
      return missing(r, line_of(r, "branches"),
                     "bits and history are of predictor=gshare, perceptron or "
                     "tage");
   if (p->kind != PREDICT_TAGE && p->history > PREDICTOR_OUTCOMES_MAX)
      return missing(r, line_of(r, "branches"),
                     "history of gshare and perceptron is at most 64");
   if (!p->bits) p->bits = p->kind == PREDICT_TAGE ? 10 : 14;
   if (!p->history)
      p->history = p->kind == PREDICT_TAGE         ? 200
                   : p->kind == PREDICT_PERCEPTRON ? 32
                                                   : p->bits;
   return True;
}

Bool cg2_description_parse(const HChar* text,
                           Processor* processor,
                           HChar* error,
                           UInt* line)
{
   DescriptionReader r = {
      .text = text, .processor = processor, .line = line, .error = error};
   VG_(memset)(processor, 0, sizeof *processor);
   processor->page = PAGE_MIN;
   *line = 1;
   error[0] = '\0';
   while (*r.text) {
      if (!read_statement(&r)) return False;
      skip_blanks(&r);
      if (!is_end(*r.text))
         return fail(&r, VG_(sprintf)(error, "nothing is expected here any "
                                             "more"));
      while (*r.text && *r.text != '\n')
         r.text++;
      if (*r.text) {
         r.text++;
         ++*line;
      }
   }
   return complete_predictor(&r) && check_first(&r) && count_levels(&r) &&
          check_tlbs(&r) && check_pages(&r) && check_seeds(&r) &&
          cg2_processor_check(processor, error, line);
}
