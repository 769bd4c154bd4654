/* What the command line says about functions. */
#include "check.h"
#include "code/rules.h"

#include <stdio.h>

static void add(RuleKind kind, const HChar* pattern)
{
   cg2_rules_add(kind, pattern, 0, pattern);
}

static Bool dumps_before(const HChar* name)
{
   return cg2_rules_of(name, NULL, "object")->dump_before;
}

/* Without a pattern that matches, all functions share the default. */
static void test_default(void)
{
   CHECK(cg2_rules_of("f", NULL, "object") == &cg2_rules.standard);
   CHECK_EQ(cg2_rules.standard.recursion_levels, 2);
   CHECK(!cg2_rules.standard.is_watched);
   add(RULE_DUMP_BEFORE, "g");
   CHECK(cg2_rules_of("f", NULL, "object") == &cg2_rules.standard);
   CHECK(cg2_rules_of("g", NULL, "object") != &cg2_rules.standard);
}

/* A pattern matches the whole name. */
static void test_patterns(void)
{
   add(RULE_DUMP_BEFORE, "exact");
   add(RULE_DUMP_BEFORE, "one?");
   add(RULE_DUMP_BEFORE, "be*");
   add(RULE_DUMP_BEFORE, "*::in*e(int, char*)");
   CHECK(dumps_before("exact"));
   CHECK(!dumps_before("exactly") && !dumps_before("inexact"));
   CHECK(dumps_before("one1"));
   CHECK(!dumps_before("one") && !dumps_before("one12"));
   CHECK(dumps_before("be") && dumps_before("before"));
   CHECK(!dumps_before("ab") && !dumps_before("abbe"));
   CHECK(dumps_before("a::b::inside(int, char const*)"));
   CHECK(dumps_before("a::ine(int, char)"));
   CHECK(!dumps_before("a::inside(int)") && !dumps_before("inside"));
   CHECK(!dumps_before(""));
   add(RULE_DUMP_BEFORE, "*");
   CHECK(dumps_before("") && dumps_before("any"));
}

/* A pattern without a parenthesis matches a name without its parameters, too.
 */
static void test_parameters(void)
{
   add(RULE_DUMP_BEFORE, "worker");
   add(RULE_DUMP_BEFORE, "a::b*d");
   add(RULE_DUMP_BEFORE, "operator()");
   add(RULE_DUMP_BEFORE, "exact(int)");
   CHECK(dumps_before("worker") && dumps_before("worker()"));
   CHECK(dumps_before("worker(int, unsigned long)"));
   CHECK(dumps_before("worker(int (*)(char), long) const"));
   CHECK(dumps_before("worker(int) [clone .part.0]"));
   CHECK(!dumps_before("worker(int)::{lambda(char)#1}::other(char)"));
   CHECK(!dumps_before("worker(int)::other") &&
         !dumps_before("c::worker(int)"));
   CHECK(!dumps_before("worker<f(int)>") && !dumps_before("worker(int"));
   CHECK(!dumps_before("worker)") && !dumps_before("(worker)"));
   CHECK(dumps_before("a::bcd(int)") && dumps_before("a::b(d)::cd(int)"));
   CHECK(!dumps_before("a::bc(d)") && dumps_before("operator()(int)"));
   CHECK(dumps_before("exact(int)") && !dumps_before("exact(long)"));
   add(RULE_SKIP_OBJECT, "lib");
   CHECK(!cg2_rules_of("f", NULL, "lib(1)")->is_skipped);
}

/* A pattern matches what lists show: without return type, long arguments and
 * parameters, or with parameters where others are shown alike. */
static void test_shown(void)
{
   add(RULE_DUMP_BEFORE, "std::vector<int>::push_back");
   add(RULE_DUMP_BEFORE, "main::{lambda#1}::operator()");
   add(RULE_DUMP_BEFORE, "tmpl<long>");
   add(RULE_DUMP_BEFORE, "pick<int>(char)");
   add(RULE_DUMP_BEFORE, "a::hash");
   CHECK(dumps_before(
      "std::vector<int, std::allocator<int> >::push_back(int const&)"));
   CHECK(!dumps_before("std::vector<int, mine<int> >::push_back(int const&)"));
   CHECK(dumps_before("main::{lambda(int)#1}::operator()(int) const"));
   CHECK(!dumps_before("main::{lambda(int)#2}::operator()(int) const"));
   CHECK(dumps_before("void tmpl<long>(long)") && dumps_before("tmpl<long>"));
   CHECK(!dumps_before("void tmpl<int>(int)") && !dumps_before("tmpl"));
   CHECK(dumps_before("int pick<int>(char)"));
   CHECK(!dumps_before("int pick<int>(int)"));
   CHECK(dumps_before("a::hash::h0123456789abcdef"));
}

static Bool dumps_symbol_before(const HChar* name, const HChar* mangled)
{
   return cg2_rules_of(name, mangled, "/lib/libx.so.1")->dump_before;
}

/* A pattern that begins as a mangled name is one of mangled names, too; what
 * begins with `*` or `_*` is not. Code without a symbol is known by its offset.
 */
static void test_symbols(void)
{
   add(RULE_DUMP_BEFORE, "_ZL1fi");
   add(RULE_DUMP_BEFORE, "_ZN1a*v");
   add(RULE_DUMP_BEFORE, "*l");
   add(RULE_DUMP_BEFORE, "_*m");
   add(RULE_DUMP_BEFORE, "libx.so.1+0x12730");
   CHECK(dumps_symbol_before("f(int)", "_ZL1fi"));
   CHECK(!dumps_symbol_before("f(int)", "_Z1fi"));
   CHECK(dumps_symbol_before("a::g()", "_ZN1a1gEv"));
   CHECK(!dumps_symbol_before("a::g(long)", "_ZN1a1gEl"));
   CHECK(!dumps_symbol_before("a::g(unsigned long)", "_ZN1a1gEm"));
   CHECK(dumps_symbol_before("_m", "_m") && dumps_symbol_before("l", "l"));
   CHECK(dumps_symbol_before("0x0000000000012730", NULL));
   CHECK(!dumps_symbol_before("0x0000000000012740", NULL));
}

/* Each kind is a property of its own, and any makes a function watched; but for
 * levels. */
static void test_kinds(void)
{
   add(RULE_DUMP_BEFORE, "b*");
   add(RULE_DUMP_AFTER, "?a*");
   add(RULE_ZERO_BEFORE, "zero");
   add(RULE_TOGGLE_COLLECT, "toggle");
   const Rules* both = cg2_rules_of("bar", NULL, "object");
   CHECK(both->dump_before && both->dump_after && both->is_watched);
   CHECK(!both->zero_before && !both->toggles_collect);
   const Rules* zero = cg2_rules_of("zero", NULL, "object");
   CHECK(zero->zero_before && zero->is_watched && !zero->dump_before);
   const Rules* toggle = cg2_rules_of("toggle", NULL, "object");
   CHECK(toggle->toggles_collect && toggle->is_watched && !toggle->dump_after);
   cg2_rules_add(RULE_RECURSION_LEVELS, "deep", 7, "");
   const Rules* deep = cg2_rules_of("deep", NULL, "object");
   CHECK_EQ(deep->recursion_levels, 7);
   CHECK(!deep->is_watched);
}

/* The last of two rules that say different things counts, however narrow. */
static void test_last_counts(void)
{
   cg2_rules.standard.recursion_levels = 3;
   cg2_rules_add(RULE_RECURSION_LEVELS, "f", 5, "");
   CHECK_EQ(cg2_rules_of("f", NULL, "object")->recursion_levels, 5);
   CHECK_EQ(cg2_rules_of("g", NULL, "object")->recursion_levels, 3);
   cg2_rules_add(RULE_RECURSION_LEVELS, "*", 9, "");
   CHECK_EQ(cg2_rules_of("f", NULL, "object")->recursion_levels, 9);
   cg2_rules_add(RULE_RECURSION_LEVELS, "f", 5, "");
   CHECK_EQ(cg2_rules_of("f", NULL, "object")->recursion_levels, 5);
   CHECK_EQ(cg2_rules_of("g", NULL, "object")->recursion_levels, 9);
   add(RULE_DUMP_AFTER, "f");
   CHECK_EQ(cg2_rules_of("f", NULL, "object")->recursion_levels, 5);
   CHECK(cg2_rules_of("f", NULL, "object")->dump_after);
}

/* What was found stays as it is when more is asked. */
static void test_stay(void)
{
   add(RULE_DUMP_AFTER, "f*");
   const Rules* first = cg2_rules_of("f0", NULL, "object");
   for (UInt i = 0; i < 1000; i++) {
      HChar name[12];
      VG_(sprintf)(name, "f%u", i);
      CHECK(cg2_rules_of(name, NULL, "object")->dump_after);
   }
   CHECK(first->dump_after && first->recursion_levels == 2);
}

static HChar said[100];

static void say(const HChar* option, const HChar* pattern, Bool is_of_object)
{
   (void)pattern;
   VG_(sprintf)(said + VG_(strlen)(said), is_of_object ? "%s (object);" : "%s;",
                option);
}

static void check_unmatched(const HChar* expected)
{
   said[0] = '\0';
   cg2_rules_unmatched(say);
   CHECK_TEXT(said, expected);
}

/* In the order of the command line, each that no name ever matched, also one
 * that another overrides. */
static void test_unmatched(void)
{
   check_unmatched("");
   cg2_rules_add(RULE_DUMP_BEFORE, "f", 0, "--dump-before=f");
   cg2_rules_add(RULE_ZERO_BEFORE, "g*", 0, "--zero-before=g*");
   cg2_rules_add(RULE_DUMP_BEFORE, "*", 0, "--dump-before=*");
   check_unmatched("--dump-before=f;--zero-before=g*;--dump-before=*;");
   cg2_rules_of("h", NULL, "object");
   check_unmatched("--dump-before=f;--zero-before=g*;");
   cg2_rules_of("f", NULL, "object");
   check_unmatched("--zero-before=g*;");
   cg2_rules_of("g", NULL, "object");
   check_unmatched("");
}

/* A rule that comes later changes what is known of an object's functions, and
 * only that. */
static void test_again(void)
{
   add(RULE_DUMP_BEFORE, "f");
   const Rules* f = cg2_rules_of("f", NULL, "a.so");
   const Rules* g = cg2_rules_of("g", NULL, "a.so");
   add(RULE_SKIP_OBJECT, "a.*");
   CHECK(cg2_rules_again(f, "b.so") == f);
   check_unmatched("a.* (object);");
   const Rules* f_now = cg2_rules_again(f, "a.so");
   CHECK(f_now->is_skipped && f_now->dump_before && f_now->is_watched);
   CHECK(!f->is_skipped && f->dump_before);
   CHECK(cg2_rules_again(g, "a.so")->is_skipped);
   CHECK(!cg2_rules.standard.is_skipped);
   check_unmatched("");
   add(RULE_SKIP_OBJECT, "*");
   CHECK(cg2_rules_again(f_now, "a.so") == f_now);
   CHECK(cg2_rules_of("new", NULL, "c.so")->is_skipped);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"default", test_default},
      {"patterns", test_patterns},
      {"parameters", test_parameters},
      {"kinds", test_kinds},
      {"shown", test_shown},
      {"symbols", test_symbols},
      {"last_counts", test_last_counts},
      {"stay", test_stay},
      {"unmatched", test_unmatched},
      {"again", test_again},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
