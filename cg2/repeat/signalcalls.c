#include "repeat/signalcalls.h"

#include "arch/guestmemory.h"
#include "pub_tool_libcsignal.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vkiscnums.h"
#include "repeat/children.h"
#include "repeat/ids.h"
#include "repeat/moment.h"
#include "repeat/outside.h"
#include "repeat/posixtimers.h"
#include "repeat/signals.h"
#include "repeat/timecalls.h"
#include "repeat/timers.h"
#include "repeat/turns.h"

/* Whether nothing but the world outside can end a wait. */
static Bool is_idle(ThreadId tid)
{
   return cg2_turns_is_alone(tid) && cg2_timers_next() == MOMENT_NEVER &&
          !cg2_children_any();
}

/* Waits until a handler is about to run. */
static Bool until_interrupted(const KernelRequest* call)
{
   Wait wait = {MOMENT_NEVER, cg2_outside_relatives()};
   while (!cg2_signals_interrupt(call->tid, wait.until))
      cg2_turns_wait(call->tid, wait);
   cg2_turns_stop_waiting(call->tid);
   return True;
}

Bool cg2_signalcalls_pause(const KernelRequest* call)
{
   return !is_idle(call->tid) && until_interrupted(call);
}

Bool cg2_signalcalls_sigsuspend(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   ULong mask;
   if (is_idle(call->tid) || args[1] != sizeof mask ||
       cg2_guestmemory_read(&mask, args[0], sizeof mask) < sizeof mask)
      return False;
   cg2_signals_lend_mask(call->tid, mask);
   until_interrupted(call);
   cg2_signals_take_mask_back(call->tid);
   return True;
}

Bool cg2_signalcalls_sigprocmask(const KernelRequest* call)
{
   if (cg2_outside_has_relatives() &&
       cg2_signals_hears_of_children(call->tid) &&
       cg2_call_ignores(VKI_SIGCHLD))
      cg2_children_ignore_signal();
   return False;
}

/*--- sigtimedwait -------------------------------------------------------*/

static Bool is_child_heard(ULong limit)
{
   if (!cg2_children_signal_is_there(limit)) return False;
   cg2_children_tell(limit);
   return True;
}

/* Takes a signal of the set, if one is there, in a wait until a moment: its
 * number, 0, or an error. */
static Word take(const UWord* args, ULong until, ULong limit)
{
   static const struct vki_timespec none = {0, 0};
   vki_siginfo_t info;
   vki_sigset_t set = {{0}};
   cg2_guestmemory_read(&set, args[0], sizeof set);
   Bool is_of_child = cg2_call_has_signal(&set, VKI_SIGCHLD) &&
                      is_child_heard(limit) &&
                      cg2_children_take_signal(&set, &info);
   Word signal = is_of_child
                    ? VKI_SIGCHLD
                    : cg2_kernelcall_make(__NR_rt_sigtimedwait, args[0],
                                          (UWord)&info, (UWord)&none, args[3]);
   if (signal == -VKI_EAGAIN) return 0;
   if (signal > 0 && until != MOMENT_NEVER) cg2_signals_got(&info);
   if (signal <= 0 || !args[1]) return signal;
   cg2_ids_tell_signal(&info);
   Bool is_told = cg2_guestmemory_write(args[1], &info, sizeof info);
   return is_told ? signal : -VKI_EFAULT;
}

static ULong end_of(Addr timespec)
{
   if (!timespec) return MOMENT_NEVER;
   return cg2_moment_after(cg2_moment_now(), cg2_timecalls_span(timespec));
}

Bool cg2_signalcalls_sigtimedwait(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   Word error = args[2] ? cg2_timecalls_check(args[2]) : 0;
   if (error) return cg2_call_answer(call, error);
   Wait wait = {end_of(args[2]), cg2_outside_relatives()};
   if (is_idle(call->tid) && wait.until == MOMENT_NEVER) return False;
   for (;;) {
      Word signal = take(args, wait.until, cg2_turns_limit(call->tid));
      if (signal) {
         cg2_turns_stop_waiting(call->tid);
         return cg2_call_answer(call, signal);
      }
      if (cg2_signals_interrupt(call->tid, wait.until)) break;
      if (cg2_turns_wait(call->tid, wait))
         return cg2_call_answer(call, -VKI_EAGAIN);
   }
   cg2_turns_stop_waiting(call->tid);
   return True;
}

/*--- signalfd -----------------------------------------------------------*/

/* Source: signalfd(2): struct signalfd_siginfo. */
typedef struct SignalRead {
   UInt signal;
   Int error, code;
   UInt pid, uid;
   Int fd;
   UInt timer, band, overrun;
   UChar others[92];
} SignalRead;
_Static_assert(sizeof(SignalRead) == 128, "as large as the kernel's");

static void tell(SignalRead* s)
{
   vki_siginfo_t info;
   VG_(memset)(&info, 0, sizeof info);
   info.si_signo = s->signal;
   info.si_code = s->code;
   if (s->code == IDS_TIMER) {
      s->overrun = cg2_posixtimers_take(s->timer);
      return;
   }
   info._sifields._kill._pid = s->pid;
   info._sifields._kill._uid = s->uid;
   cg2_ids_tell_signal(&info);
   s->pid = info._sifields._kill._pid;
   s->uid = info._sifields._kill._uid;
}

static Bool is_signalfd(Int fd)
{
   HChar path[64], link[64];
   VG_(sprintf)(path, "/proc/self/fd/%d", fd);
   Word n = cg2_kernelcall_make(__NR_readlink, (UWord)path, (UWord)link,
                                sizeof link - 1, 0);
   link[n > 0 ? n : 0] = '\0';
   return VG_(strcmp)(link, "anon_inode:[signalfd]") == 0;
}

void cg2_signalcalls_read(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   Word n = cg2_kernelcall_answered(call->tid);
   SignalRead s;
   if (n < (Word)sizeof s || n % sizeof s || !is_signalfd(args[0])) return;
   for (Word i = 0; i < n; i += sizeof s)
      if (cg2_guestmemory_read(&s, args[1] + i, sizeof s) == sizeof s) {
         tell(&s);
         cg2_guestmemory_write(args[1] + i, &s, sizeof s);
      }
}
