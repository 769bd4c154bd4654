/* What is intercepted where the tool is linked: see base/wrap.h. */

#include "base/wrap.h"
#include "libvex_guest_amd64.h"
#include "repeat/calls.h"
#include "repeat/chance.h"
#include "repeat/moment.h"
#include "repeat/repeatconfig.h"

typedef VexGuestAMD64State ProgramState;

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
