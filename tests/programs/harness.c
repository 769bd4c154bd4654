/* For tests/harnesses: a program of a process alone, without libc, that counts
   the same in any environment. It is made with -nostdlib -static.

   Its stack begins at the end of a page, so that its accesses to memory are of
   the same lines of a cache. It ends by a block of ENDING instructions, which
   Callgrind does not count. */

#include "harness.h"
#include "counted.h"

enum { ENDING = 3 };

COUNTED unsigned leaf(unsigned n)
{
   unsigned x = n;
   for (unsigned i = 0; i < n; i++) {
      x = mixed(x + i);
      if (x & 4) table[x % sizeof table] = (unsigned char)x;
   }
   return x;
}

COUNTED unsigned recur(unsigned levels)
{
   unsigned x = leaf(levels);
   return levels == 0 ? x : x + recur(levels - 1);
}

COUNTED unsigned bench_one(void)
{
   return leaf(100) + leaf(200);
}

COUNTED unsigned bench_two(void)
{
   unsigned x = 0;
   for (unsigned i = 0; i < 50; i++)
      x += recur(4);
   return x;
}

/* Where a module begins that Nuitka made of a script. */
COUNTED unsigned PyInit___main__(void)
{
   return bench_one() + bench_two();
}

COUNTED int main(void)
{
   table[0] = (unsigned char)leaf(1000);
   table[1] = (unsigned char)PyInit___main__();
   return 0;
}

__asm__(".globl _start\n"
        ".type _start, %function\n"
        "_start:\n"
#ifdef __aarch64__
        "   mov x0, sp\n"
        "   and x0, x0, -4096\n"
        "   mov sp, x0\n"
        "   bl main\n"
        "   mov w0, w0\n"
        "   mov x8, 93\n"
        "   svc 0\n"
#else
        "   and $-4096, %rsp\n"
        "   call main\n"
        "   mov %eax, %edi\n"
        "   mov $60, %eax\n"
        "   syscall\n"
#endif
        ".size _start, . - _start\n");
