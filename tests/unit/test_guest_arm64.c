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

/* What a trampoline of these words and two literals leads to. */
static Addr leads_to(UInt first, UInt second, UInt third, UInt fourth)
{
   static UInt room[GUEST_TRAMPOLINE_MAX / sizeof(UInt)];
   const UInt words[] = {first, second, third, fourth, 0x05060708, 0x01020304};
   for (UInt i = 0; i < sizeof words / sizeof *words; i++)
      room[i] = words[i];
   return cg2_guest_trampoline_target((const UChar*)room);
}

/* The register that is jumped to is loaded from the literal, which is the first
 * one here. */
static void test_trampolines(void)
{
   enum { NOP = 0xd503201f, BTI_C = 0xd503245f, BR_X17 = 0xd61f0220 };
   enum { LDR_X17_16 = 0x58000091, LDR_X18_20 = 0x580000b2 };
   enum { LDR_X17_12 = 0x58000071, LDR_X18_16 = 0x58000092 };
   if (!IS_LINKED) return;
   Addr target = (Addr)0x0102030405060708ULL;
   CHECK_EQ(leads_to(LDR_X17_16, LDR_X18_20, BR_X17, NOP), target);
   CHECK_EQ(leads_to(BTI_C, LDR_X17_12, LDR_X18_16, BR_X17), target);
   CHECK_EQ(leads_to(LDR_X17_16, LDR_X18_20, 0xd61f0240, NOP), 0);
   CHECK_EQ(leads_to(LDR_X17_16, NOP, BR_X17, NOP), 0);
   CHECK_EQ(leads_to(0x58ffff91, LDR_X18_20, BR_X17, NOP), 0);
   CHECK_EQ(leads_to(0x58001091, LDR_X18_20, BR_X17, NOP), 0);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"entries", test_entries},         {"returned", test_returned},
      {"only_jumps", test_only_jumps},   {"conditional", test_conditional},
      {"trampolines", test_trampolines},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
