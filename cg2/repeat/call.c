#include "repeat/call.h"

#include "arch/guestmemory.h"
#include "pub_tool_vkiscnums.h"

/* Source: Valgrind's core, which exports them to no tool. */
extern Int VG_(sigismember)(const vki_sigset_t* set, Int signal);
extern SysRes VG_(do_sys_sigaction)(Int signal,
                                    const vki_sigaction_toK_t* action,
                                    vki_sigaction_fromK_t* old);

Bool cg2_call_answer(const KernelRequest* call, Word result)
{
   cg2_kernelcall_answer(call->tid, result);
   return True;
}

Bool cg2_call_hand_out(
   const KernelRequest* call, Addr to, const void* from, SizeT n, Word result)
{
   if (to && !cg2_guestmemory_write(to, from, n)) result = -VKI_EFAULT;
   return cg2_call_answer(call, result);
}

Bool cg2_call_is_done(const KernelRequest* call)
{
   return cg2_kernelcall_answered(call->tid) >= 0;
}

Bool cg2_call_lend(CallLoan* loan, Addr at, const void* bytes, SizeT n)
{
   if (loan->n || n > CALL_LOAN_MAX ||
       cg2_guestmemory_read(loan->was, at, n) < n ||
       !cg2_guestmemory_write(at, bytes, n))
      return False;
   loan->at = at;
   loan->n = n;
   return True;
}

void cg2_call_take_back(CallLoan* loan)
{
   if (loan->n) cg2_guestmemory_write(loan->at, loan->was, loan->n);
   loan->n = 0;
}

/* Source: Linux's devices.txt: character devices 1:8 and 1:9. */
FileKind cg2_call_file_kind(UWord fd)
{
   enum { RANDOM = 0x108, URANDOM = 0x109 };
   struct vki_stat st;
   if (cg2_kernelcall_make(__NR_fstat, fd, (UWord)&st, 0, 0) < 0)
      return FILE_OTHER;
   if (VKI_S_ISFIFO(st.st_mode)) return FILE_PIPE;
   Bool is_random = st.st_rdev == RANDOM || st.st_rdev == URANDOM;
   return VKI_S_ISCHR(st.st_mode) && is_random ? FILE_RANDOM : FILE_OTHER;
}

/* Source: signal(7). */
Bool cg2_call_has_signal(const vki_sigset_t* set, Int signal)
{
   return VG_(sigismember)(set, signal) != 0;
}

Bool cg2_call_ignores(Int signal)
{
   vki_sigaction_fromK_t action;
   VG_(do_sys_sigaction)(signal, NULL, &action);
   if (action.ksa_handler == VKI_SIG_IGN) return True;
   return action.ksa_handler == VKI_SIG_DFL &&
          (signal == VKI_SIGCHLD || signal == VKI_SIGURG ||
           signal == VKI_SIGWINCH || signal == VKI_SIGCONT);
}
