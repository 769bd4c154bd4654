#include "repeat/inputs.h"

#include "arch/guestmemory.h"
#include "pub_tool_vkiscnums.h"
#include "repeat/moment.h"
#include "repeat/others.h"
#include "repeat/outside.h"
#include "repeat/signals.h"
#include "repeat/turns.h"

/* Source: poll(2). */
enum { CAN_READ = 1, HANGS_UP = 0x10 };

/* What can be said of a file, waiting for `milliseconds` at most. */
static Short ask(Int fd, UWord milliseconds)
{
   struct {
      Int fd;
      Short events, happened;
   } polled = {fd, CAN_READ, 0};
   cg2_kernelcall_make(__NR_poll, (UWord)&polled, 1, milliseconds, 0);
   return polled.happened;
}

/* Source: socket(7): SOL_SOCKET, SO_TYPE, SOCK_STREAM. */
static Bool is_stream(Int fd)
{
   Int type = 0, size = sizeof type;
   KernelCall call = {__NR_getsockopt, {fd, 1, 3, (UWord)&type, (UWord)&size}};
   return cg2_kernelcall_make_all(&call) == 0 && type == 1;
}

Bool cg2_inputs_are_shared(Int fd)
{
   struct vki_stat st;
   if (!cg2_outside_has_relatives() ||
       cg2_kernelcall_make(__NR_fstat, fd, (UWord)&st, 0, 0) < 0)
      return False;
   if (VKI_S_ISFIFO(st.st_mode)) return True;
   return VKI_S_ISSOCK(st.st_mode) && is_stream(fd);
}

/*--- Reading ------------------------------------------------------------*/

/* How many bytes a call reads at most; 0: it does not read. */
static UWord most_of(const KernelCall* call)
{
   switch (call->number) {
   case __NR_read:
   case __NR_recvfrom:
      return call->args[2];
   case __NR_readv:
   case __NR_recvmsg:
      return ~0UL;
   default:
      return 0;
   }
}

/* Source: ioctl_tty(2): FIONREAD; fcntl(2): F_GETPIPE_SZ. */
static Bool is_all_there(Int fd, UWord most)
{
   enum { HOW_MUCH = 0x541b, CAPACITY = 1032 };
   Int n = 0;
   if (ask(fd, 0) & HANGS_UP) return True;
   cg2_kernelcall_make(__NR_ioctl, fd, HOW_MUCH, (UWord)&n, 0);
   if ((UWord)n >= most) return True;
   Word capacity = cg2_kernelcall_make(__NR_fcntl, fd, CAPACITY, 0, 0);
   return capacity > 0 && n >= capacity;
}

static Bool waits(Int fd)
{
   Word flags = cg2_kernelcall_make(__NR_fcntl, fd, VKI_F_GETFL, 0, 0);
   return flags >= 0 && !(flags & VKI_O_NONBLOCK);
}

/* For so long other processes may compute: some do for ever. */
static ULong patience(void)
{
   return cg2_others_latest() + MOMENT_SECOND;
}

void cg2_inputs_await_writers(void)
{
   ULong limit = patience();
   while (!cg2_others_are_done(limit))
      cg2_others_nap();
}

void cg2_inputs_complete(const KernelRequest* call)
{
   enum { LOOK_AGAIN = 20 }; /* milliseconds */
   Int fd = call->kernel.args[0];
   UWord most = most_of(&call->kernel);
   if (!most || !cg2_inputs_are_shared(fd) || !waits(fd)) return;
   while (!ask(fd, LOOK_AGAIN))
      if (cg2_signals_are_there(call->tid)) return;
   ULong limit = patience();
   while (!is_all_there(fd, most) && !cg2_others_are_done(limit))
      cg2_others_nap();
}
