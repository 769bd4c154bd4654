#include "check.h"
#include "engine/leaps.h"
#include "guest.h"

static Context* context_of(Function* f, UInt level)
{
   return cg2_context_get(f, level - 1,
                          cg2_context_separation((Separation){.thread = 0}));
}

static ULong count_of(const Context* context, const Exit* exit, PtrdiffT target)
{
   for (const Leap* leap = context->leaps; leap; leap = leap->next_of_context)
      if (leap->exit == exit && leap->target == target) {
         CHECK(leap->context == context);
         return leap->count;
      }
   return 0;
}

/* Each exit, target and context by itself. */
static void test_counts(void)
{
   Function* f = guest_function(guest_object("a"), "f");
   Exit* one = guest_exit(guest_block(f, 3, EXIT_JUMP));
   Exit* other = guest_exit(guest_block(f, 3, EXIT_JUMP));
   Context *first = context_of(f, 1), *second = context_of(f, 2);
   for (UInt i = 0; i < 12; i++) {
      cg2_leaps_count(one, first, 16);
      if (i % 2) cg2_leaps_count(one, first, -16);
      if (i % 3) cg2_leaps_count(other, first, 16);
      if (i % 4) cg2_leaps_count(one, second, 16);
   }
   CHECK_EQ(count_of(first, one, 16), 12);
   CHECK_EQ(count_of(first, one, -16), 6);
   CHECK_EQ(count_of(first, other, 16), 8);
   CHECK_EQ(count_of(second, one, 16), 9);
   CHECK_EQ(count_of(second, one, -16), 0);
}

/* More than the cache holds. */
static void test_many(void)
{
   enum { MANY = 20000 };
   Function* f = guest_function(guest_object("a"), "f");
   Exit* exit = guest_exit(guest_block(f, 3, EXIT_JUMP));
   Context* context = context_of(f, 1);
   for (UInt round = 0; round < 2; round++)
      for (UInt i = 0; i < MANY; i++)
         cg2_leaps_count(exit, context, i);
   UInt n = 0;
   for (const Leap* leap = context->leaps; leap; leap = leap->next_of_context) {
      CHECK_EQ(leap->count, 2);
      n++;
   }
   CHECK_EQ(n, MANY);
}

static void test_zero(void)
{
   Function* f = guest_function(guest_object("a"), "f");
   Exit* exit = guest_exit(guest_block(f, 3, EXIT_JUMP));
   Context* context = context_of(f, 1);
   cg2_leaps_count(exit, context, 16);
   cg2_context_zero(context);
   CHECK_EQ(count_of(context, exit, 16), 0);
   cg2_leaps_count(exit, context, 16);
   CHECK_EQ(count_of(context, exit, 16), 1);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"counts", test_counts},
      {"many", test_many},
      {"zero", test_zero},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
