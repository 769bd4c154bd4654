/* What is intercepted where the tool is linked: with --wrap=NAME, whoever calls
 * NAME calls __wrap_NAME, and __real_NAME is the function itself. Names of
 * functions here are the tool's own, those of symbols are the linker's. */

#include "libvex_guest_amd64.h"
#include "repeat/calls.h"
#include "repeat/chance.h"
#include "repeat/moment.h"
#include "repeat/repeatconfig.h"

#define WRAP(name) __asm__("__wrap_" name)
#define REAL(name) __asm__("__real_" name)

typedef VexGuestAMD64State ProgramState;

/*--- System calls -------------------------------------------------------*/

void cg2_intercept_syscall(ThreadId tid, UInt trap)
   WRAP("vgPlain_client_syscall");
extern void real_syscall(ThreadId tid, UInt trap)
   REAL("vgPlain_client_syscall");

void cg2_intercept_syscall(ThreadId tid, UInt trap)
{
   if (cg2_repeat_config.is_on)
      cg2_calls_make(tid, real_syscall, trap);
   else
      real_syscall(tid, trap);
}

/*--- Instructions -------------------------------------------------------*/

/* Source: VEX, whose code calls these. */
ULong cg2_intercept_rdtsc(void) WRAP("amd64g_dirtyhelper_RDTSC");
extern ULong real_rdtsc(void) REAL("amd64g_dirtyhelper_RDTSC");
void cg2_intercept_rdtscp(ProgramState* state)
   WRAP("amd64g_dirtyhelper_RDTSCP");
extern void real_rdtscp(ProgramState* state) REAL("amd64g_dirtyhelper_RDTSCP");
ULong cg2_intercept_rdrand(void) WRAP("amd64g_dirtyhelper_RDRAND");
extern ULong real_rdrand(void) REAL("amd64g_dirtyhelper_RDRAND");
ULong cg2_intercept_rdseed(void) WRAP("amd64g_dirtyhelper_RDSEED");
extern ULong real_rdseed(void) REAL("amd64g_dirtyhelper_RDSEED");

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
