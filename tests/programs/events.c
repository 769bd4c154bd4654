/* System calls and atomic accesses to memory, as many as their names say.

   main calls five_calls, then region, then five_calls. region calls two_naps,
   of 20 ms each, three_calls and ten_atomics; in_thread starts a thread that
   waits in a read of a pipe until long_nap, 200 ms in main's thread, is over. */

#include "counted.h"
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { NAP = 20 * 1000 * 1000, LONG_NAP = 10 * NAP };

static volatile long state;
static int ends[2];

/* The instruction is the caller's own. */
static inline __attribute__((always_inline)) long
call(long number, long a, long b, long c)
{
   long result = number;
#ifdef __x86_64__
   __asm__ volatile("syscall"
                    : "+a"(result)
                    : "D"(a), "S"(b), "d"(c)
                    : "rcx", "r11", "memory");
#elif defined(__aarch64__)
   register long x8 __asm__("x8") = number;
   register long x0 __asm__("x0") = a;
   register long x1 __asm__("x1") = b;
   register long x2 __asm__("x2") = c;
   __asm__ volatile("svc #0"
                    : "+r"(x0)
                    : "r"(x8), "r"(x1), "r"(x2)
                    : "memory");
   result = x0;
#else
   __asm__ volatile("int $0x80"
                    : "+a"(result)
                    : "b"(a), "c"(b), "d"(c)
                    : "memory");
#endif
   return result;
}

COUNTED void five_calls(void)
{
   for (int i = 0; i < 5; i++)
      call(SYS_getppid, 0, 0, 0);
}

COUNTED void three_calls(void)
{
   call(SYS_getppid, 0, 0, 0);
   call(SYS_getppid, 0, 0, 0);
   call(SYS_getppid, 0, 0, 0); /* the third */
}

COUNTED void nap(void)
{
   struct timespec time = {0, NAP};
   call(SYS_nanosleep, (long)&time, 0, 0);
}

COUNTED void long_nap(void)
{
   struct timespec time = {0, LONG_NAP};
   call(SYS_nanosleep, (long)&time, 0, 0);
}

COUNTED void two_naps(void)
{
   nap();
   nap();
}

COUNTED void ten_atomics(void)
{
   long old = 0;
   for (int i = 0; i < 7; i++)
      __sync_fetch_and_add(&state, 1);
   __atomic_exchange_n(&state, 3, __ATOMIC_SEQ_CST);
   __sync_bool_compare_and_swap(&state, 3, 4); /* succeeds */
   __sync_bool_compare_and_swap(&state, 3, old); /* fails */
   state++; /* is none */
}

COUNTED void wait_for_byte(void)
{
   char byte;
   call(SYS_read, ends[0], (long)&byte, 1);
}

COUNTED void* waiting(void* nothing)
{
   wait_for_byte();
   return nothing;
}

COUNTED void in_thread(void)
{
   pthread_t thread;
   if (pipe(ends)) return;
   pthread_create(&thread, 0, waiting, 0);
   long_nap();
   if (write(ends[1], "x", 1) != 1) return;
   pthread_join(thread, 0);
}

COUNTED void region(void)
{
   two_naps();
   three_calls();
   ten_atomics();
}

int main(void)
{
   five_calls();
   region();
   five_calls();
   in_thread();
   return 0;
}
