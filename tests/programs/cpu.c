/* Prints what the processor says of itself: CPUID leaves 1 and 7, and xgetbv
 * where CPUID says that it may be asked, or where an argument asks all the
 * same; then what the kernel says of it. Copies memory by the function that
 * libc chooses. */
#define _GNU_SOURCE
#include <cpuid.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void print_leaf(unsigned leaf)
{
   unsigned a, b, c, d;
   __cpuid_count(leaf, 0, a, b, c, d);
   printf("leaf %u: %08x %08x %08x %08x\n", leaf, a, b, c, d);
}

static void print_states(void)
{
   unsigned low, high;
   __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
   printf("xgetbv: %u %u\n", low, high);
}

static int has_states(void)
{
   unsigned a, b, c, d;
   __cpuid(1, a, b, c, d);
   return c >> 27 & 1;
}

/* Words of the auxiliary vector, which lies behind the environment; libc puts a
 * value of its own in place of one. */
static void print_auxiliary(void)
{
   char** variable = environ;
   while (*variable)
      variable++;
   for (ElfW(auxv_t)* a = (void*)(variable + 1); a->a_type != AT_NULL; a++) {
      if (a->a_type == AT_HWCAP)
         printf("hwcap: %08lx\n", (unsigned long)a->a_un.a_val);
      if (a->a_type == AT_HWCAP2)
         printf("hwcap2: %lx\n", (unsigned long)a->a_un.a_val);
      if (a->a_type == AT_PLATFORM)
         printf("platform: %s\n", (const char*)a->a_un.a_val);
   }
}

/* Not known when this is compiled: libc's function is called. */
static volatile size_t length = 5000;

int main(int argc, char** argv)
{
   static char from[10000], to[10000];
   (void)argv;
   print_leaf(1);
   print_leaf(7);
   if (has_states() || argc > 1) print_states();
   print_auxiliary();
   memcpy(to, from, length);
   return to[length - 1];
}
