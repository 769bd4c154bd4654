#include "repeat/countdown.h"

#include "arch/guestmemory.h"
#include "repeat/moment.h"
#include "repeat/timecalls.h"

void cg2_countdown_set(Countdown* timer, ULong due, ULong period)
{
   timer->due = due;
   timer->period = period;
}

ULong cg2_countdown_time(const Countdown* timer)
{
   return timer->is_of_spent ? cg2_moment_spent() : cg2_moment_now();
}

ULong cg2_countdown_left(const Countdown* timer)
{
   ULong now = cg2_countdown_time(timer);
   if (!timer->due) return 0;
   return timer->due > now ? timer->due - now : 1;
}

ULong cg2_countdown_pass(Countdown* timer)
{
   if (!timer->due) return 0;
   ULong now = cg2_countdown_time(timer);
   if (timer->due > now) return 0;
   ULong n = timer->period ? (now - timer->due) / timer->period + 1 : 1;
   timer->due = timer->period ? timer->due + n * timer->period : 0;
   return n;
}

void cg2_countdown_look(Horizon* horizon, const Countdown* timer)
{
   ULong* first = timer->is_of_spent ? &horizon->of_spent : &horizon->of_all;
   if (timer->due && timer->due < *first) *first = timer->due;
}

/*--- What the program says ------------------------------------------------*/

/* Source: Linux's time.h: the clocks of the processor, and what else has
 * timers; those that wake the machine are root's. */
Word cg2_countdown_choose(Countdown* timer, UWord clock)
{
   enum { NOT_SUPPORTED = 95 };
   Int c = (Int)clock;
   timer->is_of_spent = c < 0 || c == 2 || c == 3;
   if (c > 11 || c == 10) return -VKI_EINVAL;
   if (c >= 4 && c <= 6) return -NOT_SUPPORTED;
   return c == 8 || c == 9 ? -VKI_EPERM : 0;
}

/* Source: timer_settime(2): struct itimerspec. */
typedef struct TimerSpans {
   struct vki_timespec period, left;
} TimerSpans;

static Bool is_time(struct vki_timespec t)
{
   return t.tv_sec >= 0 && t.tv_nsec >= 0 && t.tv_nsec < MOMENT_SECOND;
}

static struct vki_timespec timespec_of(ULong span)
{
   return (struct vki_timespec){span / MOMENT_SECOND, span % MOMENT_SECOND};
}

Word cg2_countdown_tell(const Countdown* timer, Addr to)
{
   TimerSpans times = {timespec_of(timer->period),
                       timespec_of(cg2_countdown_left(timer))};
   return cg2_guestmemory_write(to, &times, sizeof times) ? 0 : -VKI_EFAULT;
}

/* A moment that is over has come. */
static ULong
due_at(const Countdown* timer, UWord clock, Bool is_moment, Addr said)
{
   ULong span = cg2_timecalls_span(said);
   ULong moment = is_moment ? cg2_timecalls_moment(clock, said)
                            : cg2_moment_after(cg2_countdown_time(timer), span);
   if (span == 0) return 0;
   return moment ? moment : 1;
}

Word cg2_countdown_settime(
   Countdown* timer, UWord clock, Bool is_moment, Addr new, Addr old)
{
   TimerSpans times;
   if (!new) return -VKI_EINVAL;
   if (cg2_guestmemory_read(&times, new, sizeof times) < sizeof times)
      return -VKI_EFAULT;
   if (!is_time(times.period) || !is_time(times.left)) return -VKI_EINVAL;
   Countdown before = *timer;
   cg2_countdown_set(
      timer, due_at(timer, clock, is_moment, new + offsetof(TimerSpans, left)),
      cg2_timecalls_span(new));
   return old ? cg2_countdown_tell(&before, old) : 0;
}
