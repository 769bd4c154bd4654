/* The reader that judges what the fuzzed writer writes: it sees each mistake.
 */
#include "check.h"
#include "parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                   \
   "# callgrind format\nversion: 1\ncreator: callgrind-x\npid: 1\n"            \
   "positions: line\nevents: Ir\nsummary: 9\n\n"
#define BODY                                                                   \
   "ob=(1) o\nfl=(1) f\nfn=(1) main\n10 4\n+2 3\n"                             \
   "cfi=(2) g\ncfn=(2) sub\ncalls=1 5\n* 2\n"                                  \
   "fi=(2)\n5 1\nfe=(1)\n* 1\n"
#define TAIL "totals: 9\n"

static const WriterConfig by_line = {.positions = {.has[POSITION_LINE] = True},
                                     .compress_strings = True,
                                     .compress_positions = True};
static Parsed parsed;

static Bool is_right(const char* text, const WriterConfig* config)
{
   char* copy = strdup(text);
   Bool right = !parse_profile(copy, config, &parsed);
   if (!right) free(copy);
   return right;
}

static void test_right(void)
{
   CHECK(is_right(HEAD BODY TAIL, &by_line));
   CHECK_EQ(parsed.summary, 9);
   CHECK_EQ(parsed.totals, 9);
   CHECK_EQ(parsed.sum, 9);
   CHECK_EQ(parsed.facts.n, 5);
   const Fact* call = NULL;
   for (UInt i = 0; i < parsed.facts.n; i++)
      if (parsed.facts.all[i].count) call = &parsed.facts.all[i];
   CHECK(call);
   if (!call) return;
   CHECK_TEXT(call->function, "main");
   CHECK_TEXT(call->at_file, "f");
   CHECK_EQ(call->at_line, 12);
   CHECK_TEXT(call->callee, "sub");
   CHECK_TEXT(call->callee_file, "g");
   CHECK_TEXT(call->callee_object, "o");
   CHECK_EQ(call->target_line, 5);
   CHECK_EQ(call->cost, 2);
   CHECK(is_right(HEAD TAIL, &by_line));
}

/* The text with its first `from` replaced by `to` is refused. */
static void check_refused(const char* from, const char* to)
{
   static const char text[] = HEAD BODY TAIL;
   char broken[sizeof text + 200];
   const char* at = strstr(text, from);
   CHECK(at);
   if (!at) return;
   UInt before = at - text;
   memcpy(broken, text, before);
   strcpy(broken + before, to);
   strcat(broken, at + strlen(from));
   check_true(__FILE__, __LINE__, to, !is_right(broken, &by_line));
}

static void test_header(void)
{
   check_refused("# callgrind format\n", "");
   check_refused("version: 1", "version: 2");
   check_refused("creator: callgrind-x", "creator: x");
   check_refused("pid: 1", "arch: 1");
   check_refused("positions: line", "positions: instr line");
   check_refused("events: Ir", "events: Ir Dr");
   check_refused("summary: 9\n", "");
   check_refused("totals: 9\n", "");
   check_refused("totals: 9\n", "totals: 9");
   check_refused("totals: 9\n", "totals: 9\n1 1\n");
}

static void test_ids(void)
{
   check_refused("(1) o", "(1)");
   check_refused("(1) o", "(2) o");
   check_refused("(1) o", "(1) ");
   check_refused("(1) o", "o");
   check_refused("\nfi=(2)", "\nfi=(2) g");
   check_refused("\nfi=(2)", "\nfi=(3)");
   check_refused("\nfi=(2)", "\nfi=(3) f");
   check_refused("\nfi=(2)", "\nfe=(2)");
   check_refused("fe=(1)", "fi=(1)");
   check_refused("cfn=(2) sub", "cfn=(1)");
   check_refused("cfi=(2) g\n",
                 "cob=(2) p\ncfi=(2) g\ncfn=(1)\ncalls=1 5\n* 1\n");
}

static void test_lines(void)
{
   check_refused("10 4", "+10 4");
   check_refused("10 4", "10");
   check_refused("10 4", "10  4");
   check_refused("10 4", "10 4 5");
   check_refused("10 4", "10 0");
   check_refused("10 4", "0xa 4");
   check_refused("+2 3", "+0 3");
   check_refused("+2 3", "+100 3");
   check_refused("+2 3", "jump=1 2");
   check_refused("fn=(1) main\n", "");
   check_refused("calls=1 5", "calls=0 5");
   check_refused("calls=1 5", "calls=1 5 6");
   check_refused("cfn=(2) sub\n", "");
   check_refused("* 2\nfi=(2)\n5 1\nfe=(1)\n* 1\n", "");
}

static void test_compression(void)
{
   WriterConfig plain = by_line;
   plain.compress_positions = False;
   CHECK(!is_right(HEAD BODY TAIL, &plain));
   plain = by_line;
   plain.compress_strings = False;
   CHECK(is_right(HEAD "ob=o\nfl=f\nfn=(1) main\n10 9\n" TAIL, &plain));
   CHECK_TEXT(parsed.facts.all[0].function, "(1) main");
   CHECK(!is_right(HEAD "ob=o\nfl=\nfn=main\n10 9\n" TAIL, &plain));
}

/*--- Lists of facts -----------------------------------------------------*/

static Fact new_fact(const char* function, ULong line, ULong cost)
{
   return (Fact){.object = "o",
                 .file = "f",
                 .function = function,
                 .at_file = "f",
                 .at_line = line,
                 .callee_object = "",
                 .callee_file = "",
                 .callee = "",
                 .cost = cost};
}

static void test_facts(void)
{
   Facts a = {0}, b = {0};
   const Fact all[] = {new_fact("f", 1, 5), new_fact("f", 2, 6),
                       new_fact("f", 1, 7), new_fact("g", 1, 0)};
   for (UInt i = 0; i < 4; i++) {
      facts_add(&a, &all[i]);
      facts_add(&b, &all[3 - i]);
   }
   facts_merge(&a);
   facts_merge(&b);
   CHECK_EQ(a.n, 2);
   CHECK_EQ(a.all[0].cost, 12);
   CHECK(facts_agree(&a, &b));
   if (!freopen("/dev/null", "w", stderr)) return;
   b.all[1].cost++;
   CHECK(!facts_agree(&a, &b));
   b.n = 1;
   CHECK(!facts_agree(&a, &b));
   CHECK(!facts_agree(&b, &a));
   facts_free(&a);
   facts_free(&b);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"right", test_right}, {"header", test_header},
      {"ids", test_ids},     {"lines", test_lines},
      {"facts", test_facts}, {"compression", test_compression},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
