/* A handler that has the program go on elsewhere: behind the fault, in another
   function, and nowhere that was ever called.  */

#define _GNU_SOURCE
#include "counted.h"
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

static void (*go_on)(void);

/* Where the program goes on, and the length of an illegal instruction. */
#ifdef __aarch64__
#define PC(u) (u)->uc_mcontext.pc
enum { LENGTH = 4 };
#else
#define PC(u) (u)->uc_mcontext.gregs[REG_RIP]
enum { LENGTH = 2 };
#endif

/* The stack pointer as a call leaves it. */
static void align_stack(ucontext_t* u)
{
#ifdef __aarch64__
   u->uc_mcontext.sp &= -16;
#else
   greg_t* sp = &u->uc_mcontext.gregs[REG_RSP];
   *sp = (*sp & -16) - 8;
#endif
}

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
      PC(u) = (uintptr_t)go_on;
      align_stack(u);
   } else
      PC(u) += LENGTH;
}

__attribute__((noinline)) static void victim(void)
{
   ILLEGAL();
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
