#include "repeat/waitcalls.h"

#include "arch/guestmemory.h"
#include "pub_tool_vkiscnums.h"
#include "repeat/moment.h"
#include "repeat/outside.h"
#include "repeat/timecalls.h"
#include "repeat/timers.h"
#include "repeat/turns.h"

/* Source: Valgrind's core, which exports it to no tool. */
extern void VG_(poll_signals)(ThreadId tid);

enum { MICROSECOND = 1000, MILLISECOND = 1000000 };

/*--- Signals ------------------------------------------------------------*/

Bool cg2_waitcalls_is_interrupted(ThreadId tid)
{
   if (!cg2_turns_is_disturbed(tid)) return False;
   Word before = cg2_kernelcall_answered(tid);
   Addr ip = VG_(get_IP)(tid);
   cg2_kernelcall_answer(tid, -VKI_EINTR);
   if (cg2_turns_must_end(tid)) return True;
   VG_(poll_signals)(tid);
   if (VG_(get_IP)(tid) != ip || cg2_turns_must_end(tid)) return True;
   cg2_kernelcall_answer(tid, before);
   return False;
}

/*--- Time ---------------------------------------------------------------*/

static ULong later(ULong span)
{
   ULong now = cg2_moment_now();
   return span < MOMENT_NEVER - now ? now + span : MOMENT_NEVER;
}

/* Where timers of real time may fire, a process without threads has the kernel
 * wait. */
static Bool must_really_wait(ThreadId tid)
{
   return cg2_outside_has_timers() && cg2_turns_is_alone(tid);
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
   Wait wait = {until, cg2_outside_has_timers()};
   while (!cg2_waitcalls_is_interrupted(call->tid))
      if (cg2_turns_wait(call->tid, wait)) return cg2_call_answer(call, 0);
   cg2_turns_stop_waiting(call->tid);
   if (rest) write_rest(rest, until);
   return True;
}

Bool cg2_waitcalls_nanosleep(const KernelRequest* call)
{
   if (must_really_wait(call->tid)) return False;
   const UWord* args = call->kernel.args;
   return sleep_until(call, later(cg2_timecalls_span(args[0])), args[1]);
}

/* Source: clock_nanosleep(2): 1 says that the moment is that of the clock. */
Bool cg2_waitcalls_clock_nanosleep(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   Bool is_moment = args[1] & 1;
   if (must_really_wait(call->tid) && !is_moment) return False;
   ULong until = is_moment ? cg2_timecalls_moment(args[0], args[2])
                           : later(cg2_timecalls_span(args[2]));
   return sleep_until(call, until, is_moment ? 0 : args[3]);
}

Bool cg2_waitcalls_pause(const KernelRequest* call)
{
   if (cg2_timers_next() == MOMENT_NEVER || cg2_outside_has_relatives() ||
       !cg2_turns_is_alone(call->tid))
      return False;
   return sleep_until(call, MOMENT_NEVER, 0);
}

Bool cg2_waitcalls_sched_yield(const KernelRequest* call)
{
   if (cg2_turns_is_alone(call->tid)) return False;
   cg2_turns_pass(call->tid);
   return cg2_call_answer(call, 0);
}

/*--- Several files ------------------------------------------------------*/

/* A wait for files. */
typedef struct Watch {
   const KernelRequest* call;
   ULong until;
   Bool is_outside;
   Word (*ask)(
      const KernelRequest* call); /* asks the kernel, which does not wait */
   Bool is_kept;                  /* the kernel must not wait itself */
} Watch;

/* Waits until the kernel knows of a file, or the time has come. False: the
 * kernel waits itself, as something may come from outside. */
static Bool watch(const Watch* w)
{
   ThreadId tid = w->call->tid;
   for (;;) {
      Word answer = w->ask(w->call);
      if (answer || w->until <= cg2_moment_now()) {
         cg2_turns_stop_waiting(tid);
         return cg2_call_answer(w->call, answer);
      }
      Bool is_kernels = w->is_outside || w->until == MOMENT_NEVER;
      if (is_kernels && !w->is_kept && cg2_turns_is_alone(tid)) return False;
      if (cg2_waitcalls_is_interrupted(tid)) break;
      cg2_turns_wait(tid, (Wait){w->until, w->is_outside});
   }
   cg2_turns_stop_waiting(tid);
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

static Bool any_outside(Addr polled, UWord n)
{
   Polled one;
   Bool is_outside = cg2_outside_has_timers();
   for (UWord i = 0; i < n && !is_outside; i++)
      if (cg2_guestmemory_read(&one, polled + i * sizeof one, sizeof one) ==
          sizeof one)
         is_outside = one.fd >= 0 && cg2_outside_feeds(one.fd);
   return is_outside;
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
                         any_outside(args[0], args[1]), ask_poll, False});
}

void cg2_waitcalls_polled(const KernelRequest* call)
{
   waited(call, milliseconds(call->kernel.args[2]));
}

/* With a set of signals the kernel must wait itself. */
Bool cg2_waitcalls_ppoll(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   if (args[3]) return False;
   return watch(&(Watch){call, later(span_of(args[2])),
                         any_outside(args[0], args[1]), ask_poll, False});
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

static Bool any_in_sets(const KernelRequest* call)
{
   UWord size = set_size(call);
   Bool is_outside = cg2_outside_has_timers();
   for (UWord fd = 0; fd < size * 8 && !is_outside; fd++)
      for (UInt i = 1; i <= SETS; i++) {
         UChar byte = 0;
         Addr set = call->kernel.args[i];
         if (set) cg2_guestmemory_read(&byte, set + fd / 8, 1);
         if (byte >> fd % 8 & 1) is_outside |= cg2_outside_feeds(fd);
      }
   return is_outside;
}

/* No file is ready in the end: the sets are empty. */
static void clear_sets(const KernelRequest* call)
{
   static const UChar nothing[SET_MAX];
   for (UInt i = 1; i <= SETS; i++)
      if (call->kernel.args[i])
         cg2_guestmemory_write(call->kernel.args[i], nothing, set_size(call));
}

static Bool watch_sets(const KernelRequest* call, ULong span)
{
   if (call->kernel.args[0] > SET_MAX * 8) return False;
   watch(&(Watch){call, later(span), any_in_sets(call), ask_select, True});
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
   if (!watch_sets(call, span)) return False;
   ULong now = cg2_moment_now();
   if (limit) write_left(limit, until > now ? until - now : 0);
   return True;
}

Bool cg2_waitcalls_pselect(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   UWord mask[2] = {0, 0};
   if (args[5]) cg2_guestmemory_read(mask, args[5], sizeof mask);
   return !mask[0] && watch_sets(call, span_of(args[4]));
}

/*--- epoll, signals -----------------------------------------------------*/

static Word ask_epoll(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   return cg2_kernelcall_make(__NR_epoll_wait, args[0], args[1], args[2], 0);
}

Bool cg2_waitcalls_epoll_wait(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   Bool has_mask = call->kernel.number == __NR_epoll_pwait && args[4];
   if (has_mask) return False;
   return watch(&(Watch){call, later(milliseconds(args[3])),
                         cg2_outside_feeds_watched(), ask_epoll, False});
}

void cg2_waitcalls_epoll_waited(const KernelRequest* call)
{
   waited(call, milliseconds(call->kernel.args[3]));
}

void cg2_waitcalls_epoll_ctl(const KernelRequest* call)
{
   if (cg2_call_is_done(call)) cg2_outside_note_watched(call->kernel.args[2]);
}

/* Signals come from relatives, timers and other threads; without them, only the
 * time comes. */
Bool cg2_waitcalls_sigtimedwait(const KernelRequest* call)
{
   Addr limit = call->kernel.args[2];
   ThreadId tid = call->tid;
   if (!limit || !cg2_turns_is_alone(tid) || cg2_outside_has_timers() ||
       cg2_outside_has_relatives() || cg2_turns_is_disturbed(tid))
      return False;
   cg2_moment_reach(later(cg2_timecalls_span(limit)));
   return cg2_call_answer(call, -VKI_EAGAIN);
}

void cg2_waitcalls_sigtimedwaited(const KernelRequest* call)
{
   Addr limit = call->kernel.args[2];
   if (limit && cg2_kernelcall_answered(call->tid) == -VKI_EAGAIN)
      cg2_moment_reach(later(cg2_timecalls_span(limit)));
}

/*--- Single files -------------------------------------------------------*/

static Bool is_ready(Int fd, Short events)
{
   Polled one = {fd, events, 0};
   return cg2_kernelcall_make(__NR_poll, (UWord)&one, 1, 0, 0) != 0;
}

static void until_ready(ThreadId tid, Int fd, Short events)
{
   if (cg2_turns_is_alone(tid) || is_ready(fd, events)) return;
   Word flags = cg2_kernelcall_make(__NR_fcntl, fd, VKI_F_GETFL, 0, 0);
   if (flags < 0 || flags & VKI_O_NONBLOCK) return;
   Wait wait = {MOMENT_NEVER, cg2_outside_feeds(fd)};
   while (!is_ready(fd, events) && !cg2_turns_is_disturbed(tid))
      cg2_turns_wait(tid, wait);
   cg2_turns_stop_waiting(tid);
}

/* Source: poll(2): 1 is POLLIN, 4 is POLLOUT. */
void cg2_waitcalls_until_readable(ThreadId tid, Int fd)
{
   until_ready(tid, fd, 1);
}

void cg2_waitcalls_until_writable(ThreadId tid, Int fd)
{
   until_ready(tid, fd, 4);
}
