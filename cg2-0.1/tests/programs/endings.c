/* How a program ends (the argument), three calls deep: main calls outer once,
   outer calls middle 2 times, and the second time middle calls end, which does
   not come back.

   - exit: exit(0), which calls at_exit, registered before
   - _exit: _exit(0)
   - abort: abort()
   - kill: SIGKILL, sent to itself
   - fault: a store that faults
   - thread: pthread_exit in the main thread, while another thread still has to
     call step 50 times */

#define _GNU_SOURCE
#include "counted.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile long state;
static const char* how;

COUNTED void at_exit(void)
{
   state++;
}

COUNTED void step(void)
{
   state++;
}

COUNTED void* body(void* argument)
{
   for (int i = 0; i < 50; i++) {
      step();
      sched_yield();
   }
   return argument;
}

COUNTED void end(void)
{
   pthread_t thread;
   state++;
   if (!strcmp(how, "exit")) exit(0);
   if (!strcmp(how, "_exit")) _exit(0);
   if (!strcmp(how, "abort")) abort();
   if (!strcmp(how, "kill")) raise(SIGKILL);
   if (!strcmp(how, "fault")) *(volatile int*)16 = 1;
   if (!strcmp(how, "thread") && !pthread_create(&thread, 0, body, 0))
      pthread_exit(0);
}

COUNTED void middle(int last)
{
   step();
   if (last) end();
   step();
}

COUNTED void outer(void)
{
   middle(0);
   middle(1);
   state = 0;
}

int main(int argc, char** argv)
{
   how = argc > 1 ? argv[1] : "";
   atexit(at_exit);
   outer();
   return 9;
}
