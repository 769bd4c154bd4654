#include "repeat/signals.h"

#include "arch/kernelcall.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_libcsignal.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vkiscnums.h"
#include "repeat/call.h"
#include "repeat/children.h"
#include "repeat/moment.h"
#include "repeat/outside.h"
#include "repeat/turns.h"

/* Source: Valgrind's core, which exports them to no tool. */
extern void VG_(poll_signals)(ThreadId tid);
extern void VG_(set_IP)(ThreadId tid, Addr address);
extern SysRes VG_(do_sys_sigprocmask)(ThreadId tid,
                                      Int how,
                                      vki_sigset_t* set,
                                      vki_sigset_t* old);

typedef struct Hearing {
   ULong until; /* when its wait in a call ends; 0: it is in none */
   Bool is_lent;
   vki_sigset_t own, lent; /* masks, where one is lent */
   Bool can_repeat;        /* the call that waits */
   Bool awaits_children;   /* it says who has ended */
   UWord number;           /* its number */
} Hearing;

/* Reason for a mutable file-scope object: the threads of the process. */
static Hearing* hearings; /* by Valgrind's number */

void cg2_signals_start(void)
{
   hearings = VG_(calloc)("cg2.signals", VG_N_THREADS, sizeof *hearings);
}

/*--- What is there ------------------------------------------------------*/

static ULong mask_of(ThreadId tid)
{
   vki_sigset_t mask;
   VG_(do_sys_sigprocmask)(tid, VKI_SIG_BLOCK, NULL, &mask);
   return mask.sig[0];
}

Bool cg2_signals_hears_of_children(ThreadId tid)
{
   return !(mask_of(tid) >> (VKI_SIGCHLD - 1) & 1);
}

/* Until when children may have ended of whose end the thread hears now. */
static ULong limit_of(ThreadId tid)
{
   return hearings[tid].awaits_children ? 0 : cg2_turns_limit(tid);
}

/* Source: Linux's rt_sigpending(2): what is there of signals that are blocked,
 * as all are while a thread is not in a call of the program. */
Bool cg2_signals_are_there(ThreadId tid)
{
   const ULong of_children = 1UL << (VKI_SIGCHLD - 1);
   ULong pending = 0;
   if (cg2_turns_must_end(tid)) return True;
   cg2_kernelcall_make(__NR_rt_sigpending, (UWord)&pending, sizeof pending, 0,
                       0);
   pending &= ~mask_of(tid) & ~of_children;
   if (cg2_signals_hears_of_children(tid) &&
       cg2_children_signal_is_there(limit_of(tid)))
      return True;
   for (Int signal = 1; pending; signal++, pending >>= 1)
      if (pending & 1 && !cg2_call_ignores(signal)) return True;
   return False;
}

Bool cg2_signals_interrupt(ThreadId tid, ULong until)
{
   if (!cg2_signals_are_there(tid)) return False;
   if (cg2_signals_hears_of_children(tid)) cg2_children_tell(limit_of(tid));
   Word before = cg2_kernelcall_answered(tid);
   Addr ip = VG_(get_IP)(tid);
   cg2_kernelcall_answer(tid, -VKI_EINTR);
   if (cg2_turns_must_end(tid)) return True;
   hearings[tid].until = until;
   VG_(poll_signals)(tid);
   hearings[tid].until = 0;
   if (VG_(get_IP)(tid) != ip || cg2_turns_must_end(tid)) return True;
   cg2_kernelcall_answer(tid, before);
   return False;
}

Bool cg2_signals_interrupt_or_repeat(ThreadId tid, UWord number)
{
   hearings[tid].can_repeat = True;
   hearings[tid].number = number;
   Bool is_over = cg2_signals_interrupt(tid, MOMENT_NEVER);
   hearings[tid].can_repeat = False;
   return is_over;
}

Bool cg2_signals_interrupt_parent(ThreadId tid, UWord number)
{
   hearings[tid].awaits_children = True;
   Bool is_over = cg2_signals_interrupt_or_repeat(tid, number);
   hearings[tid].awaits_children = False;
   return is_over;
}

/* Puts the thread back to before its call, whose instruction has two bytes. */
static void repeat_call(ThreadId tid)
{
   enum { SYSCALL = 2 };
   cg2_kernelcall_answer(tid, hearings[tid].number);
   VG_(set_IP)(tid, VG_(get_IP)(tid) - SYSCALL);
}

void cg2_signals_poll(ThreadId tid)
{
   if (!cg2_turns_must_end(tid)) VG_(poll_signals)(tid);
}

/* Source: sigaction(2): what is sent by a call. */
void cg2_signals_got(const vki_siginfo_t* info)
{
   enum { USER = 0, QUEUE = -1, THREAD = -6 };
   Int code = info->si_code;
   Bool is_sent = code == USER || code == QUEUE || code == THREAD;
   if (is_sent && info->_sifields._kill._pid != VG_(getpid)())
      cg2_outside_note(OUTSIDE_SIGNALS);
}

void cg2_signals_took(const vki_siginfo_t* info)
{
   ThreadId tid = VG_(get_running_tid)();
   if (hearings[tid].until != MOMENT_NEVER) cg2_signals_got(info);
}

/*--- Masks --------------------------------------------------------------*/

static void set_mask(ThreadId tid, vki_sigset_t* mask, vki_sigset_t* old)
{
   VG_(do_sys_sigprocmask)(tid, VKI_SIG_SETMASK, mask, old);
}

void cg2_signals_lend_mask(ThreadId tid, ULong mask)
{
   hearings[tid].is_lent = True;
   hearings[tid].lent.sig[0] = mask;
   set_mask(tid, &hearings[tid].lent, &hearings[tid].own);
}

void cg2_signals_take_mask_back(ThreadId tid)
{
   if (hearings[tid].is_lent) set_mask(tid, &hearings[tid].own, NULL);
   hearings[tid].is_lent = False;
}

void cg2_signals_before_frame(ThreadId tid, UInt handler_flags)
{
   if (hearings[tid].can_repeat && handler_flags & VKI_SA_RESTART)
      repeat_call(tid);
   if (hearings[tid].is_lent) set_mask(tid, &hearings[tid].own, NULL);
}

/* The handler begins with the mask that was lent, and what it asks for. */
void cg2_signals_after_frame(ThreadId tid)
{
   if (hearings[tid].is_lent) set_mask(tid, &hearings[tid].lent, NULL);
   hearings[tid].is_lent = False;
}
