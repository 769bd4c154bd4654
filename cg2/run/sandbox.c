#include "run/sandbox.h"

#include "arch/guest.h"
#include "arch/guestmemory.h"

/* Source: Linux's prctl.h and seccomp.h. */
enum {
   PRCTL_SET_SECCOMP = 22,
   PRCTL_STRICT = 1,
   PRCTL_FILTER = 2,
   SECCOMP_STRICT = 0,
   SECCOMP_FILTER = 1
};

/* A program of the kernel's packet filter. Source: Linux's filter.h. */
typedef struct FilterStep {
   UShort code;
   UChar if_true, if_false;
   UInt value;
} FilterStep;
typedef struct Filter {
   UShort n;
   const FilterStep* steps;
} Filter;

/* Whether a step is an answer that kills. One that is computed may. Source:
 * Linux's seccomp.h: an answer's upper half says what is done; 0x8000 kills the
 * process, 0 the thread, 3 sends a signal. */
static Bool kills(const FilterStep* step)
{
   enum { CLASS = 7, RETURN = 6, SOURCE = 0x18 };
   if ((step->code & CLASS) != RETURN) return False;
   UInt action = step->value >> 16;
   return (step->code & SOURCE) || action == 0x8000 || action == 0 ||
          action == 3;
}

static Bool filter_kills(Addr address)
{
   Filter filter;
   FilterStep step;
   if (cg2_guestmemory_read(&filter, address, sizeof filter) < sizeof filter)
      return False;
   for (UInt i = 0; i < filter.n; i++) {
      Addr at = (Addr)&filter.steps[i];
      if (cg2_guestmemory_read(&step, at, sizeof step) < sizeof step)
         return False;
      if (kills(&step)) return True;
   }
   return False;
}

Bool cg2_sandbox_enters(UInt number, const UWord* args)
{
   Bool is_prctl =
      number == GUEST_SYSCALL_PRCTL && args[0] == PRCTL_SET_SECCOMP;
   Bool is_seccomp = number == GUEST_SYSCALL_SECCOMP;
   if ((is_prctl && args[1] == PRCTL_STRICT) ||
       (is_seccomp && args[0] == SECCOMP_STRICT))
      return True;
   Bool is_filter = (is_prctl && args[1] == PRCTL_FILTER) ||
                    (is_seccomp && args[0] == SECCOMP_FILTER);
   return is_filter && filter_kills(args[2]);
}
