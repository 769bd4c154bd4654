#include "repeat/chancecalls.h"

#include "arch/guestmemory.h"
#include "repeat/chance.h"

/* Writes `n` random bytes to the program, a piece at a time. */
static Bool hand_out(const KernelRequest* call, Addr to, SizeT n)
{
   UChar piece[256];
   for (SizeT done = 0; done < n; done += sizeof piece) {
      SizeT size = n - done < sizeof piece ? n - done : sizeof piece;
      cg2_chance_fill(piece, size);
      if (!cg2_guestmemory_write(to + done, piece, size))
         return cg2_call_answer(call, -VKI_EFAULT);
   }
   return cg2_call_answer(call, n);
}

/* Source: random(4), getrandom(2): so much is given at a time. */
static SizeT at_once(UWord n)
{
   enum { MOST = 33554431 };
   return n < MOST ? n : MOST;
}

Bool cg2_chancecalls_getrandom(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   return hand_out(call, args[0], at_once(args[1]));
}

Bool cg2_chancecalls_read(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   if (cg2_call_file_kind(args[0]) != FILE_RANDOM) return False;
   return hand_out(call, args[1], at_once(args[2]));
}
