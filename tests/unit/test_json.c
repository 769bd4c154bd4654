#include "base/json.h"
#include "check.h"

#include <stdio.h>
#include <string.h>

/* An object with a text in it. */
static const char* written(const char* text)
{
   static Sink sink;
   Json json = {.sink = &sink};
   CHECK_EQ(cg2_sink_open(&sink, "/dev/null"), 0);
   cg2_json_begin(&json, '{');
   cg2_json_key(&json, "t");
   cg2_json_text(&json, text);
   cg2_json_end(&json, '}');
   CHECK_EQ(cg2_sink_finish(&sink), 0);
   return host.written;
}

static void test_escapes(void)
{
   CHECK_TEXT(written(""), "{\n \"t\": \"\"\n}\n");
   CHECK_TEXT(written(NULL), "{\n \"t\": null\n}\n");
   CHECK_TEXT(written("a\"b\\c/d"), "{\n \"t\": \"a\\\"b\\\\c/d\"\n}\n");
   CHECK_TEXT(written("\t\n\x01\x1f\x7f"),
              "{\n \"t\": \"\\u0009\\u000a\\u0001\\u001f\\u007f\"\n}\n");
}

/* What is UTF-8 stays: the first and last character of each size. */
static void test_characters(void)
{
   static const char* const good[] = {
      "\xC2\x80",         "\xDF\xBF",         "\xE0\xA0\x80",
      "\xED\x9F\xBF",     "\xEE\x80\x80",     "\xEF\xBF\xBF",
      "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF", "a\xC3\xA9z"};
   for (UInt i = 0; i < sizeof good / sizeof *good; i++) {
      char expected[40];
      snprintf(expected, sizeof expected, "{\n \"t\": \"%s\"\n}\n", good[i]);
      CHECK_TEXT(written(good[i]), expected);
   }
}

/* Each byte that is in no character becomes U+FFFD. */
static void test_no_characters(void)
{
   static const struct {
      const char* text;
      UInt n; /* bytes that are in no character, in front of what is */
   } bad[] = {{"\x80z", 1},
              {"\xFFz", 1},
              {"\xC0\x80z", 2},
              {"\xC1\xBFz", 2},
              {"\xC2z", 1},
              {"\xE0\x9F\xBFz", 3},
              {"\xED\xA0\x80z", 3},
              {"\xE2\x82z", 2},
              {"\xF0\x8F\xBF\xBFz", 4},
              {"\xF4\x90\x80\x80z", 4},
              {"\xF5\x80\x80\x80z", 4}};
   for (UInt i = 0; i < sizeof bad / sizeof *bad; i++) {
      char expected[60] = "{\n \"t\": \"";
      for (UInt k = 0; k < bad[i].n; k++)
         strcat(expected, "\xEF\xBF\xBD");
      strcat(expected, "z\"\n}\n");
      CHECK_TEXT(written(bad[i].text), expected);
   }
   CHECK_TEXT(written("\xE2"), "{\n \"t\": \"\xEF\xBF\xBD\"\n}\n");
}

static void test_form(void)
{
   static Sink sink;
   static const ULong numbers[] = {0, 7, ~0ULL};
   Json json = {.sink = &sink};
   CHECK_EQ(cg2_sink_open(&sink, "/dev/null"), 0);
   cg2_json_begin(&json, '{');
   cg2_json_key(&json, "a");
   cg2_json_numbers(&json, numbers, 3);
   cg2_json_key(&json, "b");
   cg2_json_numbers(&json, numbers, 0);
   cg2_json_key(&json, "c");
   cg2_json_begin(&json, '[');
   cg2_json_end(&json, ']');
   cg2_json_key(&json, "d");
   cg2_json_begin(&json, '[');
   cg2_json_number(&json, 1);
   cg2_json_begin(&json, '{');
   cg2_json_end(&json, '}');
   cg2_json_end(&json, ']');
   cg2_json_end(&json, '}');
   CHECK_EQ(cg2_sink_finish(&sink), 0);
   CHECK_TEXT(host.written, "{\n"
                            " \"a\": [0, 7, 18446744073709551615],\n"
                            " \"b\": [],\n"
                            " \"c\": [],\n"
                            " \"d\": [\n"
                            "  1,\n"
                            "  {}\n"
                            " ]\n"
                            "}\n");
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"escapes", test_escapes},
      {"characters", test_characters},
      {"no_characters", test_no_characters},
      {"form", test_form},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
