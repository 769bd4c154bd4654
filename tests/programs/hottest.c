/* Functions that call themselves, each other, and a library's, three times;
   between them the program waits until a file exists in its directory: `one`,
   then `two`. With an argument the last time is that many times as long; with
   another, a child does what is behind the first wait. */

#include "counted.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long state;

COUNTED void hot(int n)
{
   for (int i = 0; i < n; i++)
      state++;
}

COUNTED int fib(int n)
{
   return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int odd(int n);

COUNTED int even(int n)
{
   hot(n);
   return n ? odd(n - 1) + 1 : 1;
}

COUNTED int odd(int n)
{
   return n ? even(n - 1) + 1 : 0;
}

COUNTED void work(int n)
{
   char text[100];
   hot(1000 * n);
   state += fib(10) + even(20) + odd(7);
   memset(text, n, sizeof text - 1);
   text[sizeof text - 1] = 0;
   state += strlen(strchr(text, n));
}

COUNTED void wait_for(const char* file)
{
   puts(file);
   fflush(stdout);
   while (access(file, F_OK) != 0)
      usleep(500);
}

int main(int argc, char** argv)
{
   int times = argc > 1 ? atoi(argv[1]) : 1;
   work(3);
   wait_for("one");
   if (argc > 2 && fork() > 0) {
      while (waitpid(-1, NULL, WNOHANG) == 0)
         usleep(500);
      return 0;
   }
   work(5);
   fib(15);
   wait_for("two");
   for (int i = 0; i < times; i++)
      work(7);
   return 0;
}
