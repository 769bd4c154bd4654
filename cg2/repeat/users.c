#include "repeat/users.h"

#include "arch/guestmemory.h"
#include "pub_tool_vkiscnums.h"

enum { TOLD = 1000 };

/* Reason for a mutable file-scope object: who has started the program. */
static struct {
   UInt user, group;
} own;

void cg2_users_start(void)
{
   own.user = cg2_kernelcall_make(__NR_getuid, 0, 0, 0, 0);
   own.group = cg2_kernelcall_make(__NR_getgid, 0, 0, 0, 0);
}

enum { ROOT = 0 };

UInt cg2_users_user(UInt id)
{
   return id == own.user || id == ROOT ? TOLD : id;
}

UInt cg2_users_group(UInt id)
{
   return id == own.group || id == ROOT ? TOLD : id;
}

UInt cg2_users_real_user(UInt id)
{
   return id == TOLD ? own.user : id;
}

UInt cg2_users_real_group(UInt id)
{
   return id == TOLD ? own.group : id;
}

/* The three numbers to which the arguments point. */
static void change_three(const KernelRequest* call, UInt (*told)(UInt))
{
   if (!cg2_call_is_done(call)) return;
   for (UInt i = 0; i < 3; i++) {
      UInt id;
      Addr at = call->kernel.args[i];
      if (cg2_guestmemory_read(&id, at, sizeof id) < sizeof id) return;
      id = told(id);
      cg2_guestmemory_write(at, &id, sizeof id);
   }
}

void cg2_users_getresuid(const KernelRequest* call)
{
   change_three(call, cg2_users_user);
}

void cg2_users_getresgid(const KernelRequest* call)
{
   change_three(call, cg2_users_group);
}

/* Which other groups the user belongs to is the machine's. */
Bool cg2_users_getgroups(const KernelRequest* call)
{
   static const UInt told = TOLD;
   const UWord* args = call->kernel.args;
   if ((Int)args[0] < 0) return cg2_call_answer(call, -VKI_EINVAL);
   return cg2_call_hand_out(call, args[0] ? args[1] : 0, &told, sizeof told, 1);
}
