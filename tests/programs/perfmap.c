/* Code written at run time that the program names itself, in
   /tmp/perf-PID.map. At CODE +

   - 0x000 "adder": mov, ret; called 10 times. At its ret it is entered, too, 3
     times
   - 0x100 "count down", calls itself: a call that goes on costs 7 instructions,
     the last one 3; called 2 times, with 5 and with 0
   - 0x200 another "adder", called 4 times
   - 0x300 a name of all that may be in one, called once
   - 0x400 "early", called 5 times, then rewritten as "late: 3 instructions" and
     called 6 times
   - 0x500 called 2 times, and named by nothing but an entry for all of it that
     was there before the others
   - 0x600 in no entry, called once

   With the argument `fork`, a child calls the first adder 7 times; it has no
   file of its own. With `own` it has one, with an entry for the adder alone.
   With `link` the file is a link to one with another name. */

#define _GNU_SOURCE
#include "counted.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <valgrind/valgrind.h>

#define CODE 0x20000000UL
#define SIZE 4096

typedef int Code(int);

#ifdef __aarch64__

static const uint32_t adder[] = {
   0x52800040, // mov w0, #2
   0xd65f03c0, // ret
};

static const uint32_t count_down[] = {
   0x7100001f, // cmp w0, #0
   0x540000a0, // b.eq to the ret
   0x51000400, // sub w0, w0, #1
   0xf81f0ffe, // str x30, [sp, #-16]!
   0x97fffffc, // bl to the start
   0xf84107fe, // ldr x30, [sp], #16
   0xd65f03c0, // ret
};

static const uint32_t late[] = {
   0x52800020, // mov w0, #1
   0x11000400, // add w0, w0, #1
   0xd65f03c0, // ret
};

enum { RET = 4 }; // bytes

#else

static const unsigned char adder[] = {
   0xb8, 2, 0, 0, 0, // mov $2, %eax
   0xc3,             // ret
};

static const unsigned char count_down[] = {
   0x85, 0xff,                   // test %edi, %edi
   0x74, 0x0f,                   // je to the ret
   0xff, 0xcf,                   // dec %edi
   0x48, 0x83, 0xec, 8,          // sub $8, %rsp
   0xe8, 0xf1, 0xff, 0xff, 0xff, // call to the start
   0x48, 0x83, 0xc4, 8,          // add $8, %rsp
   0xc3,                         // ret
};

static const unsigned char late[] = {
   0xb8, 1, 0, 0, 0, // mov $1, %eax
   0xff, 0xc0,       // inc %eax
   0xc3,             // ret
};

enum { RET = 1 }; // bytes

#endif

COUNTED int run(unsigned long offset, int times, int argument)
{
   int sum = 0;
   for (int i = 0; i < times; i++)
      sum += ((Code*)(uintptr_t)(CODE + offset))(argument);
   return sum;
}

static void install(unsigned long offset, const void* code, size_t size)
{
   memcpy((void*)(CODE + offset), code, size);
   VALGRIND_DISCARD_TRANSLATIONS(CODE + offset, size);
}

static char path[40];

static void note(const char* format, ...)
{
   va_list arguments;
   va_start(arguments, format);
   FILE* file = fopen(path, "a");
   vfprintf(file, format, arguments);
   fclose(file);
   va_end(arguments);
}

static int link_map(void)
{
   char real[sizeof path];
   sprintf(real, "/tmp/perf-%d.real", (int)getpid());
   return symlink(real, path);
}

static int work(void)
{
   install(0x000, adder, sizeof adder);
   install(0x100, count_down, sizeof count_down);
   install(0x200, adder, sizeof adder);
   install(0x300, adder, sizeof adder);
   install(0x400, adder, sizeof adder);
   install(0x500, adder, sizeof adder);
   install(0x600, adder, sizeof adder);
   note("20000000 600 an old one\n"
        "no entry\n"
        "20000500 zz no entry\n"
        "20000000 %1$zx adder\n"
        "0x20000100 %2$zx count down\n"
        "20000200 %1$zx adder\n"
        "20000300 %1$zx (7) \"q\" a*b \\n $x fn=(1)'2\n"
        "20000400 %1$zx early\n",
        sizeof adder, sizeof count_down);
   int sum = run(0x000, 10, 0) + run(0x200, 4, 0) + run(0x300, 1, 0);
   run(sizeof adder - RET, 3, 0);
   run(0x100, 1, 5);
   run(0x100, 1, 0);
   sum += run(0x400, 5, 0);
   install(0x400, late, sizeof late);
   note("20000400 %zx late: 3 instructions", sizeof late);
   return sum + run(0x400, 6, 0) + run(0x500, 2, 0) + run(0x600, 1, 0);
}

static int child(int has_own)
{
   if (has_own) {
      sprintf(path, "/tmp/perf-%d.map", (int)getpid());
      note("20000000 %zx child's adder\n", sizeof adder - RET);
   }
   return run(0x000, 7, 0) == 14 && run(0x200, 1, 0) == 2 ? 0 : 1;
}

static int fork_child(int has_own)
{
   pid_t pid = fork();
   if (pid == 0) _exit(child(has_own));
   int status;
   return waitpid(pid, &status, 0) == pid && status == 0 ? 0 : 1;
}

int main(int n, char** args)
{
   const char* mode = n > 1 ? args[1] : "";
   char* code = mmap((void*)CODE, SIZE, PROT_READ | PROT_WRITE | PROT_EXEC,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
   if (code != (char*)CODE) return 2;
   sprintf(path, "/tmp/perf-%d.map", (int)getpid());
   unlink(path);
   if (strcmp(mode, "link") == 0 && link_map() != 0) return 2;
   if (work() != 2 * (10 + 4 + 1 + 5 + 6 + 2 + 1)) return 1;
   if (strcmp(mode, "fork") == 0) return fork_child(0);
   if (strcmp(mode, "own") == 0) return fork_child(1);
   return 0;
}
