/* What is intercepted where the tool is linked: see base/wrap.h. */

#include "avx512/vecfault.h"
#include "base/wrap.h"
#include "libvex_guest_amd64.h"
#include "pub_tool_libcsignal.h"
#include "repeat/calls.h"
#include "repeat/chance.h"
#include "repeat/children.h"
#include "repeat/ids.h"
#include "repeat/moment.h"
#include "repeat/repeatconfig.h"
#include "repeat/signals.h"
#include "repeat/timers.h"
#include "repeat/turns.h"

typedef VexGuestAMD64State ProgramState;

/* Source: Valgrind's core, which exports it to no tool. */
extern Int VG_(sigaddset)(vki_sigset_t* set, Int signal);

/*--- System calls -------------------------------------------------------*/

void cg2_intercept_syscall(ThreadId tid, UInt trap)
   CG2_WRAP("vgPlain_client_syscall");
extern void real_syscall(ThreadId tid, UInt trap)
   CG2_REAL("vgPlain_client_syscall");

void cg2_intercept_syscall(ThreadId tid, UInt trap)
{
   if (cg2_repeat_config.is_on)
      cg2_calls_make(tid, real_syscall, trap);
   else
      real_syscall(tid, trap);
}

/*--- Signals ------------------------------------------------------------*/

void cg2_intercept_interruption(
   ThreadId tid, Addr ip, SysRes answer, Bool restarts, void* context)
   CG2_WRAP("vgPlain_fixup_guest_state_after_syscall_interrupted");
extern void real_interruption(
   ThreadId tid, Addr ip, SysRes answer, Bool restarts, void* context)
   CG2_REAL("vgPlain_fixup_guest_state_after_syscall_interrupted");

/* A signal has come while the kernel made a call. */
void cg2_intercept_interruption(
   ThreadId tid, Addr ip, SysRes answer, Bool restarts, void* context)
{
   real_interruption(tid, ip, answer, restarts, context);
   if (cg2_repeat_config.is_on) cg2_calls_interrupted(tid);
}

Int cg2_intercept_signal(const vki_sigset_t* wanted, vki_siginfo_t* info)
   CG2_WRAP("vgPlain_sigtimedwait_zero");
extern Int real_signal(const vki_sigset_t* wanted, vki_siginfo_t* info)
   CG2_REAL("vgPlain_sigtimedwait_zero");

/* The core asks whether a signal is there. That a child has ended the tool
 * says. */
Int cg2_intercept_signal(const vki_sigset_t* wanted, vki_siginfo_t* info)
{
   vki_sigset_t others = *wanted;
   if (!cg2_repeat_config.is_on) return real_signal(wanted, info);
   if (cg2_children_take_signal(wanted, info)) return VKI_SIGCHLD;
   VG_(sigdelset)(&others, VKI_SIGCHLD);
   Int signal = real_signal(&others, info);
   if (signal > 0) cg2_signals_took(info);
   return signal;
}

/* Source: Valgrind's core, in assembler: makes a call of the program with the
 * mask of its thread. */
#define KERNEL_ARGUMENTS                                                       \
   Word number, void *state, const vki_sigset_t *mask,                         \
      const vki_sigset_t *mask_behind, Word size
UWord cg2_intercept_kernel(KERNEL_ARGUMENTS)
   CG2_WRAP("vgModuleLocal_do_syscall_for_client_WRK");
extern UWord real_kernel(KERNEL_ARGUMENTS)
   CG2_REAL("vgModuleLocal_do_syscall_for_client_WRK");

UWord cg2_intercept_kernel(KERNEL_ARGUMENTS)
{
   vki_sigset_t more = *mask;
   if (cg2_repeat_config.is_on) VG_(sigaddset)(&more, VKI_SIGCHLD);
   return real_kernel(number, state, &more, mask_behind, size);
}

/* Source: Valgrind's core, which puts what is said of a signal on the stack of
 * the program. */
#define FRAME_ARGUMENTS                                                        \
   ThreadId tid, Bool is_alternate, Addr sp, const vki_siginfo_t *info,        \
      const void *context, void *handler, UInt flags, const void *mask,        \
      void *restorer
void cg2_intercept_frame(FRAME_ARGUMENTS) CG2_WRAP("vgPlain_sigframe_create");
extern void real_frame(FRAME_ARGUMENTS) CG2_REAL("vgPlain_sigframe_create");

void cg2_intercept_frame(FRAME_ARGUMENTS)
{
   vki_siginfo_t told = *info;
   cg2_vecfault_tell(tid, &told, context);
   if (cg2_repeat_config.is_on) {
      cg2_calls_before_handler(tid, info);
      cg2_ids_tell_signal(&told);
      cg2_signals_before_frame(tid, flags);
   }
   real_frame(tid, is_alternate, sp, &told, context, handler, flags, mask,
              restorer);
   cg2_vecfault_begin_handler(tid);
   if (cg2_repeat_config.is_on) cg2_signals_after_frame(tid);
}

/*--- Running --------------------------------------------------------------*/

/* Source: Valgrind's core: generated code begins, and runs as many blocks at
 * most as the guest state says; answer[0] says why it has stopped. */
void cg2_intercept_run(UWord* answer, volatile void* state, Addr code)
   CG2_WRAP("vgPlain_disp_run_translations");
extern void real_run(UWord* answer, volatile void* state, Addr code)
   CG2_REAL("vgPlain_disp_run_translations");

/* Source: Valgrind's core: why code stops that wants to jump to other code in
 * time to come. The core looks for that next, and changes the jump, which no
 * other thread may do before. */
static Bool is_of_jump(UWord why)
{
   enum { TO_SLOW_ENTRY = 49, TO_FAST_ENTRY = 51 };
   return why == TO_SLOW_ENTRY || why == TO_FAST_ENTRY;
}

/* Has the program stop where a timer's time has come: then the core is told
 * that all blocks have run. */
void cg2_intercept_run(UWord* answer, volatile void* state, Addr code)
{
   volatile ProgramState* s = state;
   if (!cg2_repeat_config.is_on) {
      real_run(answer, state, code);
      return;
   }
   UInt n = cg2_timers_blocks(s->host_EvC_COUNTER);
   UInt kept = s->host_EvC_COUNTER - n;
   s->host_EvC_COUNTER = n;
   cg2_moment_skip(kept);
   cg2_turns_keep(True); /* where code faults, this does not return */
   real_run(answer, state, code);
   cg2_turns_keep(is_of_jump(answer[0]));
   if (kept && (Int)s->host_EvC_COUNTER >= 0) {
      s->host_EvC_COUNTER += kept;
      cg2_moment_skip(0);
   }
}

/*--- Instructions -------------------------------------------------------*/

/* Source: VEX, whose code calls these. */
ULong cg2_intercept_rdtsc(void) CG2_WRAP("amd64g_dirtyhelper_RDTSC");
extern ULong real_rdtsc(void) CG2_REAL("amd64g_dirtyhelper_RDTSC");
void cg2_intercept_rdtscp(ProgramState* state)
   CG2_WRAP("amd64g_dirtyhelper_RDTSCP");
extern void real_rdtscp(ProgramState* state)
   CG2_REAL("amd64g_dirtyhelper_RDTSCP");
ULong cg2_intercept_rdrand(void) CG2_WRAP("amd64g_dirtyhelper_RDRAND");
extern ULong real_rdrand(void) CG2_REAL("amd64g_dirtyhelper_RDRAND");
ULong cg2_intercept_rdseed(void) CG2_WRAP("amd64g_dirtyhelper_RDSEED");
extern ULong real_rdseed(void) CG2_REAL("amd64g_dirtyhelper_RDSEED");

ULong cg2_intercept_rdtsc(void)
{
   return cg2_repeat_config.is_on ? cg2_moment_ticks() : real_rdtsc();
}

/* Source: Intel's manual, volume 2, RDTSCP; rcx says processor 0. */
void cg2_intercept_rdtscp(ProgramState* state)
{
   if (!cg2_repeat_config.is_on) {
      real_rdtscp(state);
      return;
   }
   ULong now = cg2_moment_ticks();
   state->guest_RAX = (UInt)now;
   state->guest_RDX = now >> 32;
   state->guest_RCX = 0;
}

/* VEX takes bit 32 for the flag that says whether there is a number. */
static ULong number(void)
{
   return (UInt)cg2_chance_next() | 1ULL << 32;
}

ULong cg2_intercept_rdrand(void)
{
   return cg2_repeat_config.is_on ? number() : real_rdrand();
}

ULong cg2_intercept_rdseed(void)
{
   return cg2_repeat_config.is_on ? number() : real_rdseed();
}
