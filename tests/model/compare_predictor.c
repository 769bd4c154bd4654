/* The predictors against slow, obvious ones, and against what can be said of
 * them on paper. */
#include "check.h"
#include "predictor.h"
#include "reference.h"

#include <stdlib.h>
#include <string.h>

/*--- The reference ------------------------------------------------------*/

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

static void begin(const PredictorConfig* config)
{
   memset(&r, 0, sizeof r);
   r.c = *config;
   r.counters = calloc(size(), sizeof *r.counters);
   r.weights = calloc(size(), sizeof *r.weights);
   for (UInt t = 0; t < WAYS; t++)
      r.guesses[t] = calloc(size(), sizeof *r.guesses[t]);
}

static void end(void)
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

static Bool refer(Addr addr, Bool is_taken)
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

/*--- Branches -----------------------------------------------------------*/

/* A program of a few branches: always, never, loops, by the last ones, by
 * chance. */
static Bool outcome(Chance* chance, UInt branch, ULong step, ULong last)
{
   switch (branch % 6) {
   case 0:
      return True;
   case 1:
      return False;
   case 2:
      return step % (branch + 2) != 0;
   case 3:
      return (last >> branch % 20 ^ last >> 3) & 1;
   case 4:
      return chance_below(chance, 10) > 0;
   default:
      return chance_below(chance, 2);
   }
}

enum { BRANCHES = 5000000 / 8 };

static void compare(const PredictorConfig* config)
{
   Chance chance = {17 + config->bits};
   ULong last = 0, n_wrong = 0, n = BRANCHES * check_size();
   cg2_predictor_init(config);
   begin(config);
   for (ULong i = 0; i < n; i++) {
      UInt branch = chance_below(&chance, i / 4096 % 2 ? 12 : 4000);
      Addr addr = 0x401000 + 7 * branch;
      Bool is_taken = outcome(&chance, branch, i, last);
      Bool is_wrong = cg2_predictor_conditional(addr, is_taken);
      CHECK_EQ(is_wrong, refer(addr, is_taken));
      n_wrong += is_wrong;
      last = last << 1 | is_taken;
   }
   CHECK(n_wrong > n / 20 && n_wrong < n / 2);
   cg2_predictor_clear();
   for (UInt i = 0; config->kind != PREDICT_PERCEPTRON && i < 1000; i++)
      CHECK(!cg2_predictor_conditional(0x5000 + 16 * i, False));
   end();
}

static void test_compared(void)
{
   static const PredictorConfig configs[] = {
      {PREDICT_GSHARE, 14, 14},     {PREDICT_GSHARE, 6, 12},
      {PREDICT_PERCEPTRON, 10, 32}, {PREDICT_PERCEPTRON, 4, 64},
      {PREDICT_TAGE, 12, 64},       {PREDICT_TAGE, 5, 20},
      {PREDICT_TAGE, 10, 5},        {PREDICT_GSHARE, 20, 1}};
   for (UInt i = 0; i < sizeof configs / sizeof *configs; i++)
      compare(&configs[i]);
}

/*--- On paper -----------------------------------------------------------*/

static ULong wrong_in(UInt n, UInt period)
{
   ULong n_wrong = 0;
   for (UInt i = 0; i < n; i++)
      n_wrong += cg2_predictor_conditional(0x1234, i % period == 0);
   return n_wrong;
}

/* A loop of `period` rounds, once taken: whoever remembers that many outcomes
 * is right once it has learned that; who remembers fewer is wrong once a round.
 */
static void test_loops(void)
{
   static const PredictorConfig knows[] = {{PREDICT_GSHARE, 16, 16},
                                           {PREDICT_PERCEPTRON, 10, 16},
                                           {PREDICT_TAGE, 10, 64}};
   for (UInt i = 0; i < 3; i++) {
      cg2_predictor_init(&knows[i]);
      wrong_in(12 * 2000, 12);
      CHECK_EQ(wrong_in(12 * 1000, 12), 0);
   }
   PredictorConfig forgets = {PREDICT_GSHARE, 16, 8};
   cg2_predictor_init(&forgets);
   wrong_in(12 * 2000, 12);
   CHECK_EQ(wrong_in(12 * 1000, 12), 1000);
}

/* Source: Jimenez and Lin, 2001: a perceptron learns what a line can separate,
 * such as "as the last but four", and not exclusive or; gshare learns both. */
static void test_separable(void)
{
   static const PredictorConfig configs[] = {{PREDICT_PERCEPTRON, 8, 8},
                                             {PREDICT_GSHARE, 16, 8}};
   for (UInt c = 0; c < 2; c++)
      for (UInt is_xor = 0; is_xor < 2; is_xor++) {
         Chance chance = {99};
         ULong last = 0, n_wrong = 0;
         cg2_predictor_init(&configs[c]);
         for (UInt i = 0; i < 40000; i++) {
            Bool coin = chance_below(&chance, 2);
            Bool other = chance_below(&chance, 2);
            cg2_predictor_conditional(0x1001, coin);
            cg2_predictor_conditional(0x2002, other);
            last =
               cg2_predictor_conditional(0x3003, is_xor ? coin ^ other : coin);
            if (i >= 20000) n_wrong += last;
         }
         if (is_xor && c == 0)
            CHECK(n_wrong > 8000);
         else
            CHECK_EQ(n_wrong, 0);
      }
}

/* Without any configuration it is Callgrind's. */
static void test_default(void)
{
   for (UInt i = 0; i < 100000; i++) {
      Addr addr = i * 2654435761u >> 7;
      Bool is_taken = (i ^ i >> 3) & 1;
      CHECK_EQ(cg2_predictor_conditional(addr, is_taken),
               reference_conditional(addr, is_taken));
   }
}

int main(int n, char** names)
{
   static const Test tests[] = {{"compared", test_compared},
                                {"loops", test_loops},
                                {"separable", test_separable},
                                {"default", test_default}};
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
