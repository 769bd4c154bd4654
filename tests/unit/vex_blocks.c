/* What generated code counts and calls, block by block. */
#include "vex_machine.h"

#include "events/accesses.h"
#include "events/eventsconfig.h"
#include "events/mispredictions.h"
#include "translate/cpuidcode.h"
#include "translate/eventcode.h"
#include "translate/translateconfig.h"

#include <stdio.h>
#include <string.h>

#define CHECK_LOG(expected) CHECK_TEXT(machine.log, (expected))

static const UInt HERE = PART_F + 0x100; /* a block inside f */

/*--- Instructions and exits ---------------------------------------------*/

/* nop; nop; ret */
static void test_straight(void)
{
   machine_start();
   machine_code(HERE, "\x90\x90\xc3");
   *(UWord*)machine.stack = (UWord)machine.code + PART_G + 0x20;
   machine_run(HERE);
   CHECK_EQ(machine_total(EVENT_IR), 3);
   CHECK_EQ(machine_cell(0), 1);
   CHECK_EQ(machine.next, (Addr)machine.code + PART_G + 0x20);
   HChar expected[80];
   sprintf(expected, "return 2 sp+%d -> 1020\n", (int)sizeof(Addr));
   CHECK_LOG(expected);
}

/* test %eax,%eax; je +5; and behind it nop; ret. A branch inside the function
 * calls nothing; the segment ends there. */
static void test_branch_inside(void)
{
   machine_start();
   machine_code(HERE, "\x85\xc0\x74\x05");
   machine_set(REG_AX, 0);
   machine_run(HERE);
   CHECK_EQ(machine.next, (Addr)machine.code + HERE + 9);
   machine_set(REG_AX, 1);
   machine_run(HERE);
   CHECK_EQ(machine.next, (Addr)machine.code + HERE + 4);
   CHECK_EQ(machine_total(EVENT_IR), 4);
   CHECK_EQ(machine_cell(0), 2);
   CHECK_LOG("");
}

/* test %eax,%eax; je g, or into it, from f. Which probe is called follows from
 * where the branch leads. */
static void test_branch_outside(void)
{
   machine_start();
   machine_code(HERE, "\x85\xc0\x0f\x84\xf8\x0e\x00\x00"); /* to g */
   machine_set(REG_AX, 1);
   machine_run(HERE);
   CHECK_LOG("");
   machine_set(REG_AX, 0);
   machine_run(HERE);
   CHECK_EQ(machine.next, (Addr)machine.code + PART_G);
   CHECK_LOG("jump 1 sp+0 -> 1000\n");
   machine_clear();
   machine_code(HERE + 32, "\x85\xc0\x0f\x84\xf8\x0e\x00\x00"); /* into g */
   machine_run(HERE + 32);
   CHECK_LOG("stay 1 sp+0 to g -> 1020\n");
}

/* call g; in 32-bit code as well */
static void test_call(void)
{
   machine_start();
   machine_code(HERE, "\xe8\xfb\x0e\x00\x00");
   machine_run(HERE);
   HChar expected[80];
   sprintf(expected, "call 0 sp-%d -> 1000\n", (int)sizeof(Addr));
   CHECK_LOG(expected);
   CHECK_EQ(*(UWord*)(machine.stack - sizeof(UWord)),
            (UWord)machine.code + HERE + 5);
   machine_clear();
   machine_code(PART_G, "\xc3"); /* ret */
   machine_run(PART_G);
   CHECK_LOG("return 0 sp+0 -> 105\n");
   CHECK_EQ(machine_total(EVENT_IR), 2);
}

/* call *%rbx; jmp *%rbx */
static void test_computed(void)
{
   HChar expected[80];
   machine_start();
   machine_code(HERE, "\xff\xd3");
   machine_set(REG_BX, (UWord)machine.code + PART_G);
   machine_run(HERE);
   sprintf(expected, "call_to 0 sp-%d -> 1000\n", (int)sizeof(Addr));
   CHECK_LOG(expected);
   machine_clear();
   machine_code(PART_G, "\xff\xe3");
   machine_set(REG_BX, (UWord)machine.code + PART_G + 0x40);
   machine_run(PART_G); /* inside g */
   CHECK_LOG("");
   machine_set(REG_BX, (UWord)machine.code + HERE);
   machine_run(PART_G);
   sprintf(expected, "jump_to 0 sp-%d -> 100\n", (int)sizeof(Addr));
   CHECK_LOG(expected);
}

/* A call of a stub leaves its exit for the stub's end, which is told the
 * function. */
static void test_stub(void)
{
   machine_start();
   machine_code(HERE, "\xe8\xfb\x2e\x00\x00");
   machine_run(HERE);
   CHECK_LOG("");
   CHECK(cg2_now.regs.exit == cg2_block_exits(machine.block));
   CHECK_EQ(cg2_now.regs.sp, (Addr)machine.stack - sizeof(Addr));
   machine_code(PART_STUBS, "\xe9\xfb\xdf\xff\xff"); /* jmp g */
   machine_run(PART_STUBS);
   HChar expected[80];
   sprintf(expected, "stub sp-%d -> 1000\n", (int)sizeof(Addr));
   CHECK_LOG(expected);
   CHECK_EQ(machine_total(EVENT_IR), 2);
}

/* call *%rbx, of code that nobody knows the function of: a block there looks
 * itself whether its cells count. */
static void test_guarded(void)
{
   machine_start();
   machine_code(HERE, "\xff\xd3");
   machine_code(PART_FREE, "\x90\xeb\xfd"); /* nop; jmp PART_FREE */
   machine_set(REG_BX, (UWord)machine.code + PART_FREE);
   machine_run(HERE);
   machine_clear();
   machine_run(PART_FREE);
   CHECK_LOG("enter 2000\n");
   machine_clear();
   machine_run(PART_FREE);
   CHECK_LOG("");
   CHECK_EQ(machine_total(EVENT_IR), 5);
   CHECK_EQ(machine_cell(0), 2);
}

/* The exit of a system call that is the last of its function: nothing is
 * called, as the thread may not come back. */
static void test_syscall(void)
{
   UInt last = PART_G - 2;
   machine_start();
   machine_put(last, sizeof(Addr) == 8 ? "\x0f\x05" : "\xcd\x80", 2);
   machine_run(last);
   CHECK_LOG("");
   CHECK_EQ(machine_total(EVENT_IR), 1);
   CHECK(!cg2_thread_has_arrived());
   CHECK(cg2_now.regs.exit == cg2_block_exits(machine.block));
   CHECK_EQ(cg2_now.regs.sp, (Addr)machine.stack);
}

/* rep stos: one instruction each time that the block runs; of those of which
 * nothing is left to store, too. */
static void test_rep(void)
{
   machine_start();
   machine_code(HERE, "\xf3\xaa\xc3");
   machine_set(REG_CX, 2);
   machine_set(REG_DI, (UWord)machine.data);
   machine_run(HERE);
   machine_run(HERE);
   CHECK_EQ(machine.next, (Addr)machine.code + HERE);
   machine_run(HERE);
   CHECK_EQ(machine.next, (Addr)machine.code + HERE + 2);
   CHECK_EQ(machine_total(EVENT_IR), 3);
   CHECK_EQ(machine_cell(0), 3);
   CHECK_EQ(machine_get(REG_CX), 0);
}

/*--- Accesses -----------------------------------------------------------*/

static UInt dr, dw;

static void start_caches(void)
{
   AccessesConfig* c = &cg2_events_config.accesses;
   c->is_on = c->has_caches = True;
   c->hierarchy.i1 = c->hierarchy.d1 = (Geometry){32768, 8, 64};
   c->hierarchy.ll = (Geometry){1 << 20, 16, 64};
   cg2_accesses_start();
   dr = c->events[ACCESS_READ].access;
   dw = c->events[ACCESS_WRITE].access;
   machine_start();
   machine_set(REG_DI, (UWord)machine.data);
}

/* Runs a block of these instructions, and of a jump behind them. */
static void run(const void* bytes, UInt n)
{
   machine_put(HERE, bytes, n);
   machine_run(HERE);
   CHECK_EQ(machine.next, (Addr)machine.code + HERE + n);
}

#define RUN(bytes) run(bytes "\xeb\x00", sizeof(bytes) + 1)

static void check_counts(ULong ir, ULong reads, ULong writes)
{
   CHECK_EQ(machine_total(EVENT_IR), ir);
   CHECK_EQ(machine_total(dr), reads);
   CHECK_EQ(machine_total(dw), writes);
}

/* mov (%rdi),%eax; mov %eax,0x80(%rdi): in the order in which they happen, and
 * only those that are no hits. */
static void test_loads_and_stores(void)
{
   start_caches();
   RUN("\x8b\x07\x89\x87\x80\x00\x00\x00");
   CHECK_LOG("I2 100\nR4 0\nW4 80\n");
   check_counts(3, 1, 1);
   machine_clear();
   RUN("\x8b\x07\x89\x87\x80\x00\x00\x00");
   CHECK_LOG("");
   check_counts(6, 2, 2);
   CHECK_EQ(machine_total(cg2_events_config.accesses.events[ACCESS_READ].of[0]),
            1);
   CHECK_EQ(
      machine_total(cg2_events_config.accesses.events[ACCESS_WRITE].of[0]), 1);
}

/* mov %eax,(%rdi); mov %eax,4(%rdi); mov %eax,8(%rdi) are looked at together.
 */
static void test_together(void)
{
   start_caches();
   RUN("\x89\x07\x89\x47\x04\x89\x47\x08");
   CHECK_LOG("I2 100\ntogether 3:\nW4 0\nW4 4\nW4 8\n");
   check_counts(4, 0, 3);
   CHECK_EQ(
      machine_total(cg2_events_config.accesses.events[ACCESS_WRITE].of[0]), 1);
}

/* lock cmpxchg %ecx,(%rdi) reads and writes in one place, which is a write. */
static void test_cmpxchg(void)
{
   start_caches();
   RUN("\xf0\x0f\xb1\x0f");
   CHECK_LOG("I4 100\nW4 0\n");
   check_counts(2, 0, 1);
}

/* cmove (%rdi),%eax reads whether it moves or not. */
static void test_cmov(void)
{
   start_caches();
   RUN("\x0f\x44\x07");
   CHECK_LOG("I3 100\nR4 0\n");
   check_counts(2, 1, 0);
}

/* fstpt (%rdi): a helper of VEX writes. */
static void test_x87(void)
{
   start_caches();
   RUN("\xdb\x3f");
   CHECK_LOG("I2 100\nW10 0\n");
   check_counts(2, 0, 1);
}

/* rep stosb: the access lies behind a side exit, in a segment of its own. */
static void test_rep_accesses(void)
{
   start_caches();
   machine_code(HERE, "\xf3\xaa");
   machine_set(REG_CX, 1);
   machine_run(HERE);
   CHECK_LOG("I2 100\nW1 0\n");
   machine_run(HERE);
   check_counts(2, 0, 1);
   CHECK_EQ(machine_cell(0), 2);
   CHECK_EQ(machine_cell(1), 1);
}

/*--- Events of statements, and branches ---------------------------------*/

/* lock cmpxchg %ecx,(%rdi): an atomic access, with and without a field. */
static UInt start_bus(UInt n_before)
{
   UInt event = 1 + n_before;
   for (UInt i = 0; i < n_before; i++)
      cg2_event_add_counted("before", NULL);
   cg2_translate_config.events.wanted[EVENT_BUS] = True;
   cg2_eventcode_start();
   machine_start();
   machine_set(REG_DI, (UWord)machine.data);
   CHECK_TEXT(cg2_event_name(event), "Ge");
   return event;
}

static void test_bus(void)
{
   UInt event = start_bus(0);
   RUN("\xf0\x0f\xb1\x0f");
   RUN("\xf0\x0f\xb1\x0f");
   CHECK_LOG("");
   CHECK_EQ(machine_total(event), 2);
}

static void test_bus_without_field(void)
{
   UInt event = start_bus(2 * EVENT_PAIRS_MAX);
   RUN("\xf0\x0f\xb1\x0f");
   RUN("\xf0\x0f\xb1\x0f");
   CHECK_LOG("count Ge 1\ncount Ge 1\n");
   CHECK_EQ(machine_total(event), 2);
   CHECK_EQ(machine_total(EVENT_IR), 4);
}

/* test %eax,%eax; je +5, which is taken eight times: the predictor begins with
 * not taken, and learns. */
static void check_branches(UInt n_before)
{
   const MispredictionsConfig* c = &cg2_events_config.mispredictions;
   for (UInt i = 0; i < n_before; i++)
      cg2_event_add_counted("before", NULL);
   cg2_events_config.mispredictions.is_on = True;
   cg2_mispredictions_start();
   machine_start();
   machine_code(HERE, "\x85\xc0\x74\x05");
   machine_set(REG_AX, 0);
   for (UInt i = 0; i < 40; i++)
      machine_run(HERE);
   CHECK_EQ(machine_total(c->conditional.all), 40);
   CHECK_EQ(machine_total(c->indirect.all), 0);
   ULong wrong = machine_total(c->conditional.mispredicted);
   CHECK(wrong > 0 && wrong < 40);
   CHECK_EQ(machine_cell(1), wrong);
   CHECK_EQ(machine_total(EVENT_IR), 80);
}

static void test_branches(void)
{
   check_branches(0);
   CHECK_LOG("");
}

static void test_branches_without_field(void)
{
   check_branches(2 * EVENT_PAIRS_MAX);
   CHECK(strstr(machine.log, "count Bc 1\ncount Bcm 1\n") != NULL);
   CHECK(strstr(machine.log, "count Bc 1\ncount Bcm 0\n") != NULL);
}

/*--- CPUID --------------------------------------------------------------*/

/* cpuid; ret. The machine's host is told of as the oldest processor; another
 * one that is chosen answers with its own figures. Source: VEX's Core 2. */
static void test_cpuid(void)
{
   enum { ALL_CAPABILITIES = -1, CORE_2 = 0x6f6, CORE_2_BRAND = 0x20800 };
   cg2_translate_config.cpu.chosen = "ssse3";
   cg2_cpu_named("ssse3", &cg2_translate_config.cpu.cpu);
   machine_start();
   cg2_cpuidcode_rewrite(emptyIRSB(), ALL_CAPABILITIES);
   machine_code(HERE, "\x0f\xa2\xc3");
   machine_set(REG_AX, 1);
   machine_run(HERE);
   CHECK_EQ(machine_get(REG_AX), CORE_2);
   CHECK_EQ(machine_get(REG_BX), CORE_2_BRAND);
   CHECK_EQ(machine_total(EVENT_IR), 2);
}

/* Nothing is told that a host of no capabilities cannot run. */
static void test_cpuid_refused(void)
{
   IRSB* empty;
   HChar expected[CPU_TEXT];
   cg2_translate_config.cpu.chosen = "ssse3";
   cg2_cpu_named("ssse3", &cg2_translate_config.cpu.cpu);
   machine_start(); /* VEX's memory */
   empty = emptyIRSB();
   CHECK_ASSERTS(cg2_cpuidcode_rewrite(empty, 0));
   CHECK(cg2_cpuidcode_told() == NULL);
   cg2_cpu_named("baseline", &cg2_translate_config.cpu.cpu);
   cg2_cpuidcode_rewrite(empty, 0);
   cg2_cpu_describe(&cg2_translate_config.cpu.cpu, expected);
   CHECK_TEXT(cg2_cpuidcode_told(), expected);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"straight", test_straight},
      {"branch_inside", test_branch_inside},
      {"branch_outside", test_branch_outside},
      {"call", test_call},
      {"computed", test_computed},
      {"stub", test_stub},
      {"guarded", test_guarded},
      {"syscall", test_syscall},
      {"rep", test_rep},
      {"loads_and_stores", test_loads_and_stores},
      {"together", test_together},
      {"cmpxchg", test_cmpxchg},
      {"cmov", test_cmov},
      {"x87", test_x87},
      {"rep_accesses", test_rep_accesses},
      {"bus", test_bus},
      {"bus_without_field", test_bus_without_field},
      {"cpuid", test_cpuid},
      {"cpuid_refused", test_cpuid_refused},
      {"branches", test_branches},
      {"branches_without_field", test_branches_without_field},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
