#include "reference_predictor.h"

#include <stdlib.h>
#include <string.h>

enum { PAST = 64, WAYS = 4 };

typedef struct Guess {
   ULong tag;
   Int counter, useful;
} Guess;

static struct {
   PredictorConfig c;
   Bool past[PAST]; /* the newest first */
   ULong n;
   Int* counters;
   Int (*weights)[PAST + 1];
   Guess* guesses[WAYS];
} r;

static ULong size(void)
{
   return 1ULL << r.c.bits;
}

void reference_predictor_init(const PredictorConfig* config)
{
   memset(&r, 0, sizeof r);
   r.c = *config;
   r.counters = calloc(size(), sizeof *r.counters);
   r.weights = calloc(size(), sizeof *r.weights);
   for (UInt t = 0; t < WAYS; t++)
      r.guesses[t] = calloc(size(), sizeof *r.guesses[t]);
}

void reference_predictor_free(void)
{
   free(r.counters);
   free(r.weights);
   for (UInt t = 0; t < WAYS; t++)
      free(r.guesses[t]);
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

/* Outcome i of the last ones goes to bit i % bits. */
static ULong folded(UInt t, UInt bits)
{
   ULong sum = 0;
   UInt known = r.c.history / (8 >> t);
   for (UInt i = 0; i < (known ? known : 1); i++)
      if (r.past[i]) sum ^= 1ULL << i % bits;
   return sum;
}

static Bool refer_tage(Addr addr, Bool is_taken)
{
   Guess* at[WAYS];
   ULong tags[WAYS];
   Int longest = -1, other = -1;
   for (UInt t = 0; t < WAYS; t++) {
      ULong place = addr ^ addr >> (r.c.bits - t) ^ folded(t, r.c.bits);
      at[t] = &r.guesses[t][place % size()];
      tags[t] = (addr ^ folded(t, 9) ^ 2 * folded(t, 8)) % 512 + 1;
      if (at[t]->tag == tags[t]) {
         other = longest;
         longest = t;
      }
   }
   Int* base = &r.counters[addr % size()];
   Bool by_base = *base > 1;
   Bool by_other = other < 0 ? by_base : at[other]->counter >= 0;
   Bool guess = longest < 0 ? by_base : at[longest]->counter >= 0;
   if (longest < 0)
      *base = clamp(*base + (is_taken ? 1 : -1), 0, 3);
   else {
      Guess* g = at[longest];
      g->counter = clamp(g->counter + (is_taken ? 1 : -1), -4, 3);
      if (guess != by_other)
         g->useful = clamp(g->useful + (guess == is_taken ? 1 : -1), 0, 3);
   }
   if (guess != is_taken) {
      UInt t = longest + 1;
      while (t < WAYS && at[t]->useful)
         t++;
      if (t < WAYS)
         *at[t] = (Guess){tags[t], is_taken ? 0 : -1, 0};
      else
         for (t = longest + 1; t < WAYS; t++)
            at[t]->useful--;
   }
   if ((r.n + 1) % 262144 == 0)
      for (UInt t = 0; t < WAYS; t++)
         for (ULong i = 0; i < size(); i++)
            r.guesses[t][i].useful /= 2;
   return guess;
}

Bool reference_predictor_conditional(Addr addr, Bool is_taken)
{
   Bool guess = r.c.kind == PREDICT_GSHARE ? refer_gshare(addr, is_taken)
                : r.c.kind == PREDICT_PERCEPTRON
                   ? refer_perceptron(addr, is_taken)
                   : refer_tage(addr, is_taken);
   memmove(&r.past[1], &r.past[0], sizeof r.past - sizeof r.past[0]);
   r.past[0] = is_taken;
   r.n++;
   return guess != is_taken;
}
