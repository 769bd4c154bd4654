#include "base/names.h"
#include "check.h"

#include <stdio.h>

/* There is a name for each text, numbered in order of first use. */
static void test_intern(void)
{
   Names names = {0};
   Name* main = cg2_names_intern(&names, "main");
   Name* empty = cg2_names_intern(&names, "");
   Name* other = cg2_names_intern(&names, "Main");
   CHECK_EQ(main->number, 0);
   CHECK_EQ(empty->number, 1);
   CHECK_EQ(other->number, 2);
   CHECK_TEXT(main->text, "main");
   CHECK_TEXT(empty->text, "");
   CHECK(cg2_names_intern(&names, "main") == main);
   CHECK(cg2_names_intern(&names, "") == empty);
   CHECK_EQ(names.n, 3);
}

/* The text is copied: what it was read from may go away. */
static void test_copy(void)
{
   Names names = {0};
   char text[] = "volatile";
   Name* name = cg2_names_intern(&names, text);
   text[0] = 'V';
   CHECK_TEXT(name->text, "volatile");
   CHECK(cg2_names_intern(&names, text) != name);
}

/* Each Names has its own numbers. */
static void test_apart(void)
{
   Names files = {0}, functions = {0};
   cg2_names_intern(&files, "a");
   Name* file = cg2_names_intern(&files, "b");
   Name* function = cg2_names_intern(&functions, "b");
   CHECK(file != function);
   CHECK_EQ(file->number, 1);
   CHECK_EQ(function->number, 0);
}

static const char* text_of(UInt i)
{
   static char text[40];
   sprintf(text, "std::function_%u::operator()", i);
   return text;
}

static void test_many(void)
{
   enum { N = 50 * 1000 };
   Names names = {0};
   for (UInt i = 0; i < N; i++)
      cg2_names_intern(&names, text_of(i));
   CHECK_EQ(names.n, N);
   for (UInt i = 0; i < N; i++) {
      CHECK_TEXT(names.by_number[i]->text, text_of(i));
      CHECK_EQ(names.by_number[i]->number, i);
      CHECK(cg2_names_intern(&names, text_of(i)) == names.by_number[i]);
   }
   CHECK_EQ(names.n, N);
}

/* Source: names of C++ templates in real programs reach tens of kilobytes. */
static void test_long(void)
{
   enum { LENGTH = 100 * 1000 };
   static char text[LENGTH + 1];
   VG_(memset)(text, 'x', LENGTH);
   Names names = {0};
   Name* longer = cg2_names_intern(&names, text);
   text[LENGTH - 1] = '\0';
   Name* shorter = cg2_names_intern(&names, text);
   CHECK(longer != shorter);
   CHECK_EQ(VG_(strlen)(longer->text), LENGTH);
   CHECK_EQ(VG_(strlen)(shorter->text), LENGTH - 1);
}

static void check_shown(const HChar* text, const HChar* shown)
{
   Names names = {0};
   Name* name = cg2_names_intern_shown(&names, text, VG_(strlen)(text));
   CHECK_TEXT(name->text, shown);
   CHECK(cg2_names_intern(&names, shown) == name);
}

/* Source: docs/format.md, "Names". */
static void test_shown(void)
{
   check_shown("f(int)", "f(int)");
   check_shown("", "");
   check_shown("(below main)", "(below main)");
   check_shown("(12) f", "[12] f");
   check_shown("(12)", "[12]");
   check_shown("(0x1f) f", "[0x1f] f");
   check_shown("(1f) f", "(1f) f");
   check_shown("(0x) f", "(0x) f");
   check_shown("(", "(");
   check_shown("(0x", "(0x");
   check_shown("()", "()");
   check_shown("f (12)", "f (12)");
   check_shown("two\nlines\r\t\x7f", "two?lines???");
   check_shown(" a  b ", "?a  b?");
   check_shown(" ", "?");
   check_shown("gr\xc3\xb6\xc3\x9f\xe9", "gr\xc3\xb6\xc3\x9f\xe9");
}

/* Only as much of the text as is said. */
static void test_shown_part(void)
{
   Names names = {0};
   CHECK_TEXT(cg2_names_intern_shown(&names, "(12) f", 3)->text, "(12");
   CHECK_TEXT(cg2_names_intern_shown(&names, "a b", 2)->text, "a?");
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"intern", test_intern},
      {"copy", test_copy},
      {"apart", test_apart},
      {"many", test_many},
      {"long", test_long},
      {"shown", test_shown},
      {"shown_part", test_shown_part},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
