/* The predictors against slow, obvious ones, and against what can be said of
 * them on paper. */
#include "check.h"
#include "model/described/predictor.h"
#include "reference.h"
#include "reference_predictor.h"

/*--- Branches -----------------------------------------------------------*/

/* A made-up program of a few branches: taken always, never, in loops, as the
 * branches before, by chance. */
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
   ULong last = 0, n_wrong = 0, n = check_rounds(BRANCHES);
   cg2_predictor_init(config);
   reference_predictor_init(config);
   for (ULong i = 0; i < n; i++) {
      UInt branch = chance_below(&chance, i / 4096 % 2 ? 12 : 4000);
      Addr addr = 0x401000 + 7 * branch;
      if (branch % 8 == 7 && config->kind == PREDICT_TAGE) {
         Addr target = 0x500000 + 5 * (last % (2 + branch % 5));
         CHECK_EQ(cg2_predictor_indirect(addr, target),
                  reference_predictor_indirect(addr, target));
         continue;
      }
      Bool is_taken = outcome(&chance, branch, i, last);
      Bool is_wrong = cg2_predictor_conditional(addr, is_taken);
      CHECK_EQ(is_wrong, reference_predictor_conditional(addr, is_taken));
      n_wrong += is_wrong;
      last = last << 1 | is_taken;
   }
   CHECK(n_wrong > n / 20 && n_wrong < n / 2);
   cg2_predictor_clear();
   CHECK(cg2_predictor_indirect(0x401007, 0x500000));
   for (UInt i = 0; config->kind != PREDICT_PERCEPTRON && i < 1000; i++)
      CHECK(!cg2_predictor_conditional(0x5000 + 16 * i, False));
   reference_predictor_free();
}

static void test_compared(void)
{
   static const PredictorConfig configs[] = {
      {PREDICT_GSHARE, 14, 14},     {PREDICT_GSHARE, 6, 12},
      {PREDICT_PERCEPTRON, 10, 32}, {PREDICT_PERCEPTRON, 4, 64},
      {PREDICT_TAGE, 12, 200},      {PREDICT_TAGE, 5, 256},
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

/* A loop of `period` rounds, in one of which the branch is taken: a predictor
 * that remembers so many outcomes is right once it has learned that; a
 * predictor that remembers fewer is wrong once in `period` rounds. */
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

/* A loop that is as long as a predictor remembers, and one that is longer. */
static void test_long_loops(void)
{
   PredictorConfig config = {PREDICT_TAGE, 10, 200};
   cg2_predictor_init(&config);
   wrong_in(150 * 1000, 150);
   CHECK_EQ(wrong_in(150 * 1000, 150), 0);
   cg2_predictor_init(&config);
   wrong_in(250 * 1000, 250);
   CHECK_EQ(wrong_in(250 * 1000, 250), 1000);
}

/* How many of so many computed jumps of a made-up interpreter are mispredicted:
 * it runs a program of `period` operations, of eight kinds, again and again. */
static ULong wrong_targets(UInt n, UInt period)
{
   ULong n_wrong = 0;
   for (UInt i = 0; i < n; i++) {
      UInt operation = (i % period) * (i % period) % 7 + (i % period == 3);
      n_wrong += cg2_predictor_indirect(0x1234, 0x5000 + 64 * operation);
   }
   return n_wrong;
}

/* A predictor that follows the path knows an interpreter's next operation by
 * those before it; one that knows the last target alone is mostly wrong. */
static void test_interpreter(void)
{
   PredictorConfig follows = {PREDICT_TAGE, 10, 200};
   cg2_predictor_init(&follows);
   wrong_targets(60000, 60);
   CHECK_EQ(wrong_targets(60000, 60), 0);
   PredictorConfig last_only = {PREDICT_GSHARE, 14, 14};
   cg2_predictor_init(&last_only);
   CHECK(wrong_targets(60000, 60) > 40000);
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

/* Without any configuration the predictor is Callgrind's. */
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
   static const Test tests[] = {
      {"compared", test_compared},     {"loops", test_loops},
      {"long loops", test_long_loops}, {"interpreter", test_interpreter},
      {"separable", test_separable},   {"default", test_default}};
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
