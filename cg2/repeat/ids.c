#include "repeat/ids.h"

#include "pub_tool_vkiscnums.h"
#include "repeat/users.h"

/* A letter for each argument, and behind ":" the result's: u is a user, g a
 * group, "." neither. */
typedef struct IdRow {
   UWord number;
   const HChar* letters;
} IdRow;

static const IdRow rows[] = {
   {__NR_getuid, ":u"},     {__NR_geteuid, ":u"},   {__NR_getgid, ":g"},
   {__NR_getegid, ":g"},    {__NR_setuid, "u"},     {__NR_setgid, "g"},
   {__NR_setreuid, "uu"},   {__NR_setregid, "gg"},  {__NR_setresuid, "uuu"},
   {__NR_setresgid, "ggg"}, {__NR_setfsuid, "u:u"}, {__NR_setfsgid, "g:g"},
   {__NR_chown, ".ug"},     {__NR_fchown, ".ug"},   {__NR_lchown, ".ug"},
   {__NR_fchownat, "..ug"},
};

static const HChar* letters_of(UWord number)
{
   for (UInt i = 0; i < sizeof rows / sizeof *rows; i++)
      if (rows[i].number == number) return rows[i].letters;
   return "";
}

static UWord told(HChar letter, UWord id)
{
   return letter == 'u' ? cg2_users_user(id) : cg2_users_group(id);
}

/* -1 says that there is none, and stays. */
static UWord real(HChar letter, UWord id)
{
   return letter == 'u' ? cg2_users_real_user(id) : cg2_users_real_group(id);
}

void cg2_ids_enter_kernel(const KernelRequest* call)
{
   const HChar* letter = letters_of(call->kernel.number);
   for (UInt i = 0; *letter && *letter != ':'; i++, letter++)
      if (*letter != '.')
         cg2_kernelcall_set_arg(call->tid, i,
                                real(*letter, call->kernel.args[i]));
}

void cg2_ids_leave_kernel(const KernelRequest* call)
{
   const HChar* letter = letters_of(call->kernel.number);
   for (UInt i = 0; *letter && *letter != ':'; i++, letter++)
      cg2_kernelcall_set_arg(call->tid, i, call->kernel.args[i]);
   if (*letter == ':' && cg2_call_is_done(call))
      cg2_kernelcall_answer(
         call->tid, told(letter[1], cg2_kernelcall_answered(call->tid)));
}
