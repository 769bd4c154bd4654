/* Code that is there once it was called: `call` calls each of 3 pages twice.
   The first time that faults, and the handler calls `other` by the same call
   instruction before it makes the page readable. Behind each of the 6 calls,
   `call` calls `other` 4 times. */

#define _GNU_SOURCE
#include "counted.h"
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGES = 3, SIZE = 4096 };

typedef int Code(void);

static char* page;

#ifdef __aarch64__
static const unsigned code[] = {
   0x52800040, // mov w0, #2
   0xd65f03c0, // ret
};
#else
static const unsigned char code[] = {
   0xb8, 2, 0, 0, 0, // mov $2, %eax
   0xc3,             // ret
};
#endif

/* Has more blocks than a page has. */
COUNTED int other(void)
{
   volatile int n = 0;
   for (int i = 0; i < 3; i++)
      if (i != 1) n++;
   return n;
}

COUNTED int call(Code* callee)
{
   int n = callee();
   OPAQUE(n);
   return n;
}

COUNTED void bring(int signal)
{
   (void)signal;
   if (call(other) == 2) mprotect(page, SIZE, PROT_READ | PROT_EXEC);
}

static void write_page(void)
{
   page = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
               -1, 0);
   memcpy(page, code, sizeof code);
   __builtin___clear_cache(page, page + sizeof code);
   mprotect(page, SIZE, PROT_NONE);
}

int main(void)
{
   int sum = 0;
   signal(SIGSEGV, bring);
   for (int i = 0; i < 2 * PAGES; i++) {
      if (i % 2 == 0) write_page();
      sum += call((Code*)(uintptr_t)page);
      for (int j = 0; j < 4; j++)
         sum += call(other);
   }
   return sum == 6 * 2 + 24 * 2 ? 0 : 1;
}
