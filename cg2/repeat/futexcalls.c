#include "repeat/futexcalls.h"

#include "arch/guestmemory.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vkiscnums.h"
#include "repeat/maps.h"
#include "repeat/moment.h"
#include "repeat/outside.h"
#include "repeat/processes.h"
#include "repeat/signals.h"
#include "repeat/timecalls.h"
#include "repeat/timers.h"
#include "repeat/turns.h"

/* Source: futex(2), and Linux's futex.h. */
enum {
   FUTEX_WAIT = 0,
   FUTEX_WAKE = 1,
   FUTEX_REQUEUE = 3,
   FUTEX_CMP_REQUEUE = 4,
   FUTEX_LOCK_PI = 6,
   FUTEX_UNLOCK_PI = 7,
   FUTEX_TRYLOCK_PI = 8,
   FUTEX_WAIT_BITSET = 9,
   FUTEX_WAKE_BITSET = 10,
   FUTEX_LOCK_PI2 = 13,
   FUTEX_OPERATION = 0x7f,
   FUTEX_PRIVATE = 0x80,
   FUTEX_CALENDAR = 0x100
};

/* What the word of a lock with an owner says: the owner's number, and these. */
#define FUTEX_OWNER      0x3fffffffU
#define FUTEX_OWNER_DIED 0x40000000U
#define FUTEX_WAITERS    0x80000000U

/* Source: asm-generic/errno.h. */
enum { DEADLOCK = 35, TIMED_OUT = 110 };

/* A thread that waits. */
typedef struct Waiter {
   Addr at; /* the futex; 0: it waits for none */
   UInt bits;
   ULong order; /* of asking */
   Bool is_woken;
} Waiter;

/* Reason for a mutable file-scope object: the threads of the process. */
static struct {
   Waiter* of; /* by Valgrind's number */
   ULong n_asked;
} waiters;

void cg2_futexcalls_start(void)
{
   waiters.of = VG_(calloc)("cg2.futex", VG_N_THREADS, sizeof *waiters.of);
}

/*--- Waking -------------------------------------------------------------*/

/* Who has waited longest for a futex; NULL: nobody waits. */
static Waiter* first_at(Addr at, UInt bits)
{
   Waiter* first = NULL;
   for (UInt t = 1; t < VG_N_THREADS; t++) {
      Waiter* w = &waiters.of[t];
      if (w->at != at || w->is_woken || !(w->bits & bits)) continue;
      if (!first || w->order < first->order) first = w;
   }
   return first;
}

/* Wakes at most `most`; how many these were. */
static Int wake(Addr at, UInt bits, Int most)
{
   Int n = 0;
   for (Waiter* w; n < most && (w = first_at(at, bits)); n++) {
      w->is_woken = True;
      cg2_turns_stop_waiting(w - waiters.of);
   }
   return n;
}

/* Has at most `most` wait for another futex; how many these were. */
static Int move(Addr at, Addr to, Int most)
{
   Int n = 0;
   for (Waiter* w; n < most && (w = first_at(at, ~0U)); n++)
      w->at = to;
   return n;
}

/*--- Waiting ------------------------------------------------------------*/

static Bool has_value(Addr at, UInt value)
{
   UInt is;
   return cg2_guestmemory_read(&is, at, sizeof is) == sizeof is && is == value;
}

/* The moment at which the thread stops to wait, as args[3] says. */
static ULong until(const UWord* args)
{
   Bool is_moment = (args[1] & FUTEX_OPERATION) == FUTEX_WAIT_BITSET;
   UWord clock = args[1] & FUTEX_CALENDAR ? 0 : 1;
   if (!args[3]) return MOMENT_NEVER;
   if (is_moment) return cg2_timecalls_moment(clock, args[3]);
   return cg2_moment_after(cg2_moment_now(), cg2_timecalls_span(args[3]));
}

/* The thread waits no longer; what the program is told has been said. */
static Bool give_up(ThreadId tid)
{
   waiters.of[tid].at = 0;
   cg2_turns_stop_waiting(tid);
   return True;
}

static Bool stop(const KernelRequest* call, Word answer)
{
   give_up(call->tid);
   return cg2_call_answer(call, answer);
}

/* Goes on until the thread is woken, or the kernel has changed the value, as it
 * does when a thread ends. */
static Bool wait(const KernelRequest* call, UInt bits)
{
   const UWord* args = call->kernel.args;
   Waiter* w = &waiters.of[call->tid];
   Wait what = {until(args), False};
   Bool is_idle =
      cg2_turns_is_alone(call->tid) && cg2_timers_next() == MOMENT_NEVER;
   if (!has_value(args[0], args[2])) return cg2_call_answer(call, -VKI_EAGAIN);
   if (is_idle && what.until == MOMENT_NEVER) return False;
   *w = (Waiter){args[0], bits, waiters.n_asked++, False};
   for (;;) {
      if (w->is_woken || !has_value(w->at, args[2])) return stop(call, 0);
      Bool is_over =
         what.until == MOMENT_NEVER
            ? cg2_signals_interrupt_or_repeat(call->tid, call->kernel.number)
            : cg2_signals_interrupt(call->tid, what.until);
      if (is_over) return give_up(call->tid);
      if (cg2_turns_wait(call->tid, what)) return stop(call, -TIMED_OUT);
   }
}

/*--- Locks with owners --------------------------------------------------*/

static UInt word_at(Addr at)
{
   UInt word = 0;
   cg2_guestmemory_read(&word, at, sizeof word);
   return word;
}

static void set_word(Addr at, UInt word)
{
   cg2_guestmemory_write(at, &word, sizeof word);
}

/* What the word says of waiting once the first of them is none any more. */
static UInt waiters_bit(Addr at)
{
   return first_at(at, ~0U) ? FUTEX_WAITERS : 0;
}

static void take(Addr at, ThreadId tid, UInt died)
{
   set_word(at, cg2_processes_number(tid) | died | waiters_bit(at));
}

/* Source: futex(2): FUTEX_LOCK_PI says a time of the calendar, FUTEX_LOCK_PI2
 * of the clock that it names. */
static ULong lock_until(const UWord* args)
{
   Bool is_calendar =
      (args[1] & FUTEX_OPERATION) == FUTEX_LOCK_PI || args[1] & FUTEX_CALENDAR;
   return args[3] ? cg2_timecalls_moment(!is_calendar, args[3]) : MOMENT_NEVER;
}

/* Who is woken has been given the lock. */
static Bool await_lock(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   Waiter* w = &waiters.of[call->tid];
   Wait what = {lock_until(args), False};
   set_word(args[0], word_at(args[0]) | FUTEX_WAITERS);
   *w = (Waiter){args[0], ~0U, waiters.n_asked++, False};
   for (;;) {
      if (w->is_woken) return stop(call, 0);
      if (cg2_signals_interrupt(call->tid, what.until))
         return give_up(call->tid);
      if (cg2_turns_wait(call->tid, what)) return stop(call, -TIMED_OUT);
   }
}

static Bool lock(const KernelRequest* call, Bool waits)
{
   Addr at = call->kernel.args[0];
   UInt word = word_at(at), owner = word & FUTEX_OWNER;
   if (owner == cg2_processes_number(call->tid))
      return cg2_call_answer(call, -DEADLOCK);
   if (owner)
      return waits ? await_lock(call) : cg2_call_answer(call, -VKI_EAGAIN);
   take(at, call->tid, word & FUTEX_OWNER_DIED);
   return cg2_call_answer(call, 0);
}

/* Gives the lock to who has waited longest. */
static void give_lock(Addr at, UInt died)
{
   Waiter* w = first_at(at, ~0U);
   set_word(at, died);
   if (!w) return;
   wake(at, ~0U, 1);
   take(at, w - waiters.of, died);
}

static Bool unlock(const KernelRequest* call)
{
   Addr at = call->kernel.args[0];
   if ((word_at(at) & FUTEX_OWNER) != cg2_processes_number(call->tid))
      return cg2_call_answer(call, -VKI_EPERM);
   give_lock(at, 0);
   return cg2_call_answer(call, 0);
}

/*--- Owners that end ----------------------------------------------------*/

/* Source: Linux's futex.h: struct robust_list_head. Bit 0 of an entry says that
 * the lock is given to who waits. */
typedef struct LocksHeld {
   Addr first;
   Long word_offset;
   Addr pending;
} LocksHeld;

static void let_go(Addr entry, Long offset, UInt owner)
{
   Addr at = (entry & ~1UL) + offset;
   UInt word = word_at(at);
   if (entry == 0 || (word & FUTEX_OWNER) != owner) return;
   if (entry & 1) {
      give_lock(at, FUTEX_OWNER_DIED);
      return;
   }
   set_word(at, (word & FUTEX_WAITERS) | FUTEX_OWNER_DIED);
   wake(at, ~0U, 1);
   cg2_kernelcall_make(__NR_futex, at, FUTEX_WAKE, 1, 0);
}

void cg2_futexcalls_end_thread(ThreadId tid)
{
   enum { MOST = 2048 }; /* of Linux */
   LocksHeld held;
   Addr head = 0;
   SizeT size;
   UInt owner = cg2_processes_number(tid);
   cg2_kernelcall_make(__NR_get_robust_list, 0, (UWord)&head, (UWord)&size, 0);
   if (!head || cg2_guestmemory_read(&held, head, sizeof held) < sizeof held)
      return;
   Addr entry = held.first;
   for (UInt i = 0; i < MOST && entry && (entry & ~1UL) != head; i++) {
      Addr next = 0;
      cg2_guestmemory_read(&next, entry & ~1UL, sizeof next);
      if (entry != held.pending) let_go(entry, held.word_offset, owner);
      entry = next;
   }
   let_go(held.pending, held.word_offset, owner);
}

/*--- All ----------------------------------------------------------------*/

static Bool requeue(const KernelRequest* call, Bool compares)
{
   const UWord* args = call->kernel.args;
   if (compares && !has_value(args[0], args[5]))
      return cg2_call_answer(call, -VKI_EAGAIN);
   Int n = wake(args[0], ~0U, args[2]);
   return cg2_call_answer(call, n + move(args[0], args[4], args[3]));
}

/* 0, or the negative error with which the kernel refuses what is asked. */
static Word check(const UWord* args)
{
   UInt operation = args[1] & FUTEX_OPERATION;
   Bool has_bits =
      operation == FUTEX_WAIT_BITSET || operation == FUTEX_WAKE_BITSET;
   if (has_bits && (UInt)args[5] == 0) return -VKI_EINVAL;
   switch (operation) {
   case FUTEX_WAIT:
   case FUTEX_WAIT_BITSET:
   case FUTEX_LOCK_PI:
   case FUTEX_LOCK_PI2:
      return args[3] ? cg2_timecalls_check(args[3]) : 0;
   default:
      return 0;
   }
}

/* Whether other processes may wait there, or wake who does. Who waits for the
 * end of a thread does not say that only the process itself does. */
static Bool is_shared(const UWord* args)
{
   return !(args[1] & FUTEX_PRIVATE) && cg2_outside_has_relatives() &&
          cg2_maps_is_shared(args[0]);
}

Bool cg2_futexcalls_futex(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   if (is_shared(args)) return False;
   Word error = check(args);
   if (error) return cg2_call_answer(call, error);
   switch (args[1] & FUTEX_OPERATION) {
   case FUTEX_WAIT:
      return wait(call, ~0U);
   case FUTEX_WAIT_BITSET:
      return wait(call, args[5]);
   case FUTEX_WAKE:
      return cg2_call_answer(call, wake(args[0], ~0U, args[2]));
   case FUTEX_WAKE_BITSET:
      return cg2_call_answer(call, wake(args[0], args[5], args[2]));
   case FUTEX_REQUEUE:
      return requeue(call, False);
   case FUTEX_CMP_REQUEUE:
      return requeue(call, True);
   case FUTEX_LOCK_PI:
   case FUTEX_LOCK_PI2:
      return lock(call, True);
   case FUTEX_TRYLOCK_PI:
      return lock(call, False);
   case FUTEX_UNLOCK_PI:
      return unlock(call);
   default:
      return False;
   }
}
