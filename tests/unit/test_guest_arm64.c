/* The contracts of arch/guest.h on a processor whose calls push nothing: what
 * is inline there is compiled as for arm64. */
#include "check.h"

/* Whether what is not inline is arm64's, too. */
#ifdef CG2_TEST_ARM64
enum { IS_LINKED = 1 };
#else
enum { IS_LINKED = 0 };
#endif

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

/* A word that is a conditional branch. */
static void check_branch(UInt word, Int expected)
{
   UChar code[] = {word, word >> 8, word >> 16, word >> 24};
   Int distance = 0;
   CHECK(cg2_guest_is_conditional(code, 4, &distance));
   CHECK_EQ(distance, expected);
}

static void check_no_branch(UInt word)
{
   UChar code[] = {word, word >> 8, word >> 16, word >> 24};
   Int distance = 0;
   CHECK(!cg2_guest_is_conditional(code, 4, &distance));
}

/* Words as GNU as has them; the distance is counted from the end of the branch.
 */
static void test_conditional(void)
{
   if (!IS_LINKED) return;
   check_branch(0x54000040, 4);       /* b.eq .+8 */
   check_branch(0x54ffffe1, -8);      /* b.ne .-4 */
   check_branch(0xb4000060, 8);       /* cbz x0, .+12 */
   check_branch(0x35ffffc3, -12);     /* cbnz w3, .-8 */
   check_branch(0x36080040, 4);       /* tbz w0, #1, .+8 */
   check_branch(0xb7ffffe5, -8);      /* tbnz x5, #63, .-4 */
   check_branch(0x547fffe0, 1048568); /* b.eq .+1048572 */
   check_branch(0x36040000, -32772);  /* tbz w0, #0, .-32768 */
   check_no_branch(0x14000002);       /* b .+8 */
   check_no_branch(0x94000002);       /* bl .+8 */
   check_no_branch(0xd61f0200);       /* br x16 */
   check_no_branch(0xd65f03c0);       /* ret */
   check_no_branch(0x9a9f17e0);       /* cset x0, eq */
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"entries", test_entries},
      {"returned", test_returned},
      {"only_jumps", test_only_jumps},
      {"conditional", test_conditional},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
