/* The contracts of arch/guest.h on a processor whose calls push nothing: what
 * is inline there is compiled as for arm64. */
#include "check.h"

#undef CG2_TEST_ARM64
#define CG2_TEST_ARM64
#include "arch/guest.h"

/* A leaf that moves no stack pointer, its caller and what it jumps to have one
 * entry, and all are there until the stack pointer is above. */
static void test_entries(void)
{
   Addr sp = 0x1000, caller = sp, leaf = cg2_guest_entry(sp);
   CHECK_EQ(leaf, caller);
   CHECK(!cg2_guest_has_left(caller, leaf, True));
   CHECK(!cg2_guest_has_left(leaf, sp, False));
   CHECK(!cg2_guest_has_left(leaf, sp, True));
   CHECK(cg2_guest_has_left(leaf, sp + 16, False));
   CHECK(cg2_guest_has_left(leaf, sp + 16, True));
}

/* A function has returned when the stack pointer is its entry. */
static void test_returned(void)
{
   CHECK_EQ(cg2_guest_entry(0x1000), 0x1000);
   CHECK_EQ(GUEST_CALL_PUSHES, 0);
}

/* VEX says Ijk_Call of both. */
static void test_only_jumps(void)
{
   static const UChar b[] = {0x02, 0x00, 0x00, 0x14};
   static const UChar b_back[] = {0xff, 0xff, 0xff, 0x17};
   static const UChar bl[] = {0x02, 0x00, 0x00, 0x94};
   static const UChar blr[] = {0x00, 0x00, 0x3f, 0xd6};
   CHECK(cg2_guest_only_jumps(b));
   CHECK(cg2_guest_only_jumps(b_back));
   CHECK(!cg2_guest_only_jumps(bl));
   CHECK(!cg2_guest_only_jumps(blr));
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"entries", test_entries},
      {"returned", test_returned},
      {"only_jumps", test_only_jumps},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
