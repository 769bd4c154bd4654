#include "repeat/limits.h"

#include "arch/guestmemory.h"
#include "repeat/processes.h"

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
enum { N_LIMITS = sizeof limits / sizeof *limits };

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

/* The kernel says what the limits of another process are. */
void cg2_limits_prlimit(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   if (args[0] && (UInt)args[0] != cg2_processes_own()) return;
   Limit before = args[1] < N_LIMITS ? limits[args[1]] : (Limit){0};
   remember(call, args[1], args[2]);
   say(call, &before, args[1], args[3]);
}

/*--- Handing on ----------------------------------------------------------*/

HChar* cg2_limits_hand_on(HChar* text)
{
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
