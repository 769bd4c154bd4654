/* A process sends itself signals. Says what its handler is told, and whether
 * the registers with the arguments of the call are as before. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile int heard, code, is_own;

static void handle(int signal, siginfo_t* info, void* context)
{
   (void)context;
   heard = signal;
   code = info->si_code;
   is_own = info->si_pid == getpid();
}

/* The kernel leaves all registers but three as they are. */
static void call(const char* name, long number, long a, long b, long c, long d)
{
   long answer, first = a, second = b;
   register long fourth __asm__("r10") = d;
   heard = code = is_own = 0;
   __asm__ volatile("syscall"
                    : "=a"(answer), "+D"(first), "+S"(second), "+d"(c),
                      "+r"(fourth)
                    : "0"(number)
                    : "rcx", "r11", "memory");
   printf("%s %ld heard %d code %d own %d kept %d\n", name, answer, heard, code,
          is_own, first == a && second == b);
}

int main(void)
{
   struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
   long self = getpid();
   sigaction(SIGUSR1, &action, NULL);
   call("kill", SYS_kill, self, SIGUSR1, 0, 0);
   call("tkill", SYS_tkill, self, SIGUSR1, 0, 0);
   call("tgkill", SYS_tgkill, self, self, SIGUSR1, 0);
   call("group", SYS_kill, -getpgrp(), 0, 0, 0);
   return 0;
}
