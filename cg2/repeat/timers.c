#include "repeat/timers.h"

#include "arch/guestmemory.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"
#include "pub_tool_vkiscnums.h"
#include "repeat/countdown.h"
#include "repeat/limits.h"
#include "repeat/moment.h"
#include "repeat/posixtimers.h"
#include "repeat/timerfds.h"
#include "translate/translateconfig.h"

/* Source: setitimer(2): by their numbers. The first counts all time, the others
 * that which threads spend. */
enum { TIMER_REAL, TIMER_VIRTUAL, TIMER_PROFILE, TIMERS };

/* Reason for a mutable file-scope object: the timers of the process. */
static struct {
   Countdown of[TIMERS];
   Bool is_kernels; /* the first runs in the kernel, too */
} timers = {.of = {[TIMER_VIRTUAL] = {.is_of_spent = True},
                   [TIMER_PROFILE] = {.is_of_spent = True}}};

/*--- Numbers ------------------------------------------------------------*/

enum { MICROSECOND = 1000 };

/* Source: setitimer(2): struct itimerval. */
typedef struct TimerTimes {
   struct vki_timeval period, left;
} TimerTimes;

static ULong span_of(struct vki_timeval t)
{
   if ((ULong)t.tv_sec >= MOMENT_NEVER / MOMENT_SECOND) return MOMENT_NEVER;
   return t.tv_sec * (ULong)MOMENT_SECOND + t.tv_usec * (ULong)MICROSECOND;
}

static struct vki_timeval timeval_of(ULong span)
{
   return (struct vki_timeval){span / MOMENT_SECOND,
                               span % MOMENT_SECOND / MICROSECOND};
}

static Bool is_time(struct vki_timeval t)
{
   return t.tv_sec >= 0 && t.tv_usec >= 0 && t.tv_usec < 1000000;
}

/* What is left of a timer that is set, a microsecond at least. */
static ULong left_of(UInt which)
{
   ULong left = cg2_countdown_left(&timers.of[which]);
   return left && left < MICROSECOND ? MICROSECOND : left;
}

static void set(UInt which, ULong span, ULong period)
{
   Countdown* t = &timers.of[which];
   cg2_countdown_set(
      t, span ? cg2_moment_after(cg2_countdown_time(t), span) : 0, period);
}

/*--- Signals ------------------------------------------------------------*/

/* Source: Linux's siginfo.h: SI_KERNEL. */
static void send(Int signal)
{
   vki_siginfo_t info;
   VG_(memset)(&info, 0, sizeof info);
   info.si_signo = signal;
   info.si_code = 0x80;
   cg2_kernelcall_make(__NR_rt_sigqueueinfo, VG_(getpid)(), signal,
                       (UWord)&info, 0);
}

Bool cg2_timers_fire(void)
{
   static const Int signals[TIMERS] = {VKI_SIGALRM, VKI_SIGVTALRM, VKI_SIGPROF};
   Int of_limit = cg2_limits_signal();
   Bool any = of_limit != 0;
   if (of_limit) send(of_limit);
   for (UInt i = 0; i < TIMERS; i++)
      if (cg2_countdown_pass(&timers.of[i])) {
         send(signals[i]);
         any = True;
      }
   any |= cg2_posixtimers_fire();
   return cg2_timerfds_fire() || any;
}

static Horizon horizon(void)
{
   Horizon all = {MOMENT_NEVER, MOMENT_NEVER};
   for (UInt i = 0; i < TIMERS; i++)
      cg2_countdown_look(&all, &timers.of[i]);
   cg2_limits_look(&all);
   cg2_posixtimers_look(&all);
   cg2_timerfds_look(&all);
   return all;
}

ULong cg2_timers_next(void)
{
   return horizon().of_all;
}

static ULong until(ULong due, ULong now)
{
   if (due == MOMENT_NEVER) return MOMENT_NEVER;
   return due > now ? due - now : 0;
}

/* Whether instructions are counted or blocks, so many take no longer. */
UInt cg2_timers_blocks(UInt most)
{
   Horizon h = horizon();
   if (h.of_all == MOMENT_NEVER && h.of_spent == MOMENT_NEVER) return most;
   ULong left = until(h.of_all, cg2_moment_now());
   ULong left_to_spend = until(h.of_spent, cg2_moment_spent());
   if (left_to_spend < left) left = left_to_spend;
   if (cg2_translate_config.is_on) left /= VG_(clo_vex_control).guest_max_insns;
   if (left >= most) return most;
   return left ? left : 1;
}

void cg2_timers_forked(void)
{
   for (UInt i = 0; i < TIMERS; i++)
      set(i, 0, 0);
   timers.is_kernels = False;
   cg2_posixtimers_forked();
   cg2_timerfds_forked();
}

HChar* cg2_timers_hand_on(HChar* text)
{
   for (UInt i = 0; i < TIMERS; i++)
      text += VG_(sprintf)(text, ",%llu,%llu", timers.of[i].due,
                           timers.of[i].period);
   return cg2_timerfds_hand_on(text);
}

const HChar* cg2_timers_inherit(const HChar* text)
{
   for (UInt i = 0; i < TIMERS; i++) {
      HChar* end;
      timers.of[i].due = VG_(strtoull10)(text + 1, &end);
      timers.of[i].period = VG_(strtoull10)(end + 1, &end);
      text = end;
   }
   return cg2_timerfds_inherit(text);
}

/*--- The kernel's -------------------------------------------------------*/

void cg2_timers_enter_kernel(void)
{
   ULong left = left_of(TIMER_REAL);
   if (!left) return;
   TimerTimes times = {{0, 0}, timeval_of(left)};
   timers.is_kernels = True;
   cg2_kernelcall_make(__NR_setitimer, TIMER_REAL, (UWord)&times, 0, 0);
}

void cg2_timers_leave_kernel(void)
{
   static const TimerTimes none;
   TimerTimes left;
   if (!timers.is_kernels) return;
   timers.is_kernels = False;
   cg2_kernelcall_make(__NR_setitimer, TIMER_REAL, (UWord)&none, (UWord)&left,
                       0);
   if (span_of(left.left) != 0) return;
   cg2_moment_reach(timers.of[TIMER_REAL].due);
   cg2_countdown_pass(&timers.of[TIMER_REAL]);
}

/*--- Calls --------------------------------------------------------------*/

static TimerTimes times_of(UInt which)
{
   return (TimerTimes){timeval_of(timers.of[which].period),
                       timeval_of(left_of(which))};
}

/* Source: alarm(2) in Linux: seconds are rounded, but not to 0. */
Bool cg2_timers_alarm(const KernelRequest* call)
{
   ULong left = left_of(TIMER_REAL);
   ULong seconds = (left + MOMENT_SECOND / 2) / MOMENT_SECOND;
   set(TIMER_REAL, (UInt)call->kernel.args[0] * (ULong)MOMENT_SECOND, 0);
   return cg2_call_answer(call, left && !seconds ? 1 : seconds);
}

Bool cg2_timers_getitimer(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   if ((UInt)args[0] >= TIMERS) return cg2_call_answer(call, -VKI_EINVAL);
   TimerTimes times = times_of(args[0]);
   Bool is_told = cg2_guestmemory_write(args[1], &times, sizeof times);
   return cg2_call_answer(call, is_told ? 0 : -VKI_EFAULT);
}

Bool cg2_timers_setitimer(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   TimerTimes new = {{0, 0}, {0, 0}};
   if ((UInt)args[0] >= TIMERS) return cg2_call_answer(call, -VKI_EINVAL);
   TimerTimes old = times_of(args[0]);
   if (args[1] && cg2_guestmemory_read(&new, args[1], sizeof new) < sizeof new)
      return cg2_call_answer(call, -VKI_EFAULT);
   if (!is_time(new.left) || !is_time(new.period))
      return cg2_call_answer(call, -VKI_EINVAL);
   set(args[0], span_of(new.left), span_of(new.period));
   return cg2_call_hand_out(call, args[2], &old, sizeof old, 0);
}
