#include "repeat/turns.h"

#include "arch/kernelcall.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vkiscnums.h"
#include "repeat/moment.h"
#include "repeat/others.h"
#include "repeat/realtime.h"
#include "repeat/timers.h"

/* Source: Valgrind's core, which exports them to no tool. Its states of threads
 * are an enumeration: 4 is one that lets others run. */
enum { THREAD_YIELDING = 4 };
extern void VG_(acquire_BigLock)(ThreadId tid, const HChar* who);
extern void VG_(release_BigLock)(ThreadId tid, Int state, const HChar* who);
extern Bool VG_(is_valid_tid)(ThreadId tid);
extern Bool VG_(is_exiting)(ThreadId tid);

enum { SHARE = 100000 }; /* instructions of a turn */

typedef struct Turn {
   Int bell;       /* counts how often the thread was called: a futex */
   Bool has_ended; /* the core still lists it */
   Bool is_away;   /* in the kernel, for nobody knows how long */
   Bool waits;
   Wait wait;
   ULong real_since;   /* nanoseconds of real time: when it began to wait */
   ULong looked;       /* the same: when it looked last whether it can go on */
   Bool is_asked;      /* the kernel: the thread does not run */
   ULong asleep_since; /* real time: it was seen asleep; 0: it was not */
   Int kernel_id;      /* the kernel's number of the thread */
   const void* question; /* what it asks the kernel for */
} Turn;

/* Reason for a mutable file-scope object: the threads of the process. */
static struct {
   Turn* of;             /* by Valgrind's number */
   ThreadId last;        /* the highest number that a thread has had */
   volatile ThreadId on; /* whose turn it is */
   ULong since;          /* what all had spent when it began */
   Bool is_kept;         /* it must not pass for now */
   Int leaving; /* the kernel's number of a thread that has ended; 0: of
                   none */
} turns;

/*--- The kernel ---------------------------------------------------------*/

enum { FUTEX_WAIT = 128, FUTEX_WAKE = 129 }; /* of one process */

static void ring(ThreadId tid)
{
   turns.of[tid].bell++;
   cg2_kernelcall_make(__NR_futex, (UWord)&turns.of[tid].bell, FUTEX_WAKE, 1,
                       0);
}

/* Waits until the bell has been rung since it was `heard`, or for some time. */
static void listen(ThreadId tid, Int heard)
{
   static const struct vki_timespec some = {0, 10000000};
   cg2_kernelcall_make(__NR_futex, (UWord)&turns.of[tid].bell, FUTEX_WAIT,
                       heard, (UWord)&some);
}

/* Waits until the kernel has let go of the thread that ended. */
static void see_off(void)
{
   Int process = VG_(getpid)();
   /* The first thread is there as long as the process. */
   while (turns.leaving && turns.leaving != process &&
          cg2_kernelcall_make(__NR_tgkill, process, turns.leaving, 0, 0) == 0)
      cg2_kernelcall_make(__NR_sched_yield, 0, 0, 0, 0);
   turns.leaving = 0;
}

/*--- Turns --------------------------------------------------------------*/

void cg2_turns_start(void)
{
   turns.of = VG_(calloc)("cg2.turns", VG_N_THREADS, sizeof *turns.of);
   turns.on = turns.last = 1;
}

static Bool is_there(ThreadId tid)
{
   return tid && VG_(is_valid_tid)(tid) && !turns.of[tid].has_ended;
}

/* The thread whose turn comes after that of `tid`; itself if there is no other.
 */
static ThreadId next_of(ThreadId tid)
{
   for (UInt i = 1; i <= turns.last; i++) {
      ThreadId other = (tid + i) % (turns.last + 1);
      if (is_there(other) && !turns.of[other].is_away) return other;
   }
   return tid;
}

static void give_away(ThreadId tid)
{
   turns.since = cg2_moment_spent();
   turns.on = next_of(tid);
   if (turns.on != tid) ring(turns.on);
}

/* Whether a thread waits in the kernel. On a busy machine it may also be kept
 * from running, or wait for a disk (D), which says nothing. Source: proc(5):
 * the state stands behind the name, which is in parentheses. */
static Bool is_asleep(const Turn* turn)
{
   HChar path[64], text[256];
   VG_(sprintf)(path, "/proc/self/task/%d/stat", turn->kernel_id);
   SysRes file = VG_(open)(path, VKI_O_RDONLY, 0);
   if (sr_isError(file)) return True;
   Int n = VG_(read)(sr_Res(file), text, sizeof text - 1);
   VG_(close)(sr_Res(file));
   text[n > 0 ? n : 0] = '\0';
   const HChar* state = VG_(strrchr)(text, ')');
   if (!state || state[1] == '\0') return True;
   return state[2] != 'R' && state[2] != 'D';
}

/* Whether a thread is not coming back from the kernel for some time, which a
 * call that mostly does not wait may do. One that comes back sleeps, too, until
 * the core lets it run, which others that look hold up. */
static Bool hangs(Turn* turn)
{
   enum { LONG = 500000000 };
   if (!turn->is_asked) return False;
   ULong now = cg2_realtime_now();
   if (!is_asleep(turn))
      turn->asleep_since = 0;
   else if (!turn->asleep_since)
      turn->asleep_since = now;
   return turn->asleep_since && now - turn->asleep_since > LONG;
}

/* Sees to it that somebody has the turn. */
static void check_holder(void)
{
   Turn* holder = &turns.of[turns.on];
   if (hangs(holder)) holder->is_away = True;
   if (!is_there(turns.on) || holder->is_away) give_away(turns.on);
}

static void await(ThreadId tid)
{
   while (turns.on != tid && !VG_(is_exiting)(tid)) {
      Int heard = turns.of[tid].bell;
      VG_(release_BigLock)(tid, THREAD_YIELDING, "cg2");
      if (turns.on != tid) listen(tid, heard);
      VG_(acquire_BigLock)(tid, "cg2");
      if (turns.on != tid) check_holder();
   }
   see_off();
}

void cg2_turns_create(ThreadId tid)
{
   Int bell = turns.of[tid].bell;
   turns.of[tid] = (Turn){.bell = bell};
   if (tid > turns.last) turns.last = tid;
}

void cg2_turns_begin(ThreadId tid)
{
   turns.of[tid].kernel_id = VG_(gettid)();
   await(tid);
}

void cg2_turns_end(ThreadId tid)
{
   turns.of[tid].has_ended = True;
   if (turns.on != tid) return;
   turns.leaving = VG_(gettid)();
   give_away(tid);
}

void cg2_turns_forked(ThreadId tid)
{
   VG_(memset)(turns.of, 0, VG_N_THREADS * sizeof *turns.of);
   turns.of[tid].kernel_id = VG_(gettid)();
   turns.on = tid;
   turns.since = cg2_moment_spent();
   turns.leaving = 0;
}

Bool cg2_turns_is_alone(ThreadId tid)
{
   for (ThreadId other = 1; other <= turns.last; other++)
      if (other != tid && is_there(other)) return False;
   return True;
}

void cg2_turns_pass(ThreadId tid)
{
   if (turns.on == tid) give_away(tid);
   await(tid);
}

void cg2_turns_share(ThreadId tid)
{
   if (turns.is_kept) return;
   if (turns.on != tid || cg2_moment_spent() - turns.since > SHARE)
      cg2_turns_pass(tid);
}

void cg2_turns_keep(Bool is_kept)
{
   turns.is_kept = is_kept;
}

/*--- Waiting ------------------------------------------------------------*/

/* What all threads together wait for, if all do; timers are waited for, too. */
typedef struct Outlook {
   Bool can_any_go;   /* some thread does not wait */
   WaitSource source; /* where something may come from */
   ULong first;       /* whose time comes first; MOMENT_NEVER: no time does */
   ULong real_since;  /* since when all wait */
   ULong looked;      /* all have looked since then */
} Outlook;

static void look_at(Outlook* outlook, const Turn* turn)
{
   if (turn->is_away) {
      outlook->source = FROM_OUTSIDE;
      return;
   }
   outlook->can_any_go |= !turn->waits;
   if (turn->wait.source > outlook->source) outlook->source = turn->wait.source;
   if (turn->wait.until < outlook->first) outlook->first = turn->wait.until;
   if (turn->real_since > outlook->real_since)
      outlook->real_since = turn->real_since;
   if (turn->looked < outlook->looked) outlook->looked = turn->looked;
}

static Outlook look_out(void)
{
   Outlook outlook = {.first = cg2_timers_next(), .looked = MOMENT_NEVER};
   for (ThreadId tid = 1; tid <= turns.last; tid++)
      if (is_there(tid)) look_at(&outlook, &turns.of[tid]);
   return outlook;
}

/* Whether the time may go on to what comes first. */
static Bool can_go_on(const Outlook* outlook)
{
   if (outlook->can_any_go || outlook->first == MOMENT_NEVER) return False;
   if (outlook->source == FROM_PROCESS) return True;
   if (outlook->source == FROM_RUN)
      return cg2_others_have_reached(outlook->first);
   ULong left = outlook->first - cg2_moment_now();
   return cg2_realtime_now() - outlook->real_since >= left;
}

/* Nobody can go on: says so, unless that may change as nobody knows, and lets
 * other processes do something. */
static void rest(const Outlook* outlook)
{
   if (outlook->source == FROM_RUN)
      cg2_others_rest(outlook->first, outlook->looked);
   else if (outlook->source == FROM_OUTSIDE || outlook->first == MOMENT_NEVER)
      cg2_realtime_nap(1);
}

/* A timer has come: who waits looks whether that is what he waits for, before
 * the time goes on. */
static void have_all_look(void)
{
   for (ThreadId tid = 1; tid <= turns.last; tid++)
      turns.of[tid].waits = False;
}

Bool cg2_turns_wait(ThreadId tid, Wait wait)
{
   Turn* turn = &turns.of[tid];
   if (!turn->waits) turn->looked = 0;
   if (!turn->waits) turn->real_since = cg2_realtime_now();
   turn->waits = True;
   turn->wait = wait;
   Outlook outlook = look_out();
   Bool is_first =
      outlook.first == wait.until || outlook.first == cg2_timers_next();
   if (is_first && can_go_on(&outlook)) cg2_moment_reach(outlook.first);
   if (cg2_timers_fire()) have_all_look();
   if (cg2_moment_now() >= wait.until) {
      cg2_turns_stop_waiting(tid);
      return True;
   }
   if (!outlook.can_any_go) rest(&outlook);
   cg2_turns_pass(tid);
   turn->looked = cg2_realtime_now();
   return False;
}

void cg2_turns_stop_waiting(ThreadId tid)
{
   turns.of[tid].waits = False;
   turns.of[tid].wait = (Wait){0, FROM_PROCESS};
}

ULong cg2_turns_limit(ThreadId tid)
{
   return turns.of[tid].waits ? turns.of[tid].wait.until : cg2_moment_now();
}

void cg2_turns_leave(ThreadId tid)
{
   turns.of[tid].is_away = True;
   if (turns.on == tid) give_away(tid);
}

void cg2_turns_return(ThreadId tid)
{
   turns.of[tid].is_away = False;
   await(tid);
}

void cg2_turns_enter_kernel(ThreadId tid)
{
   turns.of[tid].is_asked = True;
   turns.of[tid].asleep_since = 0;
}

void cg2_turns_leave_kernel(ThreadId tid)
{
   turns.of[tid].is_asked = False;
   if (turns.of[tid].is_away) cg2_turns_return(tid);
}

void cg2_turns_note_question(ThreadId tid, const void* question)
{
   turns.of[tid].question = question;
}

const void* cg2_turns_question(ThreadId tid)
{
   return turns.of[tid].question;
}

Bool cg2_turns_must_end(ThreadId tid)
{
   return VG_(is_exiting)(tid);
}
