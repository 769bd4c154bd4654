/* Code written at run time, at a fixed address (CODE), called, rewritten and
   called again.

   - small: 2 instructions, called 10 times
   - loop: 3, and 5 times 2 instructions, called 20 times
   - calls: 4 instructions (arm64: 5), called 4 times; it calls `callback`

   All in all 10 * 2 + 20 * 13 + 4 * 4 (arm64: 4 * 5) instructions without a
   symbol. */

#define _GNU_SOURCE
#include "counted.h"
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <valgrind/valgrind.h>

#define CODE 0x20000000UL
#define SIZE 4096

typedef int Code(void);

static char* buffer;

COUNTED int callback(void)
{
   return 5;
}

COUNTED void install(const void* code, size_t size)
{
   memcpy(buffer, code, size);
   __builtin___clear_cache(buffer, buffer + size);
   VALGRIND_DISCARD_TRANSLATIONS(buffer, SIZE);
}

COUNTED int run(int times)
{
   int sum = 0;
   for (int i = 0; i < times; i++)
      sum += ((Code*)(uintptr_t)buffer)();
   return sum;
}

#ifdef __aarch64__
static const unsigned small[] = {
   0x52800040, // mov w0, #2
   0xd65f03c0, // ret
};

static const unsigned loop[] = {
   0x528000a1, // mov w1, #5
   0x71000421, // subs w1, w1, #1
   0x54ffffe1, // b.ne to the subs
   0x52800060, // mov w0, #3
   0xd65f03c0, // ret
};

static unsigned calls[] = {
   0xf81f0ffe, // str x30, [sp, #-16]!
   0x58000081, // ldr x1, the pointer after the ret
   0xd63f0020, // blr x1
   0xf84107fe, // ldr x30, [sp], #16
   0xd65f03c0, // ret
   0, 0,
};
#else
static const unsigned char small[] = {
   0xb8, 2, 0, 0, 0, // mov $2, %eax
   0xc3,             // ret
};

static const unsigned char loop[] = {
   0xb9, 5,    0, 0, 0, // mov $5, %ecx
   0xff, 0xc9,          // dec %ecx
   0x75, 0xfc,          // jnz to the dec
   0xb8, 3,    0, 0, 0, // mov $3, %eax
   0xc3,                // ret
};

static unsigned char calls[] = {
   0x48, 0x83, 0xec, 8,       // sub $8, %rsp
   0xff, 0x15, 5,    0, 0, 0, // call *5(%rip): the pointer after the ret
   0x48, 0x83, 0xc4, 8,       // add $8, %rsp
   0xc3,                      // ret
   0,    0,    0,    0, 0, 0, 0, 0,
};
#endif

int main(void)
{
   buffer = mmap((void*)CODE, SIZE, PROT_READ | PROT_WRITE | PROT_EXEC,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
   if (buffer != (char*)CODE) return 2;
   int sum = 0;
   install(small, sizeof small);
   sum += run(10);
   install(loop, sizeof loop);
   sum += run(20);
   Code* target = callback;
   memcpy((char*)calls + sizeof calls - sizeof target, &target, sizeof target);
   install(calls, sizeof calls);
   sum += run(4);
   return sum == 20 + 60 + 20 ? 0 : 1;
}
