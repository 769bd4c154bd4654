#include "model/described/predictor.h"

#include "model/callgrind/branch.h"

enum {
   TAGGED = 4, /* tables with tags */
   TAG_BITS = 9,
   USEFUL_MAX = 3,
   FADE_BITS = 18 /* log2 of branches */
};

/* An entry of a table with tags. */
typedef struct Tagged {
   UShort tag;          /* tag plus 1; 0: the entry is empty */
   signed char counter; /* -4 to 3; predicts taken from 0 on */
   UChar useful;        /* 0 to USEFUL_MAX */
} Tagged;

/* The last outcomes that each table knows, folded to so many bits: the outcome
 * of i branches ago is in bit i % bits. Each branch turns the bits by one, adds
 * its outcome and removes the oldest, in two tables at once, which are the
 * halves of a word. Folded anew for each branch, tage takes 1.4 times as long.
 */
enum { PAIRS = TAGGED / 2 };
typedef struct Folds {
   UInt bits;
   ULong of[PAIRS];
   ULong oldest[PAIRS]; /* the bit that the oldest outcome of a table is turned
                           to when it has to go */
} Folds;
enum { FOLD_PLACE, FOLD_TAG, FOLD_TAG_SHORTER, FOLDS };

/* Reason for a mutable file-scope object: the predictor of the process's
 * machine. */
static struct {
   PredictorConfig config;
   UWord mask;    /* entries - 1 */
   ULong history; /* a bit for each outcome, the newest lowest */
   ULong n_branches;
   UChar* counters;        /* gshare, tage: [entry]: 0 to 3; taken from 2 on */
   signed char* weights;   /* perceptron: [entry][1 + history]: bias first */
   Tagged* tagged[TAGGED]; /* tage: [table][entry] */
   UInt known[TAGGED];     /* tage: outcomes that a table knows */
   Folds folds[FOLDS];
} predictor;

/*--- Counters -----------------------------------------------------------*/

/* Moves a counter from 0 to 3 towards the outcome. */
static inline void move_counter(UChar* counter, Bool is_taken)
{
   if (is_taken)
      *counter += *counter < 3;
   else
      *counter -= *counter > 0;
}

/* The last n outcomes, the newest lowest. */
static inline ULong last_outcomes(UInt n)
{
   return n < 64 ? predictor.history & ((1ULL << n) - 1) : predictor.history;
}

static Bool gshare(Addr addr, Bool is_taken)
{
   ULong past = last_outcomes(predictor.config.history);
   UChar* counter = &predictor.counters[(addr ^ past) & predictor.mask];
   Bool is_predicted = *counter >= 2;
   move_counter(counter, is_taken);
   return is_predicted != is_taken;
}

/*--- Perceptrons --------------------------------------------------------*/

enum { WEIGHT_MIN = -128, WEIGHT_MAX = 127 };

/* Moves a weight by one. */
static void move_weight(signed char* weight, Bool up)
{
   if (up)
      *weight += *weight < WEIGHT_MAX;
   else
      *weight -= *weight > WEIGHT_MIN;
}

static Bool perceptron(Addr addr, Bool is_taken)
{
   UInt n = predictor.config.history;
   signed char* weights = predictor.weights + (addr & predictor.mask) * (n + 1);
   Int sum = weights[0], threshold = (193 * n + 1400) / 100;
   for (UInt i = 0; i < n; i++)
      sum += predictor.history >> i & 1 ? weights[i + 1] : -weights[i + 1];
   Bool is_predicted = sum >= 0;
   if (is_predicted != is_taken || (sum <= threshold && sum >= -threshold)) {
      move_weight(&weights[0], is_taken);
      for (UInt i = 0; i < n; i++)
         move_weight(&weights[i + 1], (predictor.history >> i & 1) == is_taken);
   }
   return is_predicted != is_taken;
}

/*--- TAGE ---------------------------------------------------------------*/

/* A word has two halves of 32 bits, for an even table and the next one. */

static inline ULong in_half(UInt n, UInt table)
{
   return (ULong)n << 32 * (table % 2);
}

static inline ULong in_both(UInt n)
{
   return in_half(n, 0) | in_half(n, 1);
}

static inline UInt half_of(const ULong* pairs, UInt table)
{
   return pairs[table / 2] >> 32 * (table % 2);
}

static void init_folds(void)
{
   const UInt bits[FOLDS] = {[FOLD_PLACE] = predictor.config.bits,
                             [FOLD_TAG] = TAG_BITS,
                             [FOLD_TAG_SHORTER] = TAG_BITS - 1};
   VG_(memset)(predictor.folds, 0, sizeof predictor.folds);
   for (UInt table = 0; table < TAGGED; table++) {
      UInt known = predictor.config.history >> (TAGGED - 1 - table);
      if (!known) known = 1;
      predictor.known[table] = known;
      for (UInt i = 0; i < FOLDS; i++) {
         Folds* f = &predictor.folds[i];
         f->bits = bits[i];
         f->oldest[table / 2] |= in_half(1U << known % bits[i], table);
      }
   }
}

/* All bits of a table's half, if the outcome that it will know no more was
 * taken; else 0. */
static inline ULong taken_oldest(UInt table)
{
   UInt oldest = predictor.history >> (predictor.known[table] - 1) & 1;
   return in_half(-oldest, table);
}

/* Adds an outcome to all folds. The history does not have it yet. */
static void fold_outcome(Bool is_taken)
{
   for (UInt pair = 0; pair < PAIRS; pair++) {
      ULong gone = taken_oldest(2 * pair) | taken_oldest(2 * pair + 1);
      for (UInt i = 0; i < FOLDS; i++) {
         Folds* f = &predictor.folds[i];
         ULong turned = f->of[pair] << 1;
         turned |= f->of[pair] >> (f->bits - 1) & in_both(1);
         turned ^= in_both(is_taken) ^ (gone & f->oldest[pair]);
         f->of[pair] = turned & in_both((1U << f->bits) - 1);
      }
   }
}

/* The entry of a table that a branch has now. */
static Tagged* entry_of(UInt table, Addr addr)
{
   UInt bits = predictor.config.bits;
   UWord place = addr ^ addr >> (bits - table) ^
                 half_of(predictor.folds[FOLD_PLACE].of, table);
   return &predictor.tagged[table][place & predictor.mask];
}

/* The tag of a branch now, as Tagged has it. */
static UInt tag_of(UInt table, Addr addr)
{
   const Folds* folds = predictor.folds;
   UWord tag = addr ^ half_of(folds[FOLD_TAG].of, table) ^
               half_of(folds[FOLD_TAG_SHORTER].of, table) << 1;
   return (tag & ((1 << TAG_BITS) - 1)) + 1;
}

/* The entries that a branch has, in each table, and which of them match. */
typedef struct Match {
   Tagged* entries[TAGGED];
   UInt tags[TAGGED];
   Int longest, next; /* the last two tables that match, or -1 */
} Match;

/* The last of some tables, each of which has the bit 2 << table; -1: there is
 * none. */
static inline Int last_of(UInt tables)
{
   return 30 - __builtin_clz(tables | 1);
}

/* Finds the entries of a branch. Without branches of its own, which the host
 * would mispredict as often as not. */
static void find_match(Addr addr, Match* m)
{
   UInt matches = 0;
   for (UInt table = 0; table < TAGGED; table++) {
      m->entries[table] = entry_of(table, addr);
      m->tags[table] = tag_of(table, addr);
      matches |= (UInt)(m->entries[table]->tag == m->tags[table]) << table;
   }
   m->longest = last_of(matches << 1);
   m->next = last_of(matches << 1 & ~(1U << (m->longest + 1)));
}

/* Gives a branch that was mispredicted an entry in a longer table. */
static void allocate(Match* m, Bool is_taken)
{
   for (Int table = m->longest + 1; table < TAGGED; table++)
      if (m->entries[table]->useful == 0) {
         *m->entries[table] =
            (Tagged){.tag = m->tags[table], .counter = is_taken ? 0 : -1};
         return;
      }
   for (Int table = m->longest + 1; table < TAGGED; table++)
      m->entries[table]->useful--;
}

/* Makes all entries half as useful. */
static void fade(void)
{
   for (UInt table = 0; table < TAGGED; table++)
      for (UWord i = 0; i <= predictor.mask; i++)
         predictor.tagged[table][i].useful /= 2;
}

static Bool tage(Addr addr, Bool is_taken)
{
   Match m;
   find_match(addr, &m);
   UChar* base = &predictor.counters[addr & predictor.mask];
   Bool by_next = m.next >= 0 ? m.entries[m.next]->counter >= 0 : *base >= 2;
   Bool is_predicted =
      m.longest >= 0 ? m.entries[m.longest]->counter >= 0 : *base >= 2;
   if (m.longest >= 0) {
      Tagged* e = m.entries[m.longest];
      if (is_taken)
         e->counter += e->counter < 3;
      else
         e->counter -= e->counter > -4;
      if (is_predicted != by_next) {
         if (is_predicted == is_taken)
            e->useful += e->useful < USEFUL_MAX;
         else
            e->useful -= e->useful > 0;
      }
   } else
      move_counter(base, is_taken);
   if (is_predicted != is_taken) allocate(&m, is_taken);
   if ((predictor.n_branches + 1) % (1 << FADE_BITS) == 0) fade();
   fold_outcome(is_taken);
   return is_predicted != is_taken;
}

/*--- The machine's predictor --------------------------------------------*/

Bool cg2_predictor_conditional(Addr addr, Bool is_taken)
{
   Bool is_wrong = False;
   switch (predictor.config.kind) {
   case PREDICT_CALLGRIND:
      return cg2_branch_conditional(addr, is_taken);
   case PREDICT_GSHARE:
      is_wrong = gshare(addr, is_taken);
      break;
   case PREDICT_PERCEPTRON:
      is_wrong = perceptron(addr, is_taken);
      break;
   case PREDICT_TAGE:
      is_wrong = tage(addr, is_taken);
      break;
   }
   predictor.history = predictor.history << 1 | is_taken;
   predictor.n_branches++;
   return is_wrong;
}

void cg2_predictor_clear(void)
{
   UWord n = predictor.mask + 1;
   UInt weights = predictor.config.history + 1;
   predictor.history = predictor.n_branches = 0;
   if (predictor.counters) VG_(memset)(predictor.counters, 0, n);
   if (predictor.weights) VG_(memset)(predictor.weights, 0, n * weights);
   for (UInt table = 0; table < TAGGED; table++)
      if (predictor.tagged[table])
         VG_(memset)(predictor.tagged[table], 0, n * sizeof(Tagged));
   init_folds();
   cg2_branch_clear();
}

void cg2_predictor_init(const PredictorConfig* config)
{
   UWord n = (UWord)1 << config->bits;
   VG_(memset)(&predictor, 0, sizeof predictor);
   predictor.config = *config;
   predictor.mask = n - 1;
   init_folds();
   if (config->kind == PREDICT_GSHARE || config->kind == PREDICT_TAGE)
      predictor.counters = VG_(calloc)("cg2.predictor", n, 1);
   if (config->kind == PREDICT_PERCEPTRON)
      predictor.weights =
         VG_(calloc)("cg2.predictor", n * (config->history + 1), 1);
   if (config->kind != PREDICT_TAGE) return;
   for (UInt table = 0; table < TAGGED; table++)
      predictor.tagged[table] = VG_(calloc)("cg2.predictor", n, sizeof(Tagged));
}
