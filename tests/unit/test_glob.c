#include "base/glob.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

static void test_plain(void)
{
   CHECK(cg2_glob_matches("", ""));
   CHECK(cg2_glob_matches("abc", "abc"));
   CHECK(!cg2_glob_matches("abc", "ab"));
   CHECK(!cg2_glob_matches("ab", "abc"));
   CHECK(!cg2_glob_matches("", "a"));
   CHECK(!cg2_glob_matches("a", ""));
}

static void test_any(void)
{
   CHECK(cg2_glob_matches("*", ""));
   CHECK(cg2_glob_matches("***", "abc"));
   CHECK(cg2_glob_matches("a*c", "ac"));
   CHECK(cg2_glob_matches("a*c", "abcbc"));
   CHECK(!cg2_glob_matches("a*c", "abcb"));
   CHECK(cg2_glob_matches("*ab*ab", "abxabab"));
   CHECK(!cg2_glob_matches("*ab*ab", "xab"));
   CHECK(cg2_glob_matches("?*?", "ab"));
   CHECK(!cg2_glob_matches("?*?", "a"));
}

static void test_backslash(void)
{
   CHECK(cg2_glob_matches("a\\*", "a*"));
   CHECK(!cg2_glob_matches("a\\*", "ab"));
   CHECK(cg2_glob_matches("operator\\?*", "operator?:"));
   CHECK(cg2_glob_matches("\\\\", "\\"));
   CHECK(cg2_glob_matches("a\\", "a\\"));
}

/* Slow and simple: what each `*` stands for is tried. */
static Bool is_match(const char* pattern, const char* text)
{
   if (*pattern == '*')
      return is_match(pattern + 1, text) ||
             (*text && is_match(pattern, text + 1));
   if (!*pattern || !*text) return *pattern == *text;
   return (*pattern == '?' || *pattern == *text) &&
          is_match(pattern + 1, text + 1);
}

/* Writes the n-th text of some letters. */
static void spell(char* text, UInt n, const char* letters)
{
   UInt count = strlen(letters);
   for (; n; n = (n - 1) / count)
      *text++ = letters[(n - 1) % count];
   *text = '\0';
}

/* Every pattern of up to six characters, every text of up to six. */
static void test_all(void)
{
   char pattern[20], text[20];
   for (UInt p = 0; p < 5461; p++) {
      spell(pattern, p, "ab*?");
      for (UInt t = 0; t < 127; t++) {
         spell(text, t, "ab");
         CHECK_EQ(cg2_glob_matches(pattern, text), is_match(pattern, text));
      }
   }
}

/* With a way for each `*` this would not end. */
static void test_time(void)
{
   enum { LENGTH = 100000 };
   char* text = malloc(LENGTH + 1);
   memset(text, 'a', LENGTH);
   text[LENGTH] = '\0';
   CHECK(!cg2_glob_matches("*a*a*a*a*a*a*a*a*a*a*a*a*b", text));
   CHECK(cg2_glob_matches("*a*a*a*a*a*a*a*a*a*a*a*a*", text));
   free(text);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"plain", test_plain}, {"any", test_any},   {"backslash", test_backslash},
      {"all", test_all},     {"time", test_time},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
