/* A handler that has the program go on elsewhere: behind the fault, in another
   function, and nowhere that was ever called.  */

#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

static void (*go_on)(void);

__attribute__((noinline)) static void work(int n)
{
   for (volatile int i = 0; i < n; i++)
      ;
}

__attribute__((noinline, noreturn)) static void rescue(void)
{
   work(100);
   exit(0);
}

static void handler(int number, siginfo_t* info, void* context)
{
   ucontext_t* u = context;
   (void)number, (void)info;
   if (go_on) {
      u->uc_mcontext.gregs[REG_RIP] = (greg_t)go_on;
      u->uc_mcontext.gregs[REG_RSP] = (u->uc_mcontext.gregs[REG_RSP] & -16) - 8;
   } else
      u->uc_mcontext.gregs[REG_RIP] += 2; /* of ud2 */
}

__attribute__((noinline)) static void victim(void)
{
   __asm__ volatile("ud2");
   work(10);
}

int main(void)
{
   struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
   sigaction(SIGILL, &action, NULL);
   for (int i = 0; i < 5; i++)
      victim();
   puts("five");
   fflush(stdout);
   go_on = rescue;
   victim();
   return 1;
}
