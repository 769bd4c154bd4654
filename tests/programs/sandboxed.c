/* Works three times, enters the sandbox that its argument names, works twice,
 * and ends. */
#include "counted.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

COUNTED void work(void)
{
   __asm__ volatile("");
}

static int enter_filter(unsigned otherwise, long syscall_number, int by_prctl)
{
   struct sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, syscall_number, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, otherwise),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
   };
   struct sock_fprog program = {4, steps};
   prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
   return by_prctl ? prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)
                   : syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

static int enter(const char* name)
{
   if (!strcmp(name, "strict"))
      return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
   if (!strcmp(name, "kill"))
      return enter_filter(SECCOMP_RET_KILL, SYS_mkdirat, 1);
   if (!strcmp(name, "signal"))
      return enter_filter(SECCOMP_RET_TRAP, SYS_mkdirat, 0);
   return enter_filter(SECCOMP_RET_ERRNO | 1, SYS_mkdirat, 1);
}

int main(int n, char** names)
{
   for (int i = 0; i < 3; i++)
      work();
   if (n != 2 || enter(names[1])) return 9;
   work();
   work();
   return 0;
}
