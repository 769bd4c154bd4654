/* The predictors against the reference. */
#include "check.h"
#include "model/callgrind/branch.h"
#include "reference.h"

enum { BRANCHES = 5000000 };

/* A made-up program: loops, chance that leans to one side, and pure chance, at
 * addresses that share a place in the tables and that do not. */
static void test_conditional(void)
{
   Chance chance = {4711};
   for (UInt i = 0; i < check_rounds(BRANCHES); i++) {
      Addr addr = 0x401000 + chance_below(&chance, 1 << (i / 100000 % 12));
      ULong lot = chance_below(&chance, 10);
      Bool is_taken = i / 10000 % 3 == 0   ? i % (addr % 11 + 2) != 0
                      : i / 10000 % 3 == 1 ? lot > addr % 10
                                           : lot > 4;
      CHECK_EQ(cg2_branch_conditional(addr, is_taken),
               reference_conditional(addr, is_taken));
   }
}

static void test_indirect(void)
{
   Chance chance = {1174};
   for (UInt i = 0; i < check_rounds(BRANCHES); i++) {
      Addr addr = 0x401000 + chance_below(&chance, 1 << (i / 100000 % 14));
      Addr target = 0x500000 + chance_below(&chance, 1 + addr % 3);
      CHECK_EQ(cg2_branch_indirect(addr, target),
               reference_indirect(addr, target));
   }
}

/* A fresh predictor says no, twice for each history. */
static void test_clear(void)
{
   for (UInt round = 0; round < 3; round++) {
      UInt n_wrong = 0;
      for (UInt i = 0; i < 100; i++)
         n_wrong += cg2_branch_conditional(0x1234, True);
      /* The history is all taken after 7: 8 histories, the last twice. */
      CHECK_EQ(n_wrong, 9);
      CHECK(cg2_branch_indirect(0x1234, 0x5678));
      CHECK(!cg2_branch_indirect(0x1234, 0x5678));
      CHECK(!cg2_branch_indirect(0x1034, 0x5678));
      cg2_branch_clear();
   }
}

int main(int n, char** names)
{
   static const Test tests[] = {{"conditional", test_conditional},
                                {"indirect", test_indirect},
                                {"clear", test_clear}};
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
