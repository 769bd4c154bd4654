#include "reference_predictor.h"

#include <stdlib.h>
#include <string.h>

enum { PAST = 64, WAYS = 8, STEPS = 256, OPEN_CALLS = 32 };

typedef struct Guess {
   ULong tag;
   Int counter, useful;
} Guess;

typedef struct Target {
   ULong tag;
   Addr to;
   Int sure, useful;
} Target;

static struct {
   PredictorConfig c;
   Bool past[PAST];    /* the newest first */
   ULong steps[STEPS]; /* of tage: the newest first */
   ULong n, n_missed;
   Int* counters;
   Int (*weights)[PAST + 1];
   Guess* guesses[WAYS];
   Target* targets[WAYS];
   Addr* last;
   Addr open[OPEN_CALLS]; /* the newest first; 0 where there was none */
} r;

static ULong size(void)
{
   return 1ULL << r.c.bits;
}

void reference_predictor_init(const PredictorConfig* config)
{
   memset(&r, 0, sizeof r);
   r.c = *config;
   r.counters = calloc(16 * size(), sizeof *r.counters);
   r.weights = calloc(size(), sizeof *r.weights);
   r.last = calloc(4 * size(), sizeof *r.last);
   for (UInt t = 0; t < WAYS; t++) {
      r.guesses[t] = calloc(size(), sizeof *r.guesses[t]);
      r.targets[t] = calloc(size() / 4, sizeof *r.targets[t]);
   }
}

void reference_predictor_free(void)
{
   free(r.counters);
   free(r.weights);
   free(r.last);
   for (UInt t = 0; t < WAYS; t++) {
      free(r.guesses[t]);
      free(r.targets[t]);
   }
}

static Int clamp(Int n, Int low, Int high)
{
   return n < low ? low : n > high ? high : n;
}

static Bool refer_gshare(Addr addr, Bool is_taken)
{
   ULong place = addr;
   for (UInt i = 0; i < r.c.history; i++)
      if (r.past[i]) place ^= 1ULL << i;
   Int* counter = &r.counters[place % size()];
   Bool guess = *counter > 1;
   *counter = clamp(*counter + (is_taken ? 1 : -1), 0, 3);
   return guess;
}

static Bool refer_perceptron(Addr addr, Bool is_taken)
{
   Int* w = r.weights[addr % size()];
   Int sum = w[r.c.history];
   for (UInt i = 0; i < r.c.history; i++)
      sum += w[i] * (r.past[i] ? 1 : -1);
   Bool guess = sum >= 0;
   if (guess == is_taken && abs(sum) > (Int)(1.93 * r.c.history + 14))
      return guess;
   w[r.c.history] = clamp(w[r.c.history] + (is_taken ? 1 : -1), -128, 127);
   for (UInt i = 0; i < r.c.history; i++)
      w[i] = clamp(w[i] + (r.past[i] == is_taken ? 1 : -1), -128, 127);
   return guess;
}

/*--- The path of a program ----------------------------------------------*/

static ULong low32(ULong word)
{
   return word & 0xffffffffULL;
}

static ULong mixed(ULong word)
{
   word = low32(low32(word) * 0x9E3779B1ULL);
   return word ^ word / 32768;
}

static void step(ULong word)
{
   memmove(&r.steps[1], &r.steps[0], sizeof r.steps - sizeof r.steps[0]);
   r.steps[0] = mixed(word);
   r.n++;
}

/* What table `t` knows of a branch at `addr`, in 32 bits: the address, and the
 * steps that it remembers, each times a factor for each branch since. */
static ULong known(UInt t, Addr addr)
{
   ULong sum = 0, factor = 1;
   UInt n = r.c.history / (128 >> t);
   for (UInt age = 0; age < (n ? n : 1); age++) {
      sum = low32(sum + r.steps[age] * factor);
      factor = low32(factor * 0xAC564B05ULL);
   }
   return sum ^ mixed(addr);
}

/* The upper bits are a place in a table of so many. */
static ULong place_in(ULong what, ULong places)
{
   return what * places >> 32;
}

/* The tag is odd. */
static ULong tag_in(ULong what)
{
   return what / 64 % 65536 | 1;
}

/* The last two tables that match, or -1. */
typedef struct Matches {
   Int longest, other;
} Matches;

static void note_match(Matches* m, Int t)
{
   m->other = m->longest;
   m->longest = t;
}

static Int step_towards(Bool up)
{
   return up ? 1 : -1;
}

static void give_guess(Guess** at, const ULong* tags, Int from, Bool is_taken)
{
   Int t = from;
   while (t < WAYS && at[t]->useful)
      t++;
   if (t < WAYS)
      *at[t] = (Guess){tags[t], is_taken ? 0 : -1, 0};
   else
      for (t = from; t < WAYS; t++)
         at[t]->useful--;
}

static Bool refer_tage(Addr addr, Bool is_taken)
{
   Guess* at[WAYS];
   ULong tags[WAYS];
   Matches m = {-1, -1};
   for (Int t = 0; t < WAYS; t++) {
      ULong what = known(t, addr);
      at[t] = &r.guesses[t][place_in(what, size())];
      tags[t] = tag_in(what);
      if (at[t]->tag == tags[t]) note_match(&m, t);
   }
   Int* base = &r.counters[addr % (16 * size())];
   Bool by_base = *base > 1, guess = by_base, base_learns = True;
   if (m.longest >= 0) {
      Guess* g = at[m.longest];
      Bool by_other = m.other < 0 ? by_base : at[m.other]->counter >= 0;
      Bool by_itself = g->counter >= 0;
      Bool is_young = !g->useful && (g->counter == 0 || g->counter == -1);
      guess = is_young ? by_other : by_itself;
      g->counter = clamp(g->counter + step_towards(is_taken), -4, 3);
      if (by_itself != by_other)
         g->useful =
            clamp(g->useful + step_towards(by_itself == is_taken), 0, 3);
      base_learns = m.other < 0 && !g->useful;
   }
   if (base_learns) *base = clamp(*base + step_towards(is_taken), 0, 3);
   if (guess != is_taken) {
      Int from = m.longest + 1;
      if (r.n_missed % 2 == 1 && from < WAYS - 1) from++;
      r.n_missed++;
      give_guess(at, tags, from, is_taken);
   }
   step(2 * (ULong)addr + is_taken);
   if (r.n % 262144 == 0)
      for (UInt t = 0; t < WAYS; t++)
         for (ULong i = 0; i < size(); i++)
            r.guesses[t][i].useful /= 2;
   return guess;
}

static void give_target(Target** at, const ULong* tags, Int from, Addr to)
{
   Int t = from;
   while (t < WAYS && at[t]->useful)
      t++;
   if (t < WAYS)
      *at[t] = (Target){tags[t], to, 1, 0};
   else
      for (t = from; t < WAYS; t++)
         at[t]->useful--;
}

static Addr refer_target(Addr addr, Addr to)
{
   Target* at[WAYS];
   ULong tags[WAYS];
   Matches m = {-1, -1};
   for (Int t = 0; t < WAYS; t++) {
      ULong what = known(t, addr);
      at[t] = &r.targets[t][place_in(what, size() / 4)];
      tags[t] = tag_in(what);
      if (at[t]->tag == tags[t]) note_match(&m, t);
   }
   Addr* last = &r.last[addr % (4 * size())];
   Addr guess = *last;
   if (m.longest >= 0) {
      Target* g = at[m.longest];
      Addr by_other = m.other < 0 ? *last : at[m.other]->to;
      guess = g->sure ? g->to : by_other;
      if (g->to == to) {
         g->sure = clamp(g->sure + 1, 0, 3);
         if (by_other != to) g->useful = clamp(g->useful + 1, 0, 3);
      } else if (g->sure)
         g->sure--;
      else {
         g->to = to;
         g->useful = 0;
      }
   }
   if (guess != to) give_target(at, tags, m.longest + 1, to);
   *last = to;
   step((ULong)addr ^ 3 * (ULong)to);
   return guess;
}

Bool reference_predictor_indirect(Addr addr, Addr target)
{
   return refer_target(addr, target) != target;
}

void reference_predictor_call(Addr behind)
{
   memmove(&r.open[1], &r.open[0], sizeof r.open - sizeof r.open[0]);
   r.open[0] = behind;
}

Bool reference_predictor_return(Addr target)
{
   Addr guess = r.open[0];
   memmove(&r.open[0], &r.open[1], sizeof r.open - sizeof r.open[0]);
   r.open[OPEN_CALLS - 1] = guess; /* as a ring has it, which turns */
   return guess != target;
}

/*--- All ----------------------------------------------------------------*/

Bool reference_predictor_conditional(Addr addr, Bool is_taken)
{
   if (r.c.kind == PREDICT_TAGE) return refer_tage(addr, is_taken) != is_taken;
   Bool guess = r.c.kind == PREDICT_GSHARE ? refer_gshare(addr, is_taken)
                                           : refer_perceptron(addr, is_taken);
   memmove(&r.past[1], &r.past[0], sizeof r.past - sizeof r.past[0]);
   r.past[0] = is_taken;
   return guess != is_taken;
}
