#include "arch/guest.h"
#include "check.h"

#include <string.h>

typedef struct Example {
   const char* code; /* without zeros */
   Int distance;
} Example;

static void test_branches(void)
{
   static const Example examples[] = {
      {"\x75\xfc", -4},
      {"\x70\x7f", 127},
      {"\x7f\x80", -128},
      {"\xe2\xfd", -3},
      {"\xe3\x01", 1},
      {"\x67\xe3\x01", 1},
      {"\x3e\x75\xef", -17},
      {"\x2e\x75\xef", -17},
      {"\xf2\x74\x05", 5},
      {"\x0f\x84\x04\x03\x02\x01", 0x01020304},
      {"\x0f\x8f\xff\xff\xff\xff", -1},
      {"\xf2\x0f\x85\x01\xff\xff\xff", -255},
   };
   for (UInt i = 0; i < sizeof examples / sizeof *examples; i++) {
      const char* code = examples[i].code;
      Int distance = 0;
      CHECK(
         cg2_guest_is_conditional((const UChar*)code, strlen(code), &distance));
      CHECK_EQ(distance, examples[i].distance);
   }
}

static void test_others(void)
{
   static const char* const examples[] = {
      "\xeb\xfc",                         /* jmp */
      "\xe9\x01\x01\x01\x01",             /* jmp */
      "\xff\xe2",                         /* jmp *%rdx */
      "\xf3\xaa",                         /* rep stosb */
      "\xf2\xae",                         /* repne scasb */
      "\x90",                             /* nop */
      "\xc3",                             /* ret */
      "\x0f\x44\xd0",                     /* cmovz */
      "\x0f\x94\xc0",                     /* setz */
      "\x0f\x1f\x81\x01\x01\x01",         /* a longer nop */
      "\x66\x0f\x84\x75\x01\x01\x01\x01", /* no instruction */
      "\x3e",                             /* nor is this */
   };
   for (UInt i = 0; i < sizeof examples / sizeof *examples; i++) {
      Int distance = 0;
      CHECK(!cg2_guest_is_conditional((const UChar*)examples[i],
                                      strlen(examples[i]), &distance));
   }
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"branches", test_branches},
      {"others", test_others},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
