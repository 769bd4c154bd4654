/* Signals. Handlers are entered without a call; what they call, they call.

   - SIGUSR1 is sent 4 times: on_usr1 calls in_handler 2 times, 8 in all.
   - SIGUSR2 is sent 3 times: on_usr2 sends SIGTERM in turn, so that handlers
     are nested; on_term calls in_nested once.
   - SIGALRM is sent 2 times: on_alternate runs on a stack of its own
     (sigaltstack) and calls in_alternate once.
   - SIGHUP is sent 5 times, from the third frame of `deeper`: on_hup leaves all
     of them by siglongjmp, and `guarded`, which called deeper, calls landed.

   After all that main calls last once. */

#define _GNU_SOURCE
#include "counted.h"
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static volatile long state;
static sigjmp_buf place;

COUNTED void in_handler(void)
{
   for (int i = 0; i < 10; i++)
      state++;
}

COUNTED void on_usr1(int signal)
{
   (void)signal;
   in_handler();
   in_handler();
}

COUNTED void in_nested(void)
{
   state++;
}

COUNTED void on_term(int signal)
{
   (void)signal;
   in_nested();
}

COUNTED void send(int signal)
{
   kill(getpid(), signal);
}

COUNTED void on_usr2(int signal)
{
   (void)signal;
   send(SIGTERM);
   state++;
}

COUNTED void in_alternate(void)
{
   state++;
}

COUNTED void on_alternate(int signal)
{
   (void)signal;
   in_alternate();
}

COUNTED void on_hup(int signal)
{
   (void)signal;
   siglongjmp(place, 1);
}

COUNTED void deeper(int n)
{
   if (n == 0)
      send(SIGHUP);
   else
      deeper(n - 1);
   state += 1000; // never reached
}

COUNTED void landed(void)
{
   state++;
}

COUNTED void guarded(void)
{
   if (sigsetjmp(place, 1) == 0) deeper(2);
   landed();
}

COUNTED void last(void)
{
   state++;
}

COUNTED void handle(int signal, void (*handler)(int), int flags)
{
   struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
   sigaction(signal, &action, 0);
}

int main(void)
{
   stack_t alternate = {.ss_sp = malloc(65536), .ss_size = 65536};
   sigaltstack(&alternate, 0);
   handle(SIGUSR1, on_usr1, 0);
   handle(SIGUSR2, on_usr2, 0);
   handle(SIGTERM, on_term, 0);
   handle(SIGALRM, on_alternate, SA_ONSTACK);
   handle(SIGHUP, on_hup, 0);
   for (int i = 0; i < 4; i++)
      send(SIGUSR1);
   for (int i = 0; i < 3; i++)
      send(SIGUSR2);
   for (int i = 0; i < 2; i++)
      send(SIGALRM);
   for (int i = 0; i < 5; i++)
      guarded();
   last();
   return state == 80 + 3 + 3 + 2 + 5 + 1 ? 0 : 1;
}
