#include "repeat/children.h"

#include "arch/guestmemory.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_libcsignal.h"
#include "pub_tool_vkiscnums.h"
#include "repeat/ids.h"
#include "repeat/moment.h"
#include "repeat/others.h"
#include "repeat/processes.h"
#include "repeat/signals.h"
#include "repeat/timers.h"
#include "repeat/turns.h"

/* Source: waitid(2), and Linux's wait.h and siginfo.h. */
enum { OF_ALL, OF_PROCESS, OF_GROUP, OF_FILE };
enum {
   DOES_NOT_WAIT = 1,
   HAS_STOPPED = 2,
   HAS_ENDED = 4,
   GOES_ON = 8,
   STAYS = 0x1000000,
   OF_ALL_KINDS = 0x40000000
};
enum { NO_CHILD = 10 };

typedef struct Child {
   UInt real;
   Bool is_told; /* the program may know that it has ended */
} Child;

/* Reason for a mutable file-scope object: the children of the process. */
static struct {
   Child* of;
   UInt n, room;
   ULong looked;         /* when it was looked for those that have ended */
   Bool is_signalled;    /* a signal is there */
   vki_siginfo_t signal; /* what it says */
} children;

void cg2_children_add(UInt real)
{
   if (children.n == children.room) {
      children.room = children.room ? 2 * children.room : 8;
      children.of = VG_(realloc)("cg2.children", children.of,
                                 children.room * sizeof *children.of);
   }
   children.of[children.n++] = (Child){real, False};
}

void cg2_children_forked(void)
{
   children.n = 0;
   children.is_signalled = False;
}

Bool cg2_children_any(void)
{
   return children.n > 0;
}

static void forget(UInt real)
{
   for (UInt i = children.n; i-- > 0;)
      if (children.of[i].real == real)
         children.of[i] = children.of[--children.n];
}

/*--- Ends ---------------------------------------------------------------*/

/* Asks the kernel for what has become of a child: 0, or a negative error. The
 * process in `info` is 0 where it says nothing. */
static Word ask(UInt real, UWord options, vki_siginfo_t* info)
{
   info->_sifields._kill._pid = 0;
   return cg2_kernelcall_make(__NR_waitid, OF_PROCESS, real, (UWord)info,
                              options | DOES_NOT_WAIT | STAYS | OF_ALL_KINDS);
}

static Bool look(UInt real, UWord options, vki_siginfo_t* info)
{
   return ask(real, options, info) == 0 && info->_sifields._kill._pid;
}

static Bool has_ended(UInt real)
{
   vki_siginfo_t info;
   return look(real, HAS_ENDED, &info);
}

/* The kernel knows nothing any more of children that nobody waits for. */
static void forget_lost(void)
{
   vki_siginfo_t info;
   for (UInt i = children.n; i-- > 0;)
      if (ask(children.of[i].real, HAS_ENDED, &info) == -NO_CHILD)
         children.of[i] = children.of[--children.n];
}

/* When it did. A program that the tool does not run knows no time. */
static ULong end_of(UInt real)
{
   ULong end = cg2_processes_clock(real);
   return end == MOMENT_NEVER ? cg2_moment_now() : end;
}

/* Whom a call waits for, as waitid says it. */
typedef struct Awaited {
   UWord kind;
   UInt id; /* the kernel's */
   UWord options;
} Awaited;

static const Awaited anybody = {OF_ALL, 0, HAS_ENDED};

static Bool is_awaited(const Awaited* a, UInt real)
{
   if (a->kind == OF_ALL) return True;
   if (a->kind != OF_GROUP) return real == a->id;
   UInt group = a->id ? a->id : cg2_kernelcall_make(__NR_getpgrp, 0, 0, 0, 0);
   return cg2_kernelcall_make(__NR_getpgid, real, 0, 0, 0) == group;
}

static Bool is_earlier(const Child* a, const Child* b)
{
   ULong of_a = end_of(a->real), of_b = end_of(b->real);
   if (of_a != of_b) return of_a < of_b;
   return cg2_processes_told(a->real) < cg2_processes_told(b->real);
}

/* The child that has ended first of those that are awaited and whose end was
 * told, or was not; NULL: none has. */
static Child* first_end(const Awaited* a, Bool is_told)
{
   Child* first = NULL;
   for (UInt i = 0; i < children.n; i++) {
      Child* c = &children.of[i];
      if (c->is_told == is_told && is_awaited(a, c->real) &&
          has_ended(c->real) && (!first || is_earlier(c, first)))
         first = c;
   }
   return first;
}

static void tell(Child* c)
{
   vki_siginfo_t info;
   look(c->real, HAS_ENDED, &info);
   cg2_moment_reach(end_of(c->real));
   c->is_told = True;
   if (children.is_signalled || cg2_signals_is_ignored(VKI_SIGCHLD)) return;
   children.is_signalled = True;
   children.signal = info;
   children.signal.si_signo = VKI_SIGCHLD;
}

/* The child that has ended first of those of whose end the program does not
 * know, if that was until some moment; NULL: none has. */
static Child* next_end(const Awaited* a, ULong until)
{
   Child* c = first_end(a, False);
   return c && end_of(c->real) <= until ? c : NULL;
}

/* The same, if all others have come so far: none ends earlier. */
static Child* next_to_tell(const Awaited* a, ULong until)
{
   Child* c = next_end(a, until);
   return c && cg2_others_have_reached(end_of(c->real)) ? c : NULL;
}

static Bool tell_next(const Awaited* a, ULong until)
{
   Child* c = next_to_tell(a, until);
   if (c) tell(c);
   return c != NULL;
}

/* Tells of all that have ended by now, when all others have come so far. */
static void tell_until_now(const Awaited* a)
{
   Child* c;
   ULong now = cg2_moment_now();
   while (!cg2_others_have_reached(now))
      cg2_turns_nap();
   while ((c = next_end(a, now)))
      tell(c);
}

/*--- The signal ---------------------------------------------------------*/

/* The program hears one that somebody has sent, too; not what the kernel says
 * of a child. */
static void take_kernels_signal(void)
{
   static const struct vki_timespec none = {0, 0};
   const ULong set = 1UL << (VKI_SIGCHLD - 1);
   vki_siginfo_t info;
   Word signal = cg2_kernelcall_make(__NR_rt_sigtimedwait, (UWord)&set,
                                     (UWord)&info, (UWord)&none, sizeof set);
   if (signal != VKI_SIGCHLD || info.si_code > 0 || children.is_signalled)
      return;
   children.is_signalled = True;
   children.signal = info;
}

static ULong limit(ULong until)
{
   ULong timer = cg2_timers_next();
   return until < timer ? until : timer;
}

Bool cg2_children_signal_is_there(ULong until)
{
   if (cg2_signals_is_ignored(VKI_SIGCHLD)) return False;
   take_kernels_signal();
   return children.is_signalled ||
          (children.n && next_to_tell(&anybody, limit(until)));
}

void cg2_children_tell(ULong until)
{
   if (!children.is_signalled && children.n) tell_next(&anybody, limit(until));
}

/* This takes time, as the others must have come so far. */
void cg2_children_look(void)
{
   enum { PERIOD = 1000000 };
   ULong now = cg2_moment_now();
   if (!children.n || now < children.looked + PERIOD) return;
   children.looked = now;
   if (!children.is_signalled && !cg2_signals_is_ignored(VKI_SIGCHLD))
      tell_until_now(&anybody);
}

Bool cg2_children_take_signal(const vki_sigset_t* wanted, vki_siginfo_t* info)
{
   if (!children.is_signalled || !VG_(sigismember)(wanted, VKI_SIGCHLD))
      return False;
   *info = children.signal;
   children.is_signalled = False;
   return True;
}

/*--- Waiting ------------------------------------------------------------*/

/* A child that has stopped or goes on; 0: none has. */
static UInt changed(const Awaited* a)
{
   vki_siginfo_t info;
   UWord options = a->options & (HAS_STOPPED | GOES_ON);
   if (!options) return 0;
   for (UInt i = 0; i < children.n; i++) {
      UInt real = children.of[i].real;
      if (is_awaited(a, real) && look(real, options, &info)) return real;
   }
   return 0;
}

static Bool any_awaited(const Awaited* a)
{
   forget_lost();
   for (UInt i = 0; i < children.n; i++)
      if (is_awaited(a, children.of[i].real)) return True;
   return False;
}

/* The child of which the program hears now; 0: of none yet. */
static UInt find(const Awaited* a)
{
   UInt real = changed(a);
   if (real || !(a->options & HAS_ENDED)) return real;
   if (a->options & DOES_NOT_WAIT) tell_until_now(a);
   const Child* c = first_end(a, True);
   return c ? c->real : 0;
}

/* Waits for such a child. 0: there is none (the call says whether it wants to
 * wait), or a signal has come; then `is_over`. */
static UInt wait_for(const KernelRequest* call, const Awaited* a, Bool* is_over)
{
   UInt real;
   while (!(real = find(a)) && !(a->options & DOES_NOT_WAIT) &&
          any_awaited(a)) {
      const Awaited* told = cg2_signals_is_ignored(VKI_SIGCHLD) ? a : &anybody;
      if (tell_next(told, cg2_timers_next()) && find(a)) continue;
      *is_over =
         cg2_signals_interrupt_or_repeat(call->tid, call->kernel.number);
      if (*is_over) break;
      cg2_turns_wait(call->tid, (Wait){MOMENT_NEVER, True});
   }
   cg2_turns_stop_waiting(call->tid);
   return real;
}

/* The program has its answer, and hears the signal that goes with it. */
static Bool answer(const KernelRequest* call, UInt real, Word answer)
{
   vki_siginfo_t info;
   if (real && ask(real, HAS_ENDED, &info) == -NO_CHILD) forget(real);
   cg2_call_answer(call, answer);
   cg2_signals_poll(call->tid);
   return True;
}

/* Source: wait4(2): what its first argument says. */
static Awaited awaited_by_wait4(const UWord* args)
{
   Int said = args[0];
   UWord options = args[2] | HAS_ENDED;
   if (said == -1) return (Awaited){OF_ALL, 0, options};
   UInt told = said > 0 ? said : -said;
   UInt id = told ? cg2_processes_real(told) : 0;
   return (Awaited){said > 0 ? OF_PROCESS : OF_GROUP, id, options};
}

/* Source: getrusage(2): two times and 14 words. */
static void tell_no_usage(Addr to)
{
   static const UChar nothing[18 * 8];
   if (to) cg2_guestmemory_write(to, nothing, sizeof nothing);
}

Bool cg2_children_wait4(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   Awaited a = awaited_by_wait4(args);
   Bool is_over = False;
   if (!any_awaited(&a)) return False;
   UInt real = wait_for(call, &a, &is_over);
   if (is_over) return True;
   if (!real) return answer(call, 0, a.options & DOES_NOT_WAIT ? 0 : -NO_CHILD);
   UInt told = cg2_processes_told(real);
   Word got = cg2_kernelcall_make(__NR_wait4, real, args[1],
                                  args[2] | DOES_NOT_WAIT | OF_ALL_KINDS, 0);
   tell_no_usage(args[3]);
   return answer(call, real, got > 0 ? (Word)told : got);
}

/* Source: proc(5), fdinfo of a pidfd. */
static UInt process_of_file(Int fd)
{
   static const HChar name[] = "\nPid:\t";
   HChar path[64], text[512];
   VG_(sprintf)(path, "/proc/self/fdinfo/%d", fd);
   SysRes file = VG_(open)(path, VKI_O_RDONLY, 0);
   if (sr_isError(file)) return 0;
   Int n = VG_(read)(sr_Res(file), text, sizeof text - 1);
   VG_(close)(sr_Res(file));
   text[n > 0 ? n : 0] = '\0';
   const HChar* line = VG_(strstr)(text, name);
   return line ? VG_(strtoll10)(line + sizeof name - 1, NULL) : 0;
}

static Awaited awaited_by_waitid(const UWord* args)
{
   UInt id = args[1];
   if (args[0] == OF_FILE)
      return (Awaited){OF_PROCESS, process_of_file(id), args[3]};
   Bool is_told = args[0] == OF_PROCESS || args[0] == OF_GROUP;
   return (Awaited){args[0], is_told && id ? cg2_processes_real(id) : id,
                    args[3]};
}

/* Source: waitid(2): where nothing has happened, the kernel writes a process 0.
 */
static Word tell_info(const UWord* args, UInt real, const Awaited* a)
{
   vki_siginfo_t info;
   VG_(memset)(&info, 0, sizeof info);
   Word error = 0;
   if (real)
      error = cg2_kernelcall_make(__NR_waitid, OF_PROCESS, real, (UWord)&info,
                                  a->options | DOES_NOT_WAIT | OF_ALL_KINDS);
   if (error) return error;
   if (real) cg2_ids_tell_signal(&info);
   if (args[2] && !cg2_guestmemory_write(args[2], &info, sizeof info))
      return -VKI_EFAULT;
   return 0;
}

Bool cg2_children_waitid(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   Awaited a = awaited_by_waitid(args);
   Bool is_over = False;
   if (!any_awaited(&a)) return False;
   UInt real = wait_for(call, &a, &is_over);
   if (is_over) return True;
   if (!real && !(a.options & DOES_NOT_WAIT)) return answer(call, 0, -NO_CHILD);
   tell_no_usage(args[4]);
   return answer(call, real, tell_info(args, real, &a));
}
