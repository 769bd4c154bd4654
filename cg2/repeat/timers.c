#include "repeat/timers.h"

#include "arch/guestmemory.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vkiscnums.h"
#include "repeat/moment.h"

/* Source: setitimer(2): by their numbers. The first counts all time, the others
 * that which threads spend. */
enum { TIMER_REAL, TIMER_VIRTUAL, TIMER_PROFILE, TIMERS };

typedef struct Timer {
   ULong due; /* 0: it is not set */
   ULong period;
} Timer;

/* Reason for a mutable file-scope object: the timers of the process. */
static struct {
   Timer of[TIMERS];
   Bool is_kernels; /* the first runs in the kernel, too */
} timers;

/*--- Numbers ------------------------------------------------------------*/

enum { MICROSECOND = 1000 };

/* Source: setitimer(2): struct itimerval. */
typedef struct TimerTimes {
   struct vki_timeval period, left;
} TimerTimes;

static ULong span_of(struct vki_timeval t)
{
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

static ULong time_of(UInt which)
{
   return which == TIMER_REAL ? cg2_moment_now() : cg2_moment_spent();
}

/* What is left of a timer that is set, a microsecond at least. */
static ULong left_of(UInt which)
{
   const Timer* t = &timers.of[which];
   ULong now = time_of(which);
   if (!t->due) return 0;
   return t->due > now + MICROSECOND ? t->due - now : MICROSECOND;
}

static void set(UInt which, ULong span, ULong period)
{
   timers.of[which] = (Timer){span ? time_of(which) + span : 0, period};
}

/*--- Signals ------------------------------------------------------------*/

/* Sets the timer to its next time, behind now. */
static void go_on(UInt which)
{
   Timer* t = &timers.of[which];
   ULong now = time_of(which);
   if (t->period == 0)
      t->due = 0;
   else
      t->due += (now - t->due) / t->period * t->period + t->period;
}

/* Source: Linux's siginfo.h: SI_KERNEL. */
static void send(UInt which)
{
   static const Int signals[TIMERS] = {VKI_SIGALRM, VKI_SIGVTALRM, VKI_SIGPROF};
   vki_siginfo_t info;
   VG_(memset)(&info, 0, sizeof info);
   info.si_signo = signals[which];
   info.si_code = 0x80;
   cg2_kernelcall_make(__NR_rt_sigqueueinfo, VG_(getpid)(), signals[which],
                       (UWord)&info, 0);
}

void cg2_timers_fire(void)
{
   for (UInt i = 0; i < TIMERS; i++)
      if (timers.of[i].due && time_of(i) >= timers.of[i].due) {
         send(i);
         go_on(i);
      }
}

ULong cg2_timers_next(void)
{
   ULong due = timers.of[TIMER_REAL].due;
   return due ? due : MOMENT_NEVER;
}

void cg2_timers_forked(void)
{
   VG_(memset)(&timers, 0, sizeof timers);
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
   go_on(TIMER_REAL);
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
