#include "repeat/limits.h"

#include "arch/guestmemory.h"
#include "pub_tool_vkiscnums.h"
#include "repeat/moment.h"
#include "repeat/processes.h"

/* Source: Valgrind's core, which exports it to no tool. */
extern Bool VG_(clo_trace_children);

#define UNLIMITED (~0ULL)
enum { KILOBYTE = 1 << 10, MEGABYTE = 1 << 20, PROCESSES = 32000 };

/* A struct rlimit. */
typedef struct Limit {
   ULong soft, hard;
} Limit;

/* Reason for a mutable file-scope object: what the process has set. By the
 * numbers of Linux's resource.h; its defaults, where it has any. */
static Limit limits[] = {
   {UNLIMITED, UNLIMITED},           /* time of the processor */
   {UNLIMITED, UNLIMITED},           /* size of a file */
   {UNLIMITED, UNLIMITED},           /* data */
   {8 * MEGABYTE, UNLIMITED},        /* stack */
   {0, UNLIMITED},                   /* core */
   {UNLIMITED, UNLIMITED},           /* resident set */
   {PROCESSES, PROCESSES},           /* processes */
   {KILOBYTE, 512 * KILOBYTE},       /* open files */
   {8 * MEGABYTE, 8 * MEGABYTE},     /* locked memory */
   {UNLIMITED, UNLIMITED},           /* address space */
   {UNLIMITED, UNLIMITED},           /* file locks */
   {PROCESSES, PROCESSES},           /* signals that wait */
   {800 * KILOBYTE, 800 * KILOBYTE}, /* queues of messages */
   {0, 0},                           /* nice */
   {0, 0},                           /* real-time priority */
   {UNLIMITED, UNLIMITED},           /* real-time time */
};
enum { PROCESSOR = 0, N_LIMITS = sizeof limits / sizeof *limits };

/* Whether the process may set it. Source: setrlimit(2). */
static Bool is_allowed(const Limit* limit, UWord resource)
{
   return limit->soft <= limit->hard && limit->hard <= limits[resource].hard;
}

static void
say(const KernelRequest* call, const Limit* limit, UWord resource, Addr to)
{
   if (to && resource < N_LIMITS && cg2_call_is_done(call))
      cg2_guestmemory_write(to, limit, sizeof *limit);
}

/* Where who has started the run may have less than the program is told of, the
 * kernel refuses what the program may set. */
static void remember(const KernelRequest* call, UWord resource, Addr from)
{
   Limit limit;
   if (!from || resource >= N_LIMITS ||
       cg2_guestmemory_read(&limit, from, sizeof limit) < sizeof limit)
      return;
   Bool is_refused = cg2_kernelcall_answered(call->tid) == -VKI_EPERM;
   if (is_refused && is_allowed(&limit, resource))
      cg2_kernelcall_answer(call->tid, 0);
   if (cg2_call_is_done(call)) limits[resource] = limit;
}

void cg2_limits_getrlimit(const KernelRequest* call)
{
   UWord resource = call->kernel.args[0];
   if (resource < N_LIMITS)
      say(call, &limits[resource], resource, call->kernel.args[1]);
}

void cg2_limits_setrlimit(const KernelRequest* call)
{
   remember(call, call->kernel.args[0], call->kernel.args[1]);
}

/* Whether a process that is named is this one; the kernel says what the limits
 * of another one are. */
static Bool is_of_own(UWord process)
{
   return !process || (UInt)process == cg2_processes_own();
}

void cg2_limits_prlimit(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   if (!is_of_own(args[0])) return;
   Limit before = args[1] < N_LIMITS ? limits[args[1]] : (Limit){0};
   remember(call, args[1], args[2]);
   say(call, &before, args[1], args[3]);
}

/*--- The processor's time -------------------------------------------------*/

/* The kernel does not hear of it: it counts real time. */
static Bool set_processor(const KernelRequest* call, Addr from, Addr old)
{
   Limit limit, before = limits[PROCESSOR];
   if (cg2_guestmemory_read(&limit, from, sizeof limit) < sizeof limit)
      return cg2_call_answer(call, -VKI_EFAULT);
   if (limit.soft > limit.hard) return cg2_call_answer(call, -VKI_EINVAL);
   if (!is_allowed(&limit, PROCESSOR)) return cg2_call_answer(call, -VKI_EPERM);
   limits[PROCESSOR] = limit;
   return cg2_call_hand_out(call, old, &before, sizeof before, 0);
}

Bool cg2_limits_set_time(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   return (UInt)args[0] == PROCESSOR && set_processor(call, args[1], 0);
}

Bool cg2_limits_set_time_of(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   return (UInt)args[1] == PROCESSOR && args[2] && is_of_own(args[0]) &&
          set_processor(call, args[2], args[3]);
}

static ULong moment_of(ULong seconds)
{
   Bool is_ever = seconds < MOMENT_NEVER / MOMENT_SECOND;
   return is_ever ? seconds * MOMENT_SECOND : MOMENT_NEVER;
}

void cg2_limits_look(Horizon* horizon)
{
   ULong due = moment_of(limits[PROCESSOR].soft);
   if (due < horizon->of_spent) horizon->of_spent = due;
}

/* Source: setrlimit(2). */
Int cg2_limits_signal(void)
{
   Limit* limit = &limits[PROCESSOR];
   ULong spent = cg2_moment_spent();
   if (spent < moment_of(limit->soft)) return 0;
   if (spent >= moment_of(limit->hard)) return VKI_SIGKILL;
   limit->soft = spent / MOMENT_SECOND + 1;
   return VKI_SIGXCPU;
}

/*--- Handing on ----------------------------------------------------------*/

/* A program that is not traced has real limits. */
HChar* cg2_limits_hand_on(HChar* text)
{
   if (!VG_(clo_trace_children)&& limits[PROCESSOR].soft != UNLIMITED)
      cg2_kernelcall_make(__NR_prlimit64, 0, PROCESSOR,
                          (UWord)&limits[PROCESSOR], 0);
   for (UInt i = 0; i < N_LIMITS; i++)
      text += VG_(sprintf)(text, ",%llu,%llu", limits[i].soft, limits[i].hard);
   return text;
}

void cg2_limits_inherit(const HChar* text)
{
   for (UInt i = 0; i < N_LIMITS && *text; i++) {
      HChar* end;
      limits[i].soft = VG_(strtoull10)(text + 1, &end);
      limits[i].hard = VG_(strtoull10)(end + 1, &end);
      text = end;
   }
}

/*--- The text ------------------------------------------------------------*/

static HChar* add_number(HChar* end, ULong number)
{
   if (number == UNLIMITED)
      return end + VG_(sprintf)(end, "%-20s ", "unlimited");
   return end + VG_(sprintf)(end, "%-20llu ", number);
}

/* Source: Linux's fs/proc/base.c. */
HChar* cg2_limits_text(void)
{
   static const HChar* const names[N_LIMITS][2] = {
      {"Max cpu time", "seconds"},     {"Max file size", "bytes"},
      {"Max data size", "bytes"},      {"Max stack size", "bytes"},
      {"Max core file size", "bytes"}, {"Max resident set", "bytes"},
      {"Max processes", "processes"},  {"Max open files", "files"},
      {"Max locked memory", "bytes"},  {"Max address space", "bytes"},
      {"Max file locks", "locks"},     {"Max pending signals", "signals"},
      {"Max msgqueue size", "bytes"},  {"Max nice priority", ""},
      {"Max realtime priority", ""},   {"Max realtime timeout", "us"},
   };
   enum { LINE = 100 };
   HChar* text = VG_(malloc)("cg2.limits", (N_LIMITS + 1) * LINE);
   HChar* end = text + VG_(sprintf)(text, "%-25s %-20s %-20s %-10s\n", "Limit",
                                    "Soft Limit", "Hard Limit", "Units");
   for (UInt i = 0; i < N_LIMITS; i++) {
      end += VG_(sprintf)(end, "%-25s ", names[i][0]);
      end = add_number(end, limits[i].soft);
      end = add_number(end, limits[i].hard);
      end += VG_(sprintf)(end, "%-10s\n", names[i][1]);
   }
   return text;
}
