/* Rankings of functions, while the program runs on. */
#include "check.h"
#include "code/rules.h"
#include "engine/threads.h"
#include "fixture.h"
#include "profile/hottest/ranking.h"

/* Checks one place of a ranking by instructions. */
static void check_place(const Ranking* r,
                        UInt i,
                        const Routine* routine,
                        ULong added,
                        ULong self_cost,
                        ULong inclusive)
{
   CHECK(i < r->n);
   if (i >= r->n) return;
   const RankedFunction* f = &r->functions[i];
   CHECK(f->context->function == routine->function);
   CHECK_EQ(f->added[EVENT_IR], added);
   CHECK_EQ(f->self[EVENT_IR], self_cost);
   CHECK_EQ(f->inclusive[EVENT_IR], inclusive);
}

static Ranking make(UInt now)
{
   cg2_threads_flush();
   return cg2_ranking_make(EVENT_IR, now);
}

/* Lets `f` call `g` once, which works `n` times. */
static void call(UInt n)
{
   guest_call(&f, &g);
   for (UInt i = 0; i < n; i++)
      guest_run(g.work);
   guest_return(&g, &f);
}

/* By what was added, not by what was there before. */
static void test_added(void)
{
   make_code();
   start();
   guest_call(&root, &f);
   call(10);
   Ranking first = make(1000);
   ULong of_f = self(&f), of_g = self(&g), of_root = self(&root);
   CHECK(!first.has_before);
   CHECK_EQ(first.n, 3);
   check_place(&first, 0, &g, of_g, of_g, of_g);
   cg2_ranking_free(&first);
   for (UInt i = 0; i < 9; i++)
      guest_run(f.work);
   Ranking second = make(1500);
   CHECK(second.has_before);
   CHECK_EQ(second.milliseconds, 500);
   CHECK_EQ(second.added.of[EVENT_IR], 9 * WORK);
   check_place(&second, 0, &f, 9 * WORK, of_f + 9 * WORK,
               of_f + of_g + 9 * WORK);
   check_place(&second, 1, &g, 0, of_g, of_g);
   check_place(&second, 2, &root, 0, of_root, of_root + of_f + of_g + 9 * WORK);
   cg2_ranking_free(&second);
}

/* What is forgotten counts as added nevertheless. */
static void test_zero(void)
{
   make_code();
   start();
   guest_call(&root, &f);
   call(1);
   Ranking first = make(0);
   cg2_ranking_free(&first);
   call(3);
   cg2_ranking_zero(0);
   cg2_threads_zero(0);
   call(4);
   ULong after = self(&g);
   Ranking second = make(0);
   check_place(&second, 0, &g, after + (after - 1 * WORK), after, after);
   cg2_ranking_free(&second);
   cg2_ranking_forget();
   Ranking third = make(0);
   CHECK(!third.has_before);
   check_place(&third, 0, &g, after, after, after);
   cg2_ranking_free(&third);
}

/* f, g and h call each other: nobody costs more than the cycle. */
static void test_cycle(void)
{
   make_code();
   start();
   guest_call(&root, &f);
   for (UInt i = 0; i < 3; i++) {
      guest_call(&f, &g);
      guest_call(&g, &h);
      guest_call(&h, &f);
   }
   Ranking r = make(0);
   ULong cycle = self(&f) + self(&g) + self(&h);
   CHECK_EQ(r.n, 4);
   for (UInt i = 0; i < r.n; i++) {
      const RankedFunction* found = &r.functions[i];
      ULong limit = found->context->function == root.function
                       ? cycle + self(&root)
                       : cycle;
      CHECK(found->inclusive[EVENT_IR] <= limit);
      CHECK(found->inclusive[EVENT_IR] >= found->self[EVENT_IR]);
   }
   cg2_ranking_free(&r);
}

int main(int n, char** names)
{
   cg2_rules.standard.recursion_levels = 1;
   static const Test tests[] = {
      {"added", test_added},
      {"zero", test_zero},
      {"cycle", test_cycle},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
