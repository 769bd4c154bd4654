#include "check.h"
#include "engine/collection.h"
#include "engine/threads.h"
#include "events/eventsconfig.h"
#include "events/syscalls.h"
#include "guest.h"

enum { MILLION = 1000000 };

static void start(SyscallTimes times)
{
   cg2_events_config.syscalls.times = times;
   cg2_syscalls_start();
}

static UInt column(const HChar* name)
{
   for (UInt e = 0; e < cg2_events.n; e++)
      if (VG_(strcmp)(cg2_event_name(e), name) == 0) return e;
   return EVENTS_MAX;
}

/* A function of one block of two instructions, the last a system call. */
static Block* caller_block(const HChar* name)
{
   BlockEvents events = {.n = 0};
   cg2_syscalls_note(&events, 1);
   for (UInt i = 0; i < events.n; i++)
      CHECK_EQ(events.of[i].instr, 1);
   Function* f = guest_function(guest_object("a"), name);
   return guest_block_with_events(f, 2, events.of, events.n);
}

/* The block that runs makes a system call. */
static void begin(const Block* block)
{
   cg2_now.regs.block = block;
   cg2_syscalls_begin();
}

static ULong counted(const Block* block, const HChar* name)
{
   const Context* context = guest_context(block->home, 1);
   return context->own.counts[cg2_block_slot_of(block, 1, column(name))];
}

static ULong total(const HChar* name)
{
   return cg2_threads_sums(0).total.of[column(name)];
}

static void test_off(void)
{
   BlockEvents events = {.n = 0};
   start(SYSCALLS_OFF);
   CHECK_EQ(cg2_events.n, 1);
   cg2_syscalls_note(&events, 0);
   CHECK_EQ(events.n, 0);
   cg2_syscalls_begin();
   cg2_syscalls_end(1);
}

static void test_counts(void)
{
   start(SYSCALLS_NSEC);
   CHECK_EQ(cg2_events.n, 4);
   CHECK_TEXT(cg2_event_meaning(column("sysTime")), "sysTime (elapsed ns)");
   guest_switch(1, 0x1000);
   Block* block = caller_block("f");
   guest_run(block);
   for (UInt i = 1; i <= 3; i++) {
      begin(block);
      host.clock += 100 * i;
      host.cpu_clock += 10 * i;
      cg2_syscalls_end(1);
   }
   host.clock += 5000; /* in none */
   cg2_syscalls_end(1);
   CHECK_EQ(counted(block, "sysCount"), 3);
   CHECK_EQ(counted(block, "sysTime"), 600);
   CHECK_EQ(counted(block, "sysCpuTime"), 60);
   CHECK_EQ(total("sysCount"), 3);
   CHECK_EQ(total("sysTime"), 600);
   CHECK_EQ(total("sysCpuTime"), 60);
}

/* Short calls are not lost: together they last as long as the clock says. */
static void check_unit(SyscallTimes times, const HChar* meaning, ULong unit)
{
   start(times);
   CHECK_EQ(cg2_events.n, 3);
   CHECK_TEXT(cg2_event_meaning(column("sysTime")), meaning);
   guest_switch(1, 0x1000);
   Block* block = caller_block("f");
   guest_run(block);
   for (UInt i = 0; i < 40; i++) {
      begin(block);
      host.clock += unit / 4;
      cg2_syscalls_end(1);
   }
   CHECK_EQ(counted(block, "sysTime"), 10);
}

static void test_milliseconds(void)
{
   check_unit(SYSCALLS_MSEC, "sysTime (elapsed ms)", MILLION);
}

static void test_microseconds(void)
{
   check_unit(SYSCALLS_USEC, "sysTime (elapsed us)", 1000);
}

/* While a thread is in a call, another one runs. */
static void test_threads(void)
{
   start(SYSCALLS_NSEC);
   Block *f = caller_block("f"), *g = caller_block("g");
   guest_switch(1, 0x1000);
   guest_run(f);
   begin(f);
   host.clock += 10;
   guest_switch(2, 0x2000);
   guest_run(g);
   begin(g);
   host.clock += 100;
   cg2_syscalls_end(1);
   CHECK(cg2_threads_is_running(1));
   host.clock += 1000;
   cg2_syscalls_end(2);
   CHECK_EQ(counted(f, "sysTime"), 110);
   CHECK_EQ(counted(g, "sysTime"), 1100);
   CHECK_EQ(counted(f, "sysCount"), 1);
   CHECK_EQ(counted(g, "sysCount"), 1);
   CHECK_EQ(total("sysTime"), 1210);
}

/* Neither the cell nor the sum has what was not collected. */
static void test_not_collected(void)
{
   start(SYSCALLS_NSEC);
   guest_switch(1, 0x1000);
   Block* block = caller_block("f");
   guest_run(block);
   cg2_collection_switch(False);
   begin(block);
   host.clock += 10;
   cg2_syscalls_end(1);
   cg2_collection_switch(True);
   begin(block);
   host.clock += 7;
   cg2_syscalls_end(1);
   CHECK_EQ(counted(block, "sysTime"), 7);
   CHECK_EQ(total("sysTime"), 7);
   CHECK_EQ(total("sysCount"), 1);
}

/* The child did not make the call that it returns from. */
static void test_fork(void)
{
   start(SYSCALLS_NSEC);
   guest_switch(1, 0x1000);
   Block* block = caller_block("f");
   guest_run(block);
   begin(block);
   host.clock += 10;
   cg2_threads_forked(1);
   cg2_syscalls_end(1);
   CHECK_EQ(counted(block, "sysCount"), 0);
   CHECK_EQ(total("sysTime"), 0);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"off", test_off},
      {"counts", test_counts},
      {"milliseconds", test_milliseconds},
      {"microseconds", test_microseconds},
      {"threads", test_threads},
      {"not_collected", test_not_collected},
      {"fork", test_fork},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
