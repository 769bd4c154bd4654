#include "repeat/childcalls.h"

#include "arch/guestmemory.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_vkiscnums.h"
#include "repeat/children.h"
#include "repeat/ids.h"
#include "repeat/moment.h"
#include "repeat/outside.h"
#include "repeat/processes.h"
#include "repeat/signals.h"
#include "repeat/timecalls.h"
#include "repeat/timers.h"
#include "repeat/turns.h"

static const Awaited anybody = {OF_ALL, 0, HAS_ENDED};

/* Waits for such a child. 0: there is none (the call says whether it wants to
 * wait), or a signal has come; then `is_over`. */
static UInt wait_for(const KernelRequest* call, const Awaited* a, Bool* is_over)
{
   UInt real;
   while (!(real = cg2_children_find(a)) && !(a->options & DOES_NOT_WAIT) &&
          cg2_children_any_awaited(a)) {
      const Awaited* told = cg2_call_ignores(VKI_SIGCHLD) ? a : &anybody;
      if (cg2_children_tell_next(told, cg2_timers_next()) &&
          cg2_children_find(a))
         continue;
      *is_over = cg2_signals_interrupt_parent(call->tid, call->kernel.number);
      if (*is_over) break;
      cg2_turns_wait(call->tid, (Wait){MOMENT_NEVER, cg2_outside_relatives()});
   }
   cg2_turns_stop_waiting(call->tid);
   return real;
}

/* The program has its answer, and hears the signal that goes with it. */
static Bool answer(const KernelRequest* call, UInt real, Word answer)
{
   if (real) cg2_children_waited(real);
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

Bool cg2_childcalls_wait4(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   Awaited a = awaited_by_wait4(args);
   Bool is_over = False;
   if (!cg2_children_any_awaited(&a)) return False;
   UInt real = wait_for(call, &a, &is_over);
   if (is_over) return True;
   if (!real) return answer(call, 0, a.options & DOES_NOT_WAIT ? 0 : -NO_CHILD);
   UInt told = cg2_processes_told(real);
   Word got = cg2_kernelcall_make(__NR_wait4, real, args[1],
                                  args[2] | DOES_NOT_WAIT | OF_ALL_KINDS, 0);
   cg2_timecalls_tell_usage(args[3], cg2_children_spent_by(real));
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

Bool cg2_childcalls_waitid(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   Awaited a = awaited_by_waitid(args);
   Bool is_over = False;
   if (!cg2_children_any_awaited(&a)) return False;
   UInt real = wait_for(call, &a, &is_over);
   if (is_over) return True;
   if (!real && !(a.options & DOES_NOT_WAIT)) return answer(call, 0, -NO_CHILD);
   if (real) cg2_timecalls_tell_usage(args[4], cg2_children_spent_by(real));
   return answer(call, real, tell_info(args, real, &a));
}
