#include "repeat/timecalls.h"

#include "arch/guestmemory.h"
#include "repeat/moment.h"
#include "repeat/repeatconfig.h"

/* A struct timespec or timeval. */
typedef struct Seconds {
   Long whole, part;
} Seconds;

enum { MICROSECOND = 1000, TICK = 10000000 };

static Seconds seconds(ULong ns, UInt unit)
{
   return (Seconds){ns / MOMENT_SECOND, ns % MOMENT_SECOND / unit};
}

/* Source: Linux's time.h: CLOCK_REALTIME, _COARSE, _ALARM and CLOCK_TAI. */
static Bool is_calendar(UWord clock)
{
   return clock == 0 || clock == 5 || clock == 8 || clock == 11;
}

/* Source: Linux's time.h, and posix-timers.h: clocks of processes and threads.
 */
Bool cg2_timecalls_is_of_spent(UWord clock)
{
   return clock == 2 || clock == 3 || (Int)clock < 0;
}

static ULong clock_time(UWord clock)
{
   if (is_calendar(clock)) return cg2_moment_date();
   return cg2_timecalls_is_of_spent(clock) ? cg2_moment_spent()
                                           : cg2_moment_now();
}

static Bool is_clock(UWord clock)
{
   return (Int)clock < 0 || clock <= 11;
}

Bool cg2_timecalls_clock_gettime(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   Seconds now = seconds(clock_time(args[0]), 1);
   if (!is_clock(args[0])) return cg2_call_answer(call, -VKI_EINVAL);
   return cg2_call_hand_out(call, args[1], &now, sizeof now, 0);
}

Bool cg2_timecalls_clock_getres(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   Seconds least = {0, 1};
   if (!is_clock(args[0])) return cg2_call_answer(call, -VKI_EINVAL);
   return cg2_call_hand_out(call, args[1], &least, sizeof least, 0);
}

/* Source: gettimeofday(2): the kernel's time zone is UTC on Linux. */
Bool cg2_timecalls_gettimeofday(const KernelRequest* call)
{
   static const Int zone[2];
   const UWord* args = call->kernel.args;
   Seconds now = seconds(cg2_moment_date(), MICROSECOND);
   cg2_call_hand_out(call, args[1], zone, sizeof zone, 0);
   return cg2_call_hand_out(call, args[0], &now, sizeof now, 0);
}

Bool cg2_timecalls_time(const KernelRequest* call)
{
   Long now = cg2_moment_date() / MOMENT_SECOND;
   return cg2_call_hand_out(call, call->kernel.args[0], &now, sizeof now, now);
}

Bool cg2_timecalls_times(const KernelRequest* call)
{
   const Long spent[4] = {cg2_moment_spent() / TICK, 0,
                          cg2_moment_of_children() / TICK};
   return cg2_call_hand_out(call, call->kernel.args[0], spent, sizeof spent,
                            cg2_moment_now() / TICK);
}

/* Source: getrusage(2). What is not time is 0. */
typedef struct Usage {
   Seconds user, system;
   Long others[14];
} Usage;

static Usage usage(ULong spent)
{
   return (Usage){.user = seconds(spent, MICROSECOND)};
}

Bool cg2_timecalls_getrusage(const KernelRequest* call)
{
   enum { CHILDREN = -1 };
   const UWord* args = call->kernel.args;
   Usage used = usage((Int)args[0] == CHILDREN ? cg2_moment_of_children()
                                               : cg2_moment_spent());
   return cg2_call_hand_out(call, args[1], &used, sizeof used, 0);
}

void cg2_timecalls_tell_usage(Addr to, ULong spent)
{
   Usage used = usage(spent);
   if (to) cg2_guestmemory_write(to, &used, sizeof used);
}

ULong cg2_timecalls_span(Addr timespec)
{
   Seconds span;
   if (cg2_guestmemory_read(&span, timespec, sizeof span) < sizeof span ||
       span.whole < 0)
      return 0;
   if ((ULong)span.whole >= MOMENT_NEVER / MOMENT_SECOND) return MOMENT_NEVER;
   return span.whole * (ULong)MOMENT_SECOND + span.part;
}

Word cg2_timecalls_check(Addr timespec)
{
   Seconds span;
   if (cg2_guestmemory_read(&span, timespec, sizeof span) < sizeof span)
      return -VKI_EFAULT;
   Bool is_time =
      span.whole >= 0 && span.part >= 0 && span.part < MOMENT_SECOND;
   return is_time ? 0 : -VKI_EINVAL;
}

ULong cg2_timecalls_moment(UWord clock, Addr timespec)
{
   ULong said = cg2_timecalls_span(timespec);
   ULong begin = cg2_repeat_config.epoch * MOMENT_SECOND;
   if (!is_calendar(clock) || said == MOMENT_NEVER) return said;
   return said > begin ? said - begin : 0;
}
