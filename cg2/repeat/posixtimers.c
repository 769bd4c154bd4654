#include "repeat/posixtimers.h"

#include "arch/guestmemory.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vkiscnums.h"
#include "repeat/processes.h"

/* Source: timer_create(2), and Linux's siginfo.h. */
enum { NOTIFY_SIGNAL, NOTIFY_NONE, NOTIFY_THREAD, NOTIFY_THREAD_ID = 4 };
enum { IS_MOMENT = 1, LAST_SIGNAL = 64, CODE_TIMER = -2 };

typedef struct PosixTimer {
   Int id;
   UWord clock;
   Countdown countdown;
   Int signal;   /* 0: it sends none */
   Int receiver; /* the kernel's number of a thread; 0: the process */
   ULong value;  /* what the signal carries */
   Bool is_sent; /* the program has not been told yet */
   ULong n_more; /* how often it came since */
   Int overrun;  /* the same, when the program was told last */
} PosixTimer;

/* Reason for a mutable file-scope object: the timers of the process. */
static struct {
   PosixTimer* of;
   UInt n, room;
   Int next; /* number */
} timers;

static PosixTimer* find(UWord id)
{
   for (UInt i = 0; i < timers.n; i++)
      if (timers.of[i].id == (Int)id) return &timers.of[i];
   return NULL;
}

/*--- Making -------------------------------------------------------------*/

/* Source: sigevent(7). */
typedef struct Notice {
   ULong value;
   Int signal, how, thread;
} Notice;

static PosixTimer* add(void)
{
   if (timers.n == timers.room) {
      timers.room = timers.room ? 2 * timers.room : 8;
      timers.of = VG_(realloc)("cg2.posixtimers", timers.of,
                               timers.room * sizeof *timers.of);
   }
   return &timers.of[timers.n++];
}

/* Whether the process has a thread of the kernel's number. */
static Bool is_thread(UInt id)
{
   return cg2_kernelcall_make(__NR_tgkill, VG_(getpid)(), id, 0, 0) == 0;
}

/* Fills in whom the timer tells, and how. False: nobody can be told so. */
static Bool choose_notice(PosixTimer* t, const Notice* n)
{
   t->value = n->value;
   t->signal = n->how == NOTIFY_NONE ? 0 : n->signal;
   if (n->how == NOTIFY_NONE) return True;
   if (n->signal < 1 || n->signal > LAST_SIGNAL) return False;
   if (n->how == NOTIFY_SIGNAL || n->how == NOTIFY_THREAD) return True;
   t->receiver = cg2_processes_real(n->thread);
   return n->how == NOTIFY_THREAD_ID && is_thread(t->receiver);
}

Bool cg2_posixtimers_create(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   PosixTimer new = {.id = timers.next, .clock = args[0]};
   Notice notice = {new.id, VKI_SIGALRM, NOTIFY_SIGNAL, 0};
   Word error = cg2_countdown_choose(&new.countdown, args[0]);
   if (error) return cg2_call_answer(call, error);
   if (args[1] && cg2_guestmemory_read(&notice, args[1], sizeof notice) <
                     offsetof(Notice, thread) + sizeof notice.thread)
      return cg2_call_answer(call, -VKI_EFAULT);
   if (!choose_notice(&new, &notice)) return cg2_call_answer(call, -VKI_EINVAL);
   if (!cg2_guestmemory_write(args[2], &new.id, sizeof new.id))
      return cg2_call_answer(call, -VKI_EFAULT);
   *add() = new;
   timers.next++;
   return cg2_call_answer(call, 0);
}

Bool cg2_posixtimers_delete(const KernelRequest* call)
{
   PosixTimer* t = find(call->kernel.args[0]);
   if (!t) return cg2_call_answer(call, -VKI_EINVAL);
   *t = timers.of[--timers.n];
   return cg2_call_answer(call, 0);
}

/*--- Asking -------------------------------------------------------------*/

Bool cg2_posixtimers_settime(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   PosixTimer* t = find(args[0]);
   if (!t) return cg2_call_answer(call, -VKI_EINVAL);
   Word error = cg2_countdown_settime(&t->countdown, t->clock,
                                      args[1] & IS_MOMENT, args[2], args[3]);
   t->n_more = 0;
   t->overrun = 0;
   return cg2_call_answer(call, error);
}

Bool cg2_posixtimers_gettime(const KernelRequest* call)
{
   PosixTimer* t = find(call->kernel.args[0]);
   if (!t) return cg2_call_answer(call, -VKI_EINVAL);
   if (!t->signal) cg2_countdown_pass(&t->countdown);
   return cg2_call_answer(
      call, cg2_countdown_tell(&t->countdown, call->kernel.args[1]));
}

Bool cg2_posixtimers_getoverrun(const KernelRequest* call)
{
   const PosixTimer* t = find(call->kernel.args[0]);
   return cg2_call_answer(call, t ? t->overrun : -VKI_EINVAL);
}

/*--- Sending ------------------------------------------------------------*/

/* Whether the signal that was sent still waits for a thread to hear it. Where
 * the program ignores it, it does not. Source: proc(5). */
static Bool is_waiting(const PosixTimer* t)
{
   HChar path[64], text[2048];
   VG_(sprintf)(path, "/proc/self/task/%d/status",
                t->receiver ? t->receiver : VG_(gettid)());
   SysRes file = VG_(open)(path, VKI_O_RDONLY, 0);
   if (sr_isError(file)) return False;
   Int n = VG_(read)(sr_Res(file), text, sizeof text - 1);
   VG_(close)(sr_Res(file));
   text[n > 0 ? n : 0] = '\0';
   const HChar* name = t->receiver ? "\nSigPnd:\t" : "\nShdPnd:\t";
   const HChar* line = VG_(strstr)(text, name);
   HChar* end;
   if (!line) return False;
   ULong pending = VG_(strtoull16)(line + VG_(strlen)(name), &end);
   return pending >> (t->signal - 1) & 1;
}

static void send(PosixTimer* t)
{
   vki_siginfo_t info;
   VG_(memset)(&info, 0, sizeof info);
   info.si_signo = t->signal;
   info.si_code = CODE_TIMER;
   info._sifields._timer._tid = t->id;
   info._sifields._timer._sigval.sival_ptr = (void*)t->value;
   t->is_sent = True;
   if (t->receiver)
      cg2_kernelcall_make(__NR_rt_tgsigqueueinfo, VG_(getpid)(), t->receiver,
                          t->signal, (UWord)&info);
   else
      cg2_kernelcall_make(__NR_rt_sigqueueinfo, VG_(getpid)(), t->signal,
                          (UWord)&info, 0);
}

static Bool fire(PosixTimer* t)
{
   ULong n = cg2_countdown_pass(&t->countdown);
   if (!n) return False;
   Bool waits = t->is_sent && is_waiting(t);
   t->n_more = waits ? t->n_more + n : n - 1;
   if (!waits) send(t);
   return True;
}

Bool cg2_posixtimers_fire(void)
{
   Bool any = False;
   for (UInt i = 0; i < timers.n; i++)
      if (timers.of[i].signal) any |= fire(&timers.of[i]);
   return any;
}

/* Source: timer_getoverrun(2) in Linux: the number stays at the largest. */
Int cg2_posixtimers_take(Int id)
{
   enum { MOST = 0x7fffffff };
   PosixTimer* t = find(id);
   if (!t) return 0;
   t->overrun = t->n_more < MOST ? t->n_more : MOST;
   t->n_more = 0;
   t->is_sent = False;
   return t->overrun;
}

void cg2_posixtimers_look(Horizon* horizon)
{
   for (UInt i = 0; i < timers.n; i++)
      if (timers.of[i].signal)
         cg2_countdown_look(horizon, &timers.of[i].countdown);
}

void cg2_posixtimers_forked(void)
{
   timers.n = 0;
   timers.next = 0;
}
