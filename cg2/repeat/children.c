#include "repeat/children.h"

#include "pub_tool_libcsignal.h"
#include "pub_tool_vkiscnums.h"
#include "repeat/moment.h"
#include "repeat/others.h"
#include "repeat/processes.h"
#include "repeat/timers.h"
#include "repeat/turns.h"

typedef struct Child {
   UInt real;
   Bool is_told; /* the program may know that it has ended */
   ULong spent;  /* by then, with its own children */
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
   children.of[children.n++] = (Child){real, False, 0};
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
   c->spent = cg2_processes_spent(c->real);
   if (children.is_signalled || cg2_call_ignores(VKI_SIGCHLD)) return;
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

/* The same, if all others have come so far: none ends earlier. One may have
 * ended so since it was looked. */
static Child* next_to_tell(const Awaited* a, ULong until)
{
   Child* c = next_end(a, until);
   if (!c || !cg2_others_have_reached(end_of(c->real))) return NULL;
   return next_end(a, until);
}

Bool cg2_children_tell_next(const Awaited* a, ULong until)
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
      cg2_others_nap();
   while ((c = next_end(a, now)))
      tell(c);
}

/*--- The signal ---------------------------------------------------------*/

/* Takes the kernel's. False: it has none. */
static Bool take_from_kernel(vki_siginfo_t* info)
{
   static const struct vki_timespec none = {0, 0};
   const ULong set = 1UL << (VKI_SIGCHLD - 1);
   return cg2_kernelcall_make(__NR_rt_sigtimedwait, (UWord)&set, (UWord)info,
                              (UWord)&none, sizeof set) == VKI_SIGCHLD;
}

void cg2_children_ignore_signal(void)
{
   vki_siginfo_t info;
   take_from_kernel(&info);
}

/* The program hears one that somebody has sent, too; not what the kernel says
 * of a child. */
static void take_kernels_signal(void)
{
   vki_siginfo_t info;
   if (!take_from_kernel(&info) || info.si_code > 0 || children.is_signalled)
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
   if (cg2_call_ignores(VKI_SIGCHLD)) return False;
   take_kernels_signal();
   return children.is_signalled ||
          (until && children.n && next_to_tell(&anybody, limit(until)));
}

void cg2_children_tell(ULong until)
{
   if (until && !children.is_signalled && children.n)
      cg2_children_tell_next(&anybody, limit(until));
}

void cg2_children_catch_up(void)
{
   if (children.n && !children.is_signalled && !cg2_call_ignores(VKI_SIGCHLD))
      tell_until_now(&anybody);
}

/* Waits in real time until the others have come so far. */
void cg2_children_look(void)
{
   enum { PERIOD = 1000000 };
   ULong now = cg2_moment_now();
   if (!children.n || now < children.looked + PERIOD) return;
   children.looked = now;
   cg2_children_catch_up();
}

Bool cg2_children_take_signal(const vki_sigset_t* wanted, vki_siginfo_t* info)
{
   if (!children.is_signalled || !cg2_call_has_signal(wanted, VKI_SIGCHLD))
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

Bool cg2_children_any_awaited(const Awaited* a)
{
   forget_lost();
   for (UInt i = 0; i < children.n; i++)
      if (is_awaited(a, children.of[i].real)) return True;
   return False;
}

/* The child of which the program hears now; 0: of none yet. */
UInt cg2_children_find(const Awaited* a)
{
   UInt real = changed(a);
   if (real || !(a->options & HAS_ENDED)) return real;
   if (a->options & DOES_NOT_WAIT) tell_until_now(a);
   const Child* c = first_end(a, True);
   return c ? c->real : 0;
}

ULong cg2_children_spent_by(UInt real)
{
   for (UInt i = 0; i < children.n; i++)
      if (children.of[i].real == real) return children.of[i].spent;
   return 0;
}

/* The kernel may still have it, where the call has left it there. */
void cg2_children_waited(UInt real)
{
   vki_siginfo_t info;
   if (ask(real, HAS_ENDED, &info) != -NO_CHILD) return;
   cg2_moment_add_child(cg2_children_spent_by(real));
   forget(real);
}
