#include "repeat/credentials.h"

#include "arch/guestmemory.h"
#include "pub_tool_vkiscnums.h"
#include "repeat/processes.h"
#include "repeat/users.h"

/* Source: unix(7). */
typedef struct Credentials {
   UInt process, user, group;
} Credentials;

/* Source: recvmsg(2), cmsg(3): struct msghdr; behind it stands a size, where
 * several are sent at once. */
typedef struct SocketMessage {
   Addr name;
   ULong name_size;
   Addr pieces;
   ULong n_pieces;
   Addr control;
   ULong control_size;
   ULong flags, sent;
} SocketMessage;

/* Source: cmsg(3): struct cmsghdr. */
typedef struct ControlHeader {
   ULong size;
   Int level, type;
} ControlHeader;

/* The address of what a message carries of who sends it; 0: nothing. */
static Addr find_in(Addr message)
{
   enum { SOCKET = 1, CREDENTIALS = 2, ROOM = 8 };
   SocketMessage m;
   ControlHeader h;
   SizeT n = offsetof(SocketMessage, flags);
   if (cg2_guestmemory_read(&m, message, n) < n || !m.control) return 0;
   for (ULong at = 0; at + sizeof h + sizeof(Credentials) <= m.control_size;
        at += (h.size + ROOM - 1) / ROOM * ROOM) {
      if (cg2_guestmemory_read(&h, m.control + at, sizeof h) < sizeof h ||
          h.size < sizeof h || h.size > m.control_size - at)
         return 0;
      if (h.level == SOCKET && h.type == CREDENTIALS)
         return m.control + at + sizeof h;
   }
   return 0;
}

/*--- Sending ------------------------------------------------------------*/

static void lend_in(Addr message, CallLoan* loan)
{
   Credentials c;
   Addr at = find_in(message);
   if (!at || cg2_guestmemory_read(&c, at, sizeof c) < sizeof c) return;
   Credentials real = {cg2_processes_real(c.process),
                       cg2_users_real_user(c.user),
                       cg2_users_real_group(c.group)};
   cg2_call_lend(loan, at, &real, sizeof real);
}

void cg2_credentials_enter_kernel(const KernelRequest* call, CallLoan* loan)
{
   const UWord* args = call->kernel.args;
   if (call->kernel.number == __NR_sendmsg) lend_in(args[1], loan);
   if (call->kernel.number != __NR_sendmmsg) return;
   for (UInt i = 0; i < (UInt)args[2] && loan->n == 0; i++)
      lend_in(args[1] + i * sizeof(SocketMessage), loan);
}

/*--- Receiving ----------------------------------------------------------*/

static void tell_in(Addr message)
{
   Credentials c;
   Addr at = find_in(message);
   if (!at || cg2_guestmemory_read(&c, at, sizeof c) < sizeof c) return;
   Credentials told = {cg2_processes_told(c.process), cg2_users_user(c.user),
                       cg2_users_group(c.group)};
   cg2_guestmemory_write(at, &told, sizeof told);
}

void cg2_credentials_tell_answer(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   Word answer = cg2_kernelcall_answered(call->tid);
   if (answer < 0) return;
   if (call->kernel.number == __NR_recvmsg) tell_in(args[1]);
   if (call->kernel.number != __NR_recvmmsg) return;
   for (Word i = 0; i < answer; i++)
      tell_in(args[1] + i * sizeof(SocketMessage));
}
