#include "events/syscalls.h"

#include "engine/threads.h"
#include "events/eventsconfig.h"

static SyscallsConfig* const config = &cg2_events_config.syscalls;

void cg2_syscalls_start(void)
{
   static const HChar* const meanings[] = {
      [SYSCALLS_MSEC] = "sysTime (elapsed ms)",
      [SYSCALLS_USEC] = "sysTime (elapsed us)",
      [SYSCALLS_NSEC] = "sysTime (elapsed ns)",
   };
   if (!config->times) return;
   config->count = cg2_event_add("sysCount", NULL);
   config->time = cg2_event_add("sysTime", meanings[config->times]);
   if (config->times == SYSCALLS_NSEC)
      config->cpu_time =
         cg2_event_add("sysCpuTime", "sysCpuTime (system cpu ns)");
}

void cg2_syscalls_note(BlockEvents* events, UInt instr)
{
   if (!config->times) return;
   cg2_block_note_event(events,
                        (BlockEvent){.instr = instr, .event = config->count});
   cg2_block_note_event(events,
                        (BlockEvent){.instr = instr, .event = config->time});
   if (config->cpu_time)
      cg2_block_note_event(
         events, (BlockEvent){.instr = instr, .event = config->cpu_time});
}

/* Source: Linux's clock numbers. */
enum { CLOCK_MONOTONIC = 1, CLOCK_THREAD_CPUTIME = 3 };

static ULong nanoseconds(Int clock)
{
   struct vki_timespec now;
   VG_(clock_gettime)(&now, clock);
   return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/* The time in the unit of sysTime. Many system calls last shorter than that:
 * what counts is how many units begin while they last. */
static ULong elapsed(void)
{
   ULong now = nanoseconds(CLOCK_MONOTONIC);
   switch (config->times) {
   case SYSCALLS_MSEC:
      return now / 1000000;
   case SYSCALLS_USEC:
      return now / 1000;
   default:
      return now;
   }
}

void cg2_syscalls_begin(void)
{
   if (!config->times) return;
   ULong start = elapsed();
   cg2_thread_begin_syscall(
      start, config->cpu_time ? nanoseconds(CLOCK_THREAD_CPUTIME) : 0);
}

static void count(const Block* block, UInt event, ULong n)
{
   cg2_thread_count(block, block->n_instrs - 1, event, n);
}

void cg2_syscalls_end(UInt tid)
{
   if (!config->times) return;
   cg2_threads_switch(tid);
   Syscall call = cg2_thread_end_syscall();
   const Block* block = call.block;
   if (!block) return;
   count(block, config->count, 1);
   count(block, config->time, elapsed() - call.start);
   if (config->cpu_time)
      count(block, config->cpu_time,
            nanoseconds(CLOCK_THREAD_CPUTIME) - call.cpu_start);
}
