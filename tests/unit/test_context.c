#include "check.h"
#include "engine/context.h"
#include "guest.h"

static Function* function_of_levels(UInt levels)
{
   static Object* object;
   if (!object) object = guest_object("a");
   static UInt n;
   HChar file[20];
   VG_(sprintf)(file, "%u.c", n++);
   cg2_rules.standard.recursion_levels = levels;
   return guest_function_in(object, "f", file, 1);
}

/* The level that a function has when `active` frames of it are on the stack. */
static UInt level(Function* f, UInt active)
{
   Context* context = cg2_context_get(
      f, active, cg2_context_separation((Separation){.thread = 0}));
   CHECK(cg2_context_fits(context, active));
   CHECK(cg2_context_get(f, active,
                         cg2_context_separation((Separation){.thread = 0})) ==
         context);
   return context->min_active + 1;
}

/* Level n + 1 with n other frames; the last level takes all deeper ones. */
static void test_levels(void)
{
   static const UInt counts[] = {1, 2, 10};
   for (UInt i = 0; i < 3; i++) {
      UInt last = counts[i];
      Function* f = function_of_levels(last);
      for (UInt active = 0; active < 2 * last + 3; active++)
         CHECK_EQ(level(f, active), active < last ? active + 1 : last);
      CHECK_EQ(level(f, 1000 * 1000), last);
      CHECK_EQ(level(f, ~0U), last);
      UInt n = 0;
      for (Context* c = cg2_context_all(); c; c = c->next)
         n += c->function == f;
      CHECK_EQ(n, last);
   }
}

static void test_fits(void)
{
   Function* f = function_of_levels(3);
   Context* first =
      cg2_context_get(f, 0, cg2_context_separation((Separation){.thread = 0}));
   Context* second =
      cg2_context_get(f, 1, cg2_context_separation((Separation){.thread = 0}));
   Context* third =
      cg2_context_get(f, 7, cg2_context_separation((Separation){.thread = 0}));
   CHECK(cg2_context_fits(first, 0) && !cg2_context_fits(first, 1));
   CHECK(!cg2_context_fits(second, 0) && cg2_context_fits(second, 1));
   CHECK(!cg2_context_fits(second, 2));
   CHECK(!cg2_context_fits(third, 1) && cg2_context_fits(third, 2));
   CHECK(cg2_context_fits(third, ~0U));
   CHECK(cg2_context_fits(
      cg2_context_get(function_of_levels(1), 0,
                      cg2_context_separation((Separation){.thread = 0})),
      99));
}

/* Source: Callgrind's names of recursion levels. */
static void test_names(void)
{
   Function* f = function_of_levels(12);
   CHECK(
      cg2_context_get(f, 0, cg2_context_separation((Separation){.thread = 0}))
         ->name == f->name);
   CHECK_TEXT(
      cg2_context_get(f, 1, cg2_context_separation((Separation){.thread = 0}))
         ->name->text,
      "f'2");
   CHECK_TEXT(
      cg2_context_get(f, 9, cg2_context_separation((Separation){.thread = 0}))
         ->name->text,
      "f'10");
   CHECK_TEXT(
      cg2_context_get(f, 50, cg2_context_separation((Separation){.thread = 0}))
         ->name->text,
      "f'12");
}

/* Contexts are numbered from 0, for a writer's ids. */
static void test_numbers(void)
{
   Function* f = function_of_levels(3);
   CHECK_EQ(cg2_context_count(), 0);
   CHECK_EQ(
      cg2_context_get(f, 1, cg2_context_separation((Separation){.thread = 0}))
         ->number,
      0);
   CHECK_EQ(
      cg2_context_get(f, 0, cg2_context_separation((Separation){.thread = 0}))
         ->number,
      1);
   CHECK_EQ(
      cg2_context_get(f, 1, cg2_context_separation((Separation){.thread = 0}))
         ->number,
      0);
   CHECK_EQ(cg2_context_get(function_of_levels(1), 9,
                            cg2_context_separation((Separation){.thread = 0}))
               ->number,
            2);
   CHECK_EQ(cg2_context_count(), 3);
   function_of_levels(1); /* never ran */
   CHECK_EQ(cg2_context_count_functions(), 2);
}

/*--- Cells --------------------------------------------------------------*/

/* All cells of a home have room for all of its slots, in each context, and keep
 * their counts when they move. */
static void test_growth(void)
{
   Function* home = function_of_levels(2);
   Function* other = function_of_levels(2);
   guest_block(home, 1, EXIT_NONE);
   Context* first = cg2_context_get(
      home, 0, cg2_context_separation((Separation){.thread = 0}));
   Context* second = cg2_context_get(
      home, 1, cg2_context_separation((Separation){.thread = 0}));
   Cells* foreign = cg2_context_foreign_cells(
      cg2_context_get(other, 0,
                      cg2_context_separation((Separation){.thread = 0})),
      home);
   Cells* all[] = {&first->own, &second->own, foreign};
   for (UInt n = 1; n <= 1000; n++) {
      for (UInt i = 0; i < 3; i++) {
         CHECK(all[i]->n >= n);
         CHECK_EQ(all[i]->counts[n - 1], 0);
         all[i]->counts[n - 1] = 10 * n + i;
      }
      guest_block(home, 1, EXIT_NONE);
   }
   for (UInt n = 1; n <= 1000; n++)
      for (UInt i = 0; i < 3; i++)
         CHECK_EQ(all[i]->counts[n - 1], 10 * n + i);
   CHECK_EQ(cg2_context_get(other, 0,
                            cg2_context_separation((Separation){.thread = 0}))
               ->own.n,
            0);
}

/* A context has its own cells and one more for each further home. */
static void test_foreign(void)
{
   Function* f = function_of_levels(2);
   Function* g = function_of_levels(2);
   Function* h = function_of_levels(2);
   Context* context =
      cg2_context_get(f, 0, cg2_context_separation((Separation){.thread = 0}));
   CHECK(cg2_context_cells(context, f) == &context->own);
   CHECK(cg2_context_foreign_cells(context, f) == &context->own);
   Cells* of_g = cg2_context_cells(context, g);
   Cells* of_h = cg2_context_cells(context, h);
   CHECK(of_g->home == g && of_h->home == h);
   CHECK(of_g != of_h);
   CHECK(cg2_context_cells(context, g) == of_g);
   CHECK(cg2_context_cells(context, h) == of_h);
   CHECK(cg2_context_cells(
            cg2_context_get(f, 1,
                            cg2_context_separation((Separation){.thread = 0})),
            g) != of_g);
   CHECK(cg2_context_cells(
            cg2_context_get(g, 0,
                            cg2_context_separation((Separation){.thread = 0})),
            g) != of_g);
}

static void test_zero(void)
{
   Function* f = function_of_levels(2);
   Function* g = function_of_levels(2);
   guest_block_with_side(f, 1, 1, EXIT_NONE);
   guest_block(g, 1, EXIT_NONE);
   Context* context =
      cg2_context_get(f, 0, cg2_context_separation((Separation){.thread = 0}));
   Context* other =
      cg2_context_get(f, 1, cg2_context_separation((Separation){.thread = 0}));
   Cells* foreign = cg2_context_cells(context, g);
   context->own.counts[0] = context->own.counts[1] = 5;
   foreign->counts[0] = 6;
   other->own.counts[1] = 7;
   cg2_context_skipped(context)[EVENT_IR] = 8;
   cg2_context_zero(context);
   CHECK_EQ(context->own.counts[0], 0);
   CHECK_EQ(context->own.counts[1], 0);
   CHECK_EQ(foreign->counts[0], 0);
   CHECK(cg2_cost_is_zero(context->skipped));
   CHECK_EQ(other->own.counts[1], 7);
   cg2_context_zero(
      cg2_context_get(function_of_levels(1), 0,
                      cg2_context_separation((Separation){.thread = 0})));
}

/*--- What contexts are kept apart by ------------------------------------*/

/* A chain of callers, and a separation, exist once. */
static void test_separations(void)
{
   Function* f = function_of_levels(2);
   Function* g = function_of_levels(2);
   const Callers* of_f = cg2_context_callers(f, NULL);
   const Callers* of_g = cg2_context_callers(g, NULL);
   const Callers* of_g_of_f = cg2_context_callers(g, of_f);
   CHECK(of_f != of_g && of_g != of_g_of_f);
   CHECK(cg2_context_callers(f, NULL) == of_f);
   CHECK(cg2_context_callers(g, of_f) == of_g_of_f);
   CHECK(cg2_context_callers(f, of_g) != of_g_of_f);
   CHECK(of_g_of_f->function == g && of_g_of_f->next == of_f);

   const Callers* chains[] = {NULL, of_f, of_g, of_g_of_f};
   const Separation* all[16];
   UInt n = 0;
   for (UInt c = 0; c < 4; c++)
      for (UInt thread = 0; thread < 2; thread++)
         for (UInt is_off = 0; is_off < 2; is_off++)
            all[n++] = cg2_context_separation((Separation){
               .callers = chains[c], .thread = thread, .is_off = is_off});
   for (UInt i = 0; i < n; i++) {
      const Separation* s = all[i];
      CHECK(s->callers == chains[i / 4] && s->thread == i / 2 % 2);
      CHECK_EQ(s->is_off, i % 2);
      CHECK(cg2_context_separation((Separation){.callers = s->callers,
                                                .thread = s->thread,
                                                .is_off = s->is_off}) == s);
      for (UInt other = 0; other < i; other++)
         CHECK(all[other] != s);
   }
}

/* Contexts of one function and level are as many as what they are kept apart
 * by. Source of the names: Callgrind. */
static void test_callers(void)
{
   Function* f = function_of_levels(3);
   Object* object = guest_object("b");
   const Callers* of_main =
      cg2_context_callers(guest_function(object, "main"), NULL);
   const Callers* of_go =
      cg2_context_callers(guest_function(object, "go"), of_main);
   const Separation* plain = cg2_context_separation(
      (Separation){.callers = NULL, .thread = 0, .is_off = False});
   const Separation* by_main = cg2_context_separation(
      (Separation){.callers = of_main, .thread = 0, .is_off = False});
   const Separation* by_go = cg2_context_separation(
      (Separation){.callers = of_go, .thread = 0, .is_off = False});
   Context* contexts[] = {
      cg2_context_get(f, 0, plain), cg2_context_get(f, 0, by_main),
      cg2_context_get(f, 0, by_go), cg2_context_get(f, 2, by_go)};
   CHECK_TEXT(contexts[0]->name->text, "f");
   CHECK_TEXT(contexts[1]->name->text, "f'main");
   CHECK_TEXT(contexts[2]->name->text, "f'go'main");
   CHECK_TEXT(contexts[3]->name->text, "f'3'go'main");
   CHECK_EQ(cg2_context_count(), 4);
   CHECK(cg2_context_get(f, 99, by_go) == contexts[3]);
   CHECK(contexts[1]->separation == by_main);
   CHECK(f->active == &contexts[0]->active);
}

/* The twin of a context is the same but for being shown. */
static void test_twins(void)
{
   Function* f = function_of_levels(3);
   const Callers* by = cg2_context_callers(f, NULL);
   const Separation* separation = cg2_context_separation(
      (Separation){.callers = by, .thread = 4, .is_off = False});
   Context* on = cg2_context_get(f, 1, separation);
   Context* off = cg2_context_twin(on, True);
   CHECK(cg2_context_twin(on, False) == on && off != on);
   CHECK(cg2_context_twin(off, True) == off);
   CHECK(cg2_context_twin(off, False) == on);
   CHECK(off->separation->is_off && off->separation->callers == by);
   CHECK_EQ(off->separation->thread, 4);
   CHECK(off->function == f && off->min_active == 1 && off->name == on->name);
   CHECK(off->span == on->span);
   CHECK(off->own.counts != on->own.counts || !off->own.counts);
   Context* deepest = cg2_context_twin(cg2_context_get(f, 2, separation), True);
   CHECK_EQ(deepest->min_active, 2);
   CHECK(cg2_context_fits(deepest, 1000));
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"levels", test_levels},   {"fits", test_fits},
      {"names", test_names},     {"numbers", test_numbers},
      {"growth", test_growth},   {"foreign", test_foreign},
      {"zero", test_zero},       {"separations", test_separations},
      {"callers", test_callers}, {"twins", test_twins},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
