#include "repeat/machinecalls.h"

#include "arch/guestmemory.h"
#include "repeat/machinefiles.h"
#include "repeat/moment.h"
#include "repeat/repeatconfig.h"

enum { MASK_BYTES = 128 }; /* of a set of processors */

/* Source: sched_setaffinity(2): the result is the size of the kernel's set. */
Bool cg2_machinecalls_sched_getaffinity(const KernelRequest* call)
{
   enum { KERNEL_BYTES = 8 };
   const UWord* args = call->kernel.args;
   UChar set[MASK_BYTES];
   UWord size = args[1] < MASK_BYTES ? args[1] : MASK_BYTES;
   VG_(memset)(set, 0, sizeof set);
   for (UInt i = 0; i < cg2_repeat_config.n_cpus; i++)
      set[i / 8] |= 1 << i % 8;
   UWord needed = (cg2_repeat_config.n_cpus + 63) / 64 * KERNEL_BYTES;
   if (size < needed || size % KERNEL_BYTES)
      return cg2_call_answer(call, -VKI_EINVAL);
   return cg2_call_hand_out(call, args[2], set, needed, needed);
}

Bool cg2_machinecalls_getcpu(const KernelRequest* call)
{
   static const UInt first;
   const UWord* args = call->kernel.args;
   cg2_call_hand_out(call, args[1], &first, sizeof first, 0);
   return cg2_call_hand_out(call, args[0], &first, sizeof first, 0);
}

Bool cg2_machinecalls_sysinfo(const KernelRequest* call)
{
   struct vki_sysinfo info;
   VG_(memset)(&info, 0, sizeof info);
   info.uptime = cg2_moment_now() / MOMENT_SECOND;
   info.totalram = MACHINEFILES_MEMORY;
   info.freeram = MACHINEFILES_MEMORY / 2;
   info.procs = 100;
   info.mem_unit = 1;
   return cg2_call_hand_out(call, call->kernel.args[0], &info, sizeof info, 0);
}

/* Source: uname(2): six texts of 65 bytes, the node's name the second. */
void cg2_machinecalls_uname(const KernelRequest* call)
{
   enum { SIZE = 65 };
   static const HChar names[3][SIZE] = {MACHINEFILES_NODE, MACHINEFILES_RELEASE,
                                        MACHINEFILES_VERSION};
   if (!cg2_call_is_done(call)) return;
   cg2_call_hand_out(call, call->kernel.args[0] + SIZE, names, sizeof names, 0);
}
