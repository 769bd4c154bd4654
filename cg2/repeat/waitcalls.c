#include "repeat/waitcalls.h"

#include "arch/guestmemory.h"
#include "pub_tool_vkiscnums.h"
#include "repeat/children.h"
#include "repeat/inputs.h"
#include "repeat/moment.h"
#include "repeat/outside.h"
#include "repeat/signals.h"
#include "repeat/timecalls.h"
#include "repeat/timers.h"
#include "repeat/turns.h"

enum { MICROSECOND = 1000, MILLISECOND = 1000000 };

/*--- Time ---------------------------------------------------------------*/

static ULong later(ULong span)
{
   return cg2_moment_after(cg2_moment_now(), span);
}

/* Source: nanosleep(2): who is woken early is told what is left. */
static void write_rest(Addr timespec, ULong until)
{
   ULong now = cg2_moment_now(), left = until > now ? until - now : 0;
   struct vki_timespec rest = {left / MOMENT_SECOND, left % MOMENT_SECOND};
   cg2_guestmemory_write(timespec, &rest, sizeof rest);
}

static Bool sleep_until(const KernelRequest* call, ULong until, Addr rest)
{
   WaitSource relatives = cg2_outside_relatives();
   Wait wait = {until, relatives == FROM_RUN ? FROM_RUN : FROM_PROCESS};
   while (!cg2_signals_interrupt(call->tid, until))
      if (cg2_turns_wait(call->tid, wait)) return cg2_call_answer(call, 0);
   cg2_turns_stop_waiting(call->tid);
   if (rest) write_rest(rest, until);
   return True;
}

Bool cg2_waitcalls_nanosleep(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   Word error = cg2_timecalls_check(args[0]);
   if (error) return cg2_call_answer(call, error);
   return sleep_until(call, later(cg2_timecalls_span(args[0])), args[1]);
}

/* Sleeps until all threads have spent so much, which others must do. */
static Bool sleep_until_spent(const KernelRequest* call, ULong spent)
{
   Bool is_over = False;
   while (cg2_moment_spent() < spent && !is_over) {
      is_over = cg2_signals_interrupt(call->tid, MOMENT_NEVER);
      if (!is_over)
         cg2_turns_wait(call->tid, (Wait){MOMENT_NEVER, FROM_PROCESS});
   }
   cg2_turns_stop_waiting(call->tid);
   return is_over || cg2_call_answer(call, 0);
}

/* Source: clock_nanosleep(2) in Linux: nobody sleeps by a clock of a thread, or
 * by one that only tells the time. */
static Word check_clock(UWord clock)
{
   enum { OF_THREAD = 3, COARSE = 6, LAST = 11, NOT_SUPPORTED = 95 };
   Int c = (Int)clock;
   if (c > LAST) return -VKI_EINVAL;
   return c >= OF_THREAD && c <= COARSE ? -NOT_SUPPORTED : 0;
}

/* Source: clock_nanosleep(2): 1 says that the moment is that of the clock. */
Bool cg2_waitcalls_clock_nanosleep(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   Bool is_moment = args[1] & 1;
   Word error = check_clock(args[0]);
   if (!error) error = cg2_timecalls_check(args[2]);
   if (error) return cg2_call_answer(call, error);
   if (cg2_timecalls_is_of_spent(args[0]))
      return sleep_until_spent(
         call, cg2_moment_after(is_moment ? 0 : cg2_moment_spent(),
                                cg2_timecalls_span(args[2])));
   ULong until = is_moment ? cg2_timecalls_moment(args[0], args[2])
                           : later(cg2_timecalls_span(args[2]));
   return sleep_until(call, until, is_moment ? 0 : args[3]);
}

Bool cg2_waitcalls_sched_yield(const KernelRequest* call)
{
   if (cg2_turns_is_alone(call->tid)) return False;
   cg2_turns_pass(call->tid);
   return cg2_call_answer(call, 0);
}

/* Whether no thread, timer or child can end a wait. */
static Bool is_idle(ThreadId tid)
{
   return cg2_turns_is_alone(tid) && cg2_timers_next() == MOMENT_NEVER &&
          !cg2_children_any();
}

/*--- Several files ------------------------------------------------------*/

/* A wait for files. */
typedef struct Watch {
   const KernelRequest* call;
   ULong until;
   WaitSource source;
   /* Asks the kernel, which does not wait. */
   Word (*ask)(const KernelRequest* call);
   UWord most;     /* files that it can say are ready */
   Bool is_kept;   /* the kernel must not wait itself */
   Bool is_masked; /* with another mask, by which a signal ends it in no time */
} Watch;

/* Whether something may come from outside alone; but the kernel would say at
 * once which file is the first of several to which others write. */
static Bool can_kernel_wait(const Watch* w)
{
   if (cg2_outside_has_relatives() && w->most > 1) return False;
   return (w->source == FROM_OUTSIDE || w->until == MOMENT_NEVER) &&
          is_idle(w->call->tid);
}

static Bool is_late(const Watch* w)
{
   return w->until <= cg2_moment_now();
}

/* What the kernel says of the files. Where it waits for them, others may be
 * about to write to more. */
static Word ask_late(const Watch* w)
{
   Word answer = w->ask(w->call);
   if (answer <= 0 || answer >= (Word)w->most || w->source == FROM_PROCESS ||
       is_late(w) || !cg2_outside_has_relatives())
      return answer;
   cg2_inputs_await_writers();
   return w->ask(w->call);
}

/* Waits until the kernel knows of a file, or the time has come. False: the
 * kernel waits itself, as something may come from outside. */
static Bool watch(const Watch* w)
{
   ThreadId tid = w->call->tid;
   for (;;) {
      /* What a child has written comes before its end. */
      Bool is_signal = cg2_signals_are_there(tid);
      Word answer = ask_late(w);
      if (answer || is_late(w)) {
         if (!answer && w->is_masked && is_signal &&
             cg2_signals_interrupt(tid, w->until))
            break;
         cg2_turns_stop_waiting(tid);
         return cg2_call_answer(w->call, answer);
      }
      if (is_signal && cg2_signals_interrupt(tid, w->until)) break;
      if (!w->is_kept && can_kernel_wait(w)) return False;
      cg2_turns_wait(tid, (Wait){w->until, w->source});
   }
   cg2_turns_stop_waiting(tid);
   return True;
}

/* A wait of epoll that has no time hears of no signal. */
static Word ask_epoll(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   return cg2_kernelcall_make(__NR_epoll_wait, args[0], args[1], args[2], 0);
}

/* The same with another mask of signals, which is at `mask`; 0: there is none.
 */
static Bool watch_masked(Watch w, Addr mask)
{
   ULong signals;
   if (!mask) return watch(&w);
   if (cg2_guestmemory_read(&signals, mask, sizeof signals) < sizeof signals)
      return cg2_call_answer(w.call, -VKI_EFAULT);
   w.is_kept = True;
   w.is_masked = w.ask != ask_epoll;
   cg2_signals_lend_mask(w.call->tid, signals);
   if (is_late(&w)) cg2_children_catch_up();
   watch(&w);
   cg2_signals_take_mask_back(w.call->tid);
   return True;
}

/* The kernel has waited for files in vain, or for one. */
static void waited(const KernelRequest* call, ULong span)
{
   if (cg2_kernelcall_answered(call->tid) == 0) cg2_moment_reach(later(span));
}

/* Source: poll(2). */
typedef struct Polled {
   Int fd;
   Short events, happened;
} Polled;

static WaitSource later_of(WaitSource a, WaitSource b)
{
   return a > b ? a : b;
}

static WaitSource source_of(Addr polled, UWord n)
{
   Polled one;
   WaitSource source = FROM_PROCESS;
   for (UWord i = 0; i < n && source != FROM_OUTSIDE; i++)
      if (cg2_guestmemory_read(&one, polled + i * sizeof one, sizeof one) ==
             sizeof one &&
          one.fd >= 0)
         source = later_of(source, cg2_outside_source(one.fd));
   return source;
}

static Word ask_poll(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   return cg2_kernelcall_make(__NR_poll, args[0], args[1], 0, 0);
}

static ULong milliseconds(UWord n)
{
   return (Int)n < 0 ? MOMENT_NEVER : (Int)n * (ULong)MILLISECOND;
}

/* The time that a struct timespec says; without one, none ends the wait. */
static ULong span_of(Addr timespec)
{
   return timespec ? cg2_timecalls_span(timespec) : MOMENT_NEVER;
}

Bool cg2_waitcalls_poll(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   return watch(&(Watch){call, later(milliseconds(args[2])),
                         source_of(args[0], args[1]), ask_poll, args[1], False,
                         False});
}

void cg2_waitcalls_polled(const KernelRequest* call)
{
   waited(call, milliseconds(call->kernel.args[2]));
}

/* Source: ppoll(2): Linux writes what is left of the time. */
static void write_time_left(Addr timespec, ULong until)
{
   if (timespec && until != MOMENT_NEVER) write_rest(timespec, until);
}

Bool cg2_waitcalls_ppoll(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   Word error = args[2] ? cg2_timecalls_check(args[2]) : 0;
   if (error) return cg2_call_answer(call, error);
   ULong until = later(span_of(args[2]));
   WaitSource source = source_of(args[0], args[1]);
   Watch w = {call, until, source, ask_poll, args[1], False, False};
   if (!watch_masked(w, args[3])) return False;
   write_time_left(args[2], until);
   return True;
}

void cg2_waitcalls_ppolled(const KernelRequest* call)
{
   waited(call, span_of(call->kernel.args[2]));
}

/*--- Sets of files ------------------------------------------------------*/

enum { SETS = 3, SET_MAX = 8192 / 8 }; /* bytes of the largest set */

static UWord set_size(const KernelRequest* call)
{
   UWord bytes = (call->kernel.args[0] + 63) / 64 * 8;
   return bytes < SET_MAX ? bytes : SET_MAX;
}

/* Asks by copies, as the kernel clears the sets where nothing has happened. */
static Word ask_select(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   UChar sets[SETS][SET_MAX];
   UWord size = set_size(call), at[SETS];
   struct vki_timeval none = {0, 0};
   for (UInt i = 0; i < SETS; i++) {
      at[i] = args[1 + i] ? (UWord)sets[i] : 0;
      if (at[i] && cg2_guestmemory_read(sets[i], args[1 + i], size) < size)
         return -VKI_EFAULT;
   }
   KernelCall ask = {__NR_select, {args[0], at[0], at[1], at[2], (UWord)&none}};
   Word answer = cg2_kernelcall_make_all(&ask);
   for (UInt i = 0; i < SETS && answer > 0; i++)
      if (at[i]) cg2_guestmemory_write(args[1 + i], sets[i], size);
   return answer;
}

/* How many files are in the sets, and where what any of them has comes from. */
static UWord look_at_sets(const KernelRequest* call, WaitSource* source)
{
   UWord size = set_size(call), n = 0;
   *source = FROM_PROCESS;
   for (UWord fd = 0; fd < size * 8; fd++)
      for (UInt i = 1; i <= SETS; i++) {
         UChar byte = 0;
         Addr set = call->kernel.args[i];
         if (set) cg2_guestmemory_read(&byte, set + fd / 8, 1);
         if (!(byte >> fd % 8 & 1)) continue;
         n++;
         if (*source != FROM_OUTSIDE)
            *source = later_of(*source, cg2_outside_source(fd));
      }
   return n;
}

/* No file is ready in the end: the sets are empty. */
static void clear_sets(const KernelRequest* call)
{
   static const UChar nothing[SET_MAX];
   for (UInt i = 1; i <= SETS; i++)
      if (call->kernel.args[i])
         cg2_guestmemory_write(call->kernel.args[i], nothing, set_size(call));
}

static Bool watch_sets(const KernelRequest* call, ULong span, Addr mask)
{
   WaitSource source;
   if (call->kernel.args[0] > SET_MAX * 8) return False;
   UWord n = look_at_sets(call, &source);
   watch_masked((Watch){call, later(span), source, ask_select, n, True, False},
                mask);
   if (cg2_kernelcall_answered(call->tid) == 0) clear_sets(call);
   return True;
}

/* The time that a struct timeval says. */
static ULong short_span(Addr timeval)
{
   struct vki_timeval t;
   if (!timeval) return MOMENT_NEVER;
   if (cg2_guestmemory_read(&t, timeval, sizeof t) < sizeof t || t.tv_sec < 0)
      return 0;
   if ((ULong)t.tv_sec >= MOMENT_NEVER / MOMENT_SECOND) return MOMENT_NEVER;
   return t.tv_sec * (ULong)MOMENT_SECOND + t.tv_usec * MICROSECOND;
}

/* Source: select(2): Linux writes what is left of the time. */
static void write_left(Addr timeval, ULong span)
{
   struct vki_timeval left = {span / MOMENT_SECOND,
                              span % MOMENT_SECOND / MICROSECOND};
   if (timeval) cg2_guestmemory_write(timeval, &left, sizeof left);
}

Bool cg2_waitcalls_select(const KernelRequest* call)
{
   Addr limit = call->kernel.args[4];
   ULong span = short_span(limit), until = later(span);
   if (!watch_sets(call, span, 0)) return False;
   ULong now = cg2_moment_now();
   if (limit) write_left(limit, until > now ? until - now : 0);
   return True;
}

/* Source: pselect(2): the last argument points to the mask's address. */
Bool cg2_waitcalls_pselect(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   Word error = args[4] ? cg2_timecalls_check(args[4]) : 0;
   if (error) return cg2_call_answer(call, error);
   ULong span = span_of(args[4]), until = later(span);
   UWord mask = 0;
   if (args[5]) cg2_guestmemory_read(&mask, args[5], sizeof mask);
   if (!watch_sets(call, span, mask)) return False;
   write_time_left(args[4], until);
   return True;
}

/*--- epoll -----------------------------------------------------*/

Bool cg2_waitcalls_epoll_wait(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   Bool has_mask = call->kernel.number == __NR_epoll_pwait;
   return watch_masked((Watch){call, later(milliseconds(args[3])),
                               cg2_outside_source_of_watched(), ask_epoll,
                               args[2], False, False},
                       has_mask ? args[4] : 0);
}

void cg2_waitcalls_epoll_waited(const KernelRequest* call)
{
   waited(call, milliseconds(call->kernel.args[3]));
}

void cg2_waitcalls_epoll_ctl(const KernelRequest* call)
{
   if (cg2_call_is_done(call)) cg2_outside_note_watched(call->kernel.args[2]);
}

/*--- Single files -------------------------------------------------------*/

static Bool is_ready(Int fd, Short events)
{
   Polled one = {fd, events, 0};
   return cg2_kernelcall_make(__NR_poll, (UWord)&one, 1, 0, 0) != 0;
}

static Bool is_waited_for(ThreadId tid, Int fd)
{
   if (is_idle(tid)) return False;
   Word flags = cg2_kernelcall_make(__NR_fcntl, fd, VKI_F_GETFL, 0, 0);
   return flags >= 0 && !(flags & VKI_O_NONBLOCK);
}

static Bool until_ready(const KernelRequest* call, Short events)
{
   ThreadId tid = call->tid;
   Int fd = call->kernel.args[0];
   Bool is_interrupted = False;
   if (is_ready(fd, events) || !is_waited_for(tid, fd)) return False;
   Wait wait = {MOMENT_NEVER, cg2_outside_source(fd)};
   while (!is_interrupted && !is_ready(fd, events)) {
      cg2_turns_wait(tid, wait);
      /* What a child has written comes before its end. */
      is_interrupted =
         cg2_signals_are_there(tid) && !is_ready(fd, events) &&
         cg2_signals_interrupt_or_repeat(tid, call->kernel.number);
   }
   cg2_turns_stop_waiting(tid);
   return is_interrupted;
}

/* Source: poll(2): 1 is POLLIN, 4 is POLLOUT. */
Bool cg2_waitcalls_until_readable(const KernelRequest* call)
{
   if (until_ready(call, 1)) return True;
   cg2_inputs_complete(call);
   return False;
}

Bool cg2_waitcalls_until_writable(const KernelRequest* call)
{
   return until_ready(call, 4);
}
