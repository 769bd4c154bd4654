#include "check.h"
#include "engine/threads.h"
#include "guest.h"
#include "profile/callgrind/writer.h"

#include <stdlib.h>
#include <string.h>

/*--- A small program ----------------------------------------------------*/

static Function *helper, *copy;

/* main calls helper, and copy of a library by a stub. Offsets are 0x10000,
 * 0x20000, 0x30000. */
static void run_program(void)
{
   Object* app = guest_object("/bin/app");
   Object* library = guest_object("/lib/libc.so.6");
   Function* f = guest_function_in(app, "main", "main.c", 10);
   helper = guest_function_in(app, "helper", "util.c", 100);
   copy = guest_function_in(library, "copy", "???", 0);
   Block* call = guest_block(f, 4, EXIT_CALL);
   Block* back = guest_block(f, 2, EXIT_NONE);
   guest_position(call, 0, "main.c", 10);
   guest_position(call, 1, "main.c", 12);
   guest_position(call, 2, "inline.h", 300);
   guest_position(call, 3, "main.c", 12);
   guest_position(back, 0, "main.c", 13);
   guest_position(back, 1, "main.c", 200);
   Block* helping = guest_block(helper, 3, EXIT_RETURN);
   guest_position(helping, 0, "util.c", 100);
   guest_position(helping, 1, "util.c", 101);
   guest_position(helping, 2, "util.c", 101);
   Block* copying = guest_block(copy, 2, EXIT_RETURN);
   guest_position(copying, 0, "???", 0);
   Block* stub = guest_stub(app, 2);
   guest_switch(1, 0x1000);
   guest_run(call);
   guest_run(helping);
   guest_run(back);
   guest_run(call);
   guest_run(stub);
   guest_run(copying);
   guest_run(back);
   cg2_threads_flush();
}

/* What the writer makes of everything that was counted, `total` in all, where
 * functions have `in_functions`. */
static const char*
written_with(WriterConfig config, ULong total, ULong in_functions)
{
   static Sink sink;
   static const WriterHeader header = {.creator = "callgrind-test",
                                       .command = "./app -x",
                                       .pid = 4711,
                                       .part = 1,
                                       .blocks = {0, 7},
                                       .trigger = "Program termination"};
   Cost summary = {.of = {[EVENT_IR] = total}};
   Long before = host.n_allocated;
   CHECK_EQ(cg2_sink_open(&sink, "/dev/null"), 0);
   Cost sum = cg2_writer_write(&sink, &config, &header, summary.of);
   CHECK_EQ(cg2_sink_finish(&sink), 0);
   CHECK_EQ(sum.of[EVENT_IR], in_functions);
   CHECK_EQ(host.n_allocated, before);
   return host.written;
}

static const char* written_of(WriterConfig config, ULong total)
{
   return written_with(config, total, total);
}

static const char* written(WriterConfig config)
{
   return written_of(config, guest_total());
}

static WriterConfig
config(Bool by_line, Bool by_instr, Bool strings, Bool positions)
{
   return (WriterConfig){.positions = {.has[POSITION_LINE] = by_line,
                                       .has[POSITION_INSTR] = by_instr},
                         .compress_strings = strings,
                         .compress_positions = positions};
}

/*--- Exact bytes --------------------------------------------------------*/

#define HEAD(positions)                                                        \
   "# callgrind format\n"                                                      \
   "version: 1\n"                                                              \
   "creator: callgrind-test\n"                                                 \
   "pid: 4711\n"                                                               \
   "cmd:  ./app -x\n"                                                          \
   "part: 1\n"                                                                 \
   "\n\n"                                                                      \
   "desc: I1 cache: \n"                                                        \
   "desc: D1 cache: \n"                                                        \
   "desc: LL cache: \n"                                                        \
   "\n"                                                                        \
   "desc: Timerange: Basic block 0 - 7\n"                                      \
   "desc: Trigger: Program termination\n"                                      \
   "\n"                                                                        \
   "positions: " positions "\n"                                                \
   "events: Ir\n"                                                              \
   "summary: 19\n"                                                             \
   "\n\n"

static void test_compressed(void)
{
   run_program();
   CHECK_TEXT(written(config(True, False, True, True)),
              HEAD("line") "ob=(1) /bin/app\n"
                           "fl=(1) main.c\n"
                           "fn=(1) main\n"
                           "10 2\n"
                           "+2 6\n"
                           "cfi=(2) util.c\n"
                           "cfn=(2) helper\n"
                           "calls=1 +88\n"
                           "* 3\n"
                           "cob=(2) /lib/libc.so.6\n"
                           "cfi=(3) ???\n"
                           "cfn=(3) copy\n"
                           "calls=1 -12\n"
                           "* 2\n"
                           "+1 2\n"
                           "200 2\n"
                           "fi=(4) inline.h\n"
                           "300 2\n"
                           "\n"
                           "fl=(2)\n"
                           "fn=(2)\n"
                           "100 1\n"
                           "+1 2\n"
                           "\n"
                           "ob=(2)\n"
                           "fl=(3)\n"
                           "fn=(3)\n"
                           "0 2\n"
                           "\n"
                           "totals: 19\n");
}

static void test_plain(void)
{
   run_program();
   CHECK_TEXT(written(config(True, False, False, False)),
              HEAD("line") "ob=/bin/app\n"
                           "fl=main.c\n"
                           "fn=main\n"
                           "10 2\n"
                           "12 6\n"
                           "cfi=util.c\n"
                           "cfn=helper\n"
                           "calls=1 100\n"
                           "12 3\n"
                           "cob=/lib/libc.so.6\n"
                           "cfi=???\n"
                           "cfn=copy\n"
                           "calls=1 0\n"
                           "12 2\n"
                           "13 2\n"
                           "200 2\n"
                           "fi=inline.h\n"
                           "300 2\n"
                           "\n"
                           "fl=util.c\n"
                           "fn=helper\n"
                           "100 1\n"
                           "101 2\n"
                           "\n"
                           "ob=/lib/libc.so.6\n"
                           "fl=???\n"
                           "fn=copy\n"
                           "0 2\n"
                           "\n"
                           "totals: 19\n");
}

static void test_strings_only(void)
{
   run_program();
   const char* text = written(config(True, False, True, False));
   CHECK(strstr(text, "\nfn=(1) main\n10 2\n12 6\ncfi=(2) util.c\n"
                      "cfn=(2) helper\ncalls=1 100\n12 3\n"));
   CHECK(strstr(text, "\nfl=(2)\nfn=(2)\n100 1\n101 2\n"));
   CHECK(!strchr(strstr(text, "totals"), '+'));
}

static void test_positions_only(void)
{
   run_program();
   const char* text = written(config(True, False, False, True));
   CHECK(strstr(text, "\nfn=main\n10 2\n+2 6\ncfi=util.c\ncfn=helper\n"
                      "calls=1 +88\n* 3\n"));
   CHECK(strstr(text, "\nfl=util.c\nfn=helper\n100 1\n+1 2\n"));
}

static void test_instr_compressed(void)
{
   run_program();
   CHECK_TEXT(written(config(True, True, True, True)),
              HEAD("instr line") "ob=(1) /bin/app\n"
                                 "fl=(1) main.c\n"
                                 "fn=(1) main\n"
                                 "0x10000 10 2\n"
                                 "+4 +2 2\n"
                                 "fi=(2) inline.h\n"
                                 "+4 300 2\n"
                                 "fe=(1)\n"
                                 "+4 12 4\n"
                                 "cfi=(3) util.c\n"
                                 "cfn=(2) helper\n"
                                 "calls=1 0x20000 +88\n"
                                 "* * 3\n"
                                 "cob=(2) /lib/libc.so.6\n"
                                 "cfi=(4) ???\n"
                                 "cfn=(3) copy\n"
                                 "calls=1 0x30000 -12\n"
                                 "* * 2\n"
                                 "+4 +1 2\n"
                                 "+4 200 2\n"
                                 "\n"
                                 "fl=(3)\n"
                                 "fn=(2)\n"
                                 "0x20000 100 1\n"
                                 "+4 +1 1\n"
                                 "+4 * 1\n"
                                 "\n"
                                 "ob=(2)\n"
                                 "fl=(4)\n"
                                 "fn=(3)\n"
                                 "0x30000 0 1\n"
                                 "+4 * 1\n"
                                 "\n"
                                 "totals: 19\n");
}

static void test_instr_plain(void)
{
   run_program();
   const char* text = written(config(True, True, False, False));
   CHECK(strstr(text, HEAD("instr line") "ob=/bin/app\n"
                                         "fl=main.c\n"
                                         "fn=main\n"
                                         "0x10000 10 2\n"
                                         "0x10004 12 2\n"
                                         "fi=inline.h\n"
                                         "0x10008 300 2\n"
                                         "fe=main.c\n"
                                         "0x1000c 12 4\n"
                                         "cfi=util.c\n"
                                         "cfn=helper\n"
                                         "calls=1 0x20000 100\n"
                                         "0x1000c 12 3\n"));
}

/* Without lines the files still change where they do. */
static void test_instr_alone(void)
{
   run_program();
   const char* text = written(config(False, True, True, True));
   CHECK(strstr(text, HEAD("instr") "ob=(1) /bin/app\n"
                                    "fl=(1) main.c\n"
                                    "fn=(1) main\n"
                                    "0x10000 2\n"
                                    "+4 2\n"
                                    "fi=(2) inline.h\n"
                                    "+4 2\n"
                                    "fe=(1)\n"
                                    "+4 4\n"
                                    "cfi=(3) util.c\n"
                                    "cfn=(2) helper\n"
                                    "calls=1 0x20000\n"
                                    "* 3\n"));
}

/* The first four instructions of main are one block, the next two another. */
static void test_blocks(void)
{
   run_program();
   WriterConfig by_block = config(True, False, True, True);
   by_block.positions.has[POSITION_BLOCK] = True;
   CHECK(strstr(written(by_block), HEAD("bb line") "ob=(1) /bin/app\n"
                                                   "fl=(1) main.c\n"
                                                   "fn=(1) main\n"
                                                   "0x10000 10 2\n"
                                                   "* +2 6\n"
                                                   "cfi=(2) util.c\n"
                                                   "cfn=(2) helper\n"
                                                   "calls=1 0x20000 +88\n"
                                                   "* * 3\n"
                                                   "cob=(2) /lib/libc.so.6\n"
                                                   "cfi=(3) ???\n"
                                                   "cfn=(3) copy\n"
                                                   "calls=1 0x30000 -12\n"
                                                   "* * 2\n"
                                                   "fi=(4) inline.h\n"
                                                   "* 300 2\n"
                                                   "fe=(1)\n"
                                                   "+16 13 2\n"
                                                   "* 200 2\n"));
   by_block.positions.has[POSITION_INSTR] = True;
   CHECK(strstr(written(by_block),
                HEAD("instr bb line") "ob=(1) /bin/app\n"
                                      "fl=(1) main.c\n"
                                      "fn=(1) main\n"
                                      "0x10000 0x10000 10 2\n"
                                      "+4 * +2 2\n"
                                      "fi=(2) inline.h\n"
                                      "+4 * 300 2\n"
                                      "fe=(1)\n"
                                      "+4 * 12 4\n"
                                      "cfi=(3) util.c\n"
                                      "cfn=(2) helper\n"
                                      "calls=1 0x20000 0x20000 +88\n"
                                      "* * * 3\n"));
   CHECK(strstr(written(by_block), "\n* * * 2\n+4 +16 +1 2\n+4 * 200 2\n"));
   by_block.positions.has[POSITION_INSTR] =
      by_block.positions.has[POSITION_LINE] = False;
   CHECK(strstr(written(by_block), HEAD("bb") "ob=(1) /bin/app\n"
                                              "fl=(1) main.c\n"
                                              "fn=(1) main\n"
                                              "0x10000 8\n"));
}

/* The order of equals in a sort does not show. */
static void test_same_bytes(void)
{
   run_program();
   for (UInt c = 0; c < 16; c++) {
      if (!(c & 3)) continue;
      WriterConfig shown = config(c & 1, c >> 1 & 1, c >> 2 & 1, c >> 3 & 1);
      host.order = 0;
      char* first = strdup(written(shown));
      for (host.order = 1; host.order < 10; host.order++)
         CHECK_TEXT(written(shown), first);
   }
}

/*--- Positions ----------------------------------------------------------*/

/* A difference is written when it is less than 100; the first position of a
 * function never is one. */
static void test_near(void)
{
   static const UInt lines[] = {500, 599, 600, 699, 799};
   Function* f = guest_function(guest_object("a"), "f");
   for (UInt i = 0; i < 5; i++)
      guest_position(guest_block(f, 1, EXIT_NONE), 0, "guest.c", lines[i]);
   guest_position(guest_block(f, 1, EXIT_NONE), 0, "g.c", 799);
   guest_switch(1, 0x1000);
   for (Block* b = f->blocks; b; b = b->next_of_home)
      guest_run(b);
   CHECK(strstr(written(config(True, False, False, True)),
                "fn=f\n500 1\n+99 1\n+1 1\n+99 1\n799 1\n"
                "fi=g.c\n* 1\n"));
}

static void test_far_back(void)
{
   Function* f = guest_function(guest_object("a"), "f");
   static const UInt lines[] = {500, 401, 301};
   for (UInt i = 0; i < 3; i++) {
      HChar name[] = {'a' + i, '\0'};
      guest_position(guest_block(f, 1, EXIT_NONE), 0, name, lines[i]);
   }
   guest_switch(1, 0x1000);
   for (Block* b = f->blocks; b; b = b->next_of_home)
      guest_run(b);
   CHECK(strstr(written(config(True, False, False, True)),
                "fi=a\n500 1\nfi=b\n-99 1\nfi=c\n301 1\n"));
}

static Routine recursing(void)
{
   Routine f = guest_routine(guest_object("a"), "f");
   Block* all[] = {f.entry, f.call, f.back, f.leave};
   for (UInt i = 0; i < 4; i++)
      for (UInt instr = 0; instr < all[i]->n_instrs; instr++)
         guest_position(all[i], instr, "guest.c", 1 + i);
   f.function->line = 1;
   guest_switch(1, 0x1000);
   guest_run(f.entry);
   guest_call(&f, &f);
   guest_return(&f, &f);
   return f;
}

/* Recursion levels are functions of their own. */
static void test_recursion(void)
{
   recursing();
   CHECK(strstr(written(config(True, False, True, True)),
                "fn=(1) f\n1 3\n+1 2\ncfi=(1)\ncfn=(2) f'2\ncalls=1 -1\n* 4\n"
                "+1 4\n\nfl=(1)\nfn=(2)\n1 3\n+3 1\n\ntotals: 13\n"));
}

/* Calls of a function without a self cost: the first position is no difference,
 * also not the callee's. */
static void test_calls_alone(void)
{
   Routine f = recursing();
   cg2_context_zero(guest_context(f.function, 1));
   cg2_context_zero(guest_context(f.function, 2));
   CHECK(strstr(written_of(config(True, False, True, True), 0),
                "summary: 0\n\n\nob=(1) a\nfl=(1) guest.c\nfn=(1) f\n"
                "cfi=(1)\ncfn=(2) f'2\ncalls=1 1\n2 4\n\ntotals: 0\n"));
}

/* A call at a line where nothing else was spent stands between the others. */
static void test_call_between(void)
{
   Routine f = recursing();
   Context* c = guest_context(f.function, 1);
   c->own.counts[f.call->slot] = 0;
   CHECK(strstr(written_of(config(True, False, False, False), 11),
                "fn=f\n1 3\ncfi=guest.c\ncfn=f'2\ncalls=1 1\n2 4\n3 4\n"));
}

/* From line 12 to 40 and back, and into another file. */
static void run_jumps(void)
{
   static const UShort ends[] = {2, 0}, plain[] = {1};
   static const Int forward[] = {3 * INSTR_BYTES, NO_TARGET};
   static const Int back[] = {-2 * INSTR_BYTES}, on[] = {INSTR_BYTES};
   Function* f = guest_function(guest_object("a"), "f");
   Block* branch = guest_block_with_targets(f, ends, forward, 2, False);
   Block* returning = guest_block_with_targets(f, plain, back, 1, False);
   Block* going = guest_block_with_targets(f, plain, on, 1, False);
   Block* end = guest_block(f, 1, EXIT_NONE);
   guest_position(branch, 0, "guest.c", 11);
   guest_position(branch, 1, "guest.c", 12);
   guest_position(returning, 0, "inline.h", 7);
   guest_position(going, 0, "guest.c", 40);
   guest_position(end, 0, "end.h", 300);
   ULong* counts =
      cg2_context_get(f, 0, cg2_context_separation((Separation){.thread = 0}))
         ->own.counts;
   counts[branch->slot] = 10;
   counts[branch->slot + 1] = 4;
   counts[returning->slot] = 4;
   counts[going->slot] = 6;
   counts[end->slot] = 6;
}

/* A file that is first named by a jump is defined before. */
static void test_jumps(void)
{
   run_jumps();
   CHECK(strstr(written_of(config(True, False, True, True), 36),
                "fn=(1) f\n11 10\n+1 10\njcnd=6/10 +28 \n* \n"
                "+28 6\nfi=(2) end.h\nfe=(1)\njfi=(2)\njump=6 300 \n* \n"
                "fi=(2)\n300 6\n"
                "fi=(3) inline.h\n7 4\njfi=(1)\njump=4 +4 \n* \n\n"));
   CHECK(strstr(written_of(config(True, False, False, False), 36),
                "fn=f\n11 10\n12 10\njcnd=6/10 40 \n12 \n"
                "40 6\njfi=end.h\njump=6 300 \n40 \n"
                "fi=end.h\n300 6\n"
                "fi=inline.h\n7 4\njfi=guest.c\njump=4 11 \n7 \n\n"));
}

/* Jumps are written as the grammar of the format has them. */
static void test_jumps_as_specified(void)
{
   run_jumps();
   WriterConfig spec = config(True, False, True, True);
   spec.is_as_specified = True;
   CHECK(strstr(written_of(spec, 36),
                "part: 1\ndesc: Timerange: Basic block 0 - 7\n"
                "desc: Trigger: Program termination\n\npositions: line\n"));
   CHECK(strstr(written_of(spec, 36),
                "fn=(1) f\n11 10 \n+1 10 \njcnd=10 6 +28 \n* \n"
                "+28 6 \nfi=(2) end.h\nfe=(1)\ncfi=(2)\njump=6 300 \n* \n"
                "fi=(2)\n300 6 \n"
                "fi=(3) inline.h\n7 4 \ncfi=(1)\njump=4 +4 \n* \n\n"));
}

/* Calls of skipped functions are said in the header. */
static void test_skipped(void)
{
   Object* app = guest_object("/bin/app");
   Function* f = guest_function_in(app, "f", "f.c", 10);
   Function* g = guest_function_in(app, "g\nh", "g.c", 20);
   Block* call = guest_block(f, 1, EXIT_CALL);
   Block* entry = guest_block(g, 2, EXIT_RETURN);
   guest_position(call, 0, "f.c", 11);
   Exit* exit = guest_exit(call);
   Context* c =
      cg2_context_get(f, 0, cg2_context_separation((Separation){.thread = 0}));
   Separation paid = {.payer = c, .payer_exit = exit};
   Context* skipped = cg2_context_get(g, 0, cg2_context_separation(paid));
   cg2_graph_arc(exit, c, skipped, entry)->count = 3;
   c->own.counts[call->slot] = 3;
   skipped->own.counts[entry->slot] = 3;
   const char* text = written_of(config(True, False, True, True), 9);
   CHECK(strstr(text, "desc: Trigger: Program termination\n"
                      "desc: Skipped: 3 g\\nh\n"
                      "\npositions: line\n"));
   CHECK(strstr(text, "fn=(1) f\n11 9\n\ntotals: 9\n"));
}

/* Behind another part what that one said of the program is not said again, and
 * ids are defined anew. */
static void test_follows(void)
{
   static Sink sink;
   static const WriterHeader header = {.part = 3,
                                       .thread = 0,
                                       .blocks = {7, 9},
                                       .trigger = "dump",
                                       .follows = True};
   recursing();
   WriterConfig plain = config(True, False, True, True);
   const char* alone = strdup(strstr(written(plain), "\npositions:"));
   Cost summary = {.of = {[EVENT_IR] = guest_total()}};
   CHECK_EQ(cg2_sink_open(&sink, "/dev/null"), 0);
   cg2_writer_write(&sink, &plain, &header, summary.of);
   CHECK_EQ(cg2_sink_finish(&sink), 0);
   const char* start = "\npart: 3\n\ndesc: Timerange: Basic block 7 - 9\n"
                       "desc: Trigger: dump\n";
   CHECK_EQ(strncmp(host.written, start, strlen(start)), 0);
   CHECK_TEXT(host.written + strlen(start), alone);
}

static void test_nothing(void)
{
   recursing();
   cg2_graph_zero(0);
   CHECK(strstr(written_of(config(True, False, True, True), 0),
                "summary: 0\n\n\ntotals: 0\n"));
}

/* What no function has is a function of its own; what functions have too much
 * stays in the sum. */
static void test_in_no_function(void)
{
   static const char rest[] = "[in no function]";
   recursing();
   ULong n = guest_total();
   const char* text = written_with(config(True, True, True, True), n + 30, n);
   CHECK(strstr(text, "\n\nob=???\nfl=???\nfn=[in no function]\n"
                      "0x0 0 30\n\ntotals: "));
   CHECK_EQ(strtoull(strstr(text, "\ntotals: ") + 9, NULL, 10), n + 30);
   text = written_with(config(True, True, True, True), n - 1, n);
   CHECK(!strstr(text, rest));
   CHECK_EQ(strtoull(strstr(text, "\ntotals: ") + 9, NULL, 10), n);
}

/* Large counts, and addresses of the full width. */
static void test_large_numbers(void)
{
   Function* f = guest_function(guest_object("a"), "f");
   Block* b = guest_block(f, 1, EXIT_NONE);
   guest_position(b, 0, "guest.c", 4294967295U);
   b->offset = ~(Addr)0xf;
   Context* c =
      cg2_context_get(f, 0, cg2_context_separation((Separation){.thread = 0}));
   c->own.counts[0] = 0xfedcba9876543210;
   const char* text =
      written_of(config(True, True, True, True), 0xfedcba9876543210);
   CHECK(strstr(text, "\nsummary: 18364758544493064720\n"));
   CHECK(strstr(text, "\ntotals: 18364758544493064720\n"));
   CHECK(
      strstr(text, VG_WORDSIZE == 8
                      ? "\n0xfffffffffffffff0 4294967295 18364758544493064720\n"
                      : "\n0xfffffff0 4294967295 18364758544493064720\n"));
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"compressed", test_compressed},
      {"plain", test_plain},
      {"strings_only", test_strings_only},
      {"positions_only", test_positions_only},
      {"instr_compressed", test_instr_compressed},
      {"instr_plain", test_instr_plain},
      {"instr_alone", test_instr_alone},
      {"blocks", test_blocks},
      {"same_bytes", test_same_bytes},
      {"near", test_near},
      {"far_back", test_far_back},
      {"recursion", test_recursion},
      {"calls_alone", test_calls_alone},
      {"call_between", test_call_between},
      {"jumps", test_jumps},
      {"jumps_as_specified", test_jumps_as_specified},
      {"skipped", test_skipped},
      {"follows", test_follows},
      {"nothing", test_nothing},
      {"in_no_function", test_in_no_function},
      {"large_numbers", test_large_numbers},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
