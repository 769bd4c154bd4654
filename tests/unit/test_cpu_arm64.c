/* Which capabilities a word stands for on arm64, what they are called, and who
 * can run them. */
#include "arch/cpu.h"
#include "check.h"

static void check_described(ULong first, ULong second, const char* expected)
{
   Cpu cpu = {.capabilities = {first, second}};
   HChar text[CPU_TEXT];
   cg2_cpu_describe(&cpu, text);
   CHECK_TEXT(text, expected);
}

/* Source: uapi/asm/hwcap.h of Linux's arm64. */
static void check_named(const char* name, ULong capabilities)
{
   Cpu cpu;
   HChar text[CPU_TEXT];
   CHECK(cg2_cpu_named(name, &cpu));
   CHECK_EQ(cpu.capabilities[0], capabilities);
   CHECK_EQ(cpu.capabilities[1], 0);
   cg2_cpu_describe(&cpu, text);
   CHECK_TEXT(text, name);
}

static void test_names(void)
{
   Cpu cpu;
   check_named("baseline", 0x3);
   check_named("crypto", 0xfb);
   check_named("lse", 0x1fb);
   CHECK(!cg2_cpu_named("avx2", &cpu));
   CHECK(!cg2_cpu_named("", &cpu));
}

/* The highest class that all is there of, and what is there besides. */
static void test_all_that_is_said(void)
{
   check_described(0x1ff, 0, "lse evtstrm");
   check_described(0x83, 0, "baseline crc32");
   check_described(0x1f3, 0, "baseline pmull sha1 sha2 crc32 atomics");
   check_described(0x119ffb, 0,
                   "lse fphp asimdhp cpuid asimdrdm lrcpc dcpop asimddp");
   check_described(0x1fb, 0x7, "lse dcpodp sve2 sveaes");
   check_described(0x1, 0, "none fp");
   check_described(1ULL << 63 | 0x3, 1ULL << 40,
                   "baseline hwcap1.63 hwcap2.40");
}

/* All bits at once, each with a name, fit. */
static void test_longest(void)
{
   Cpu cpu = {.capabilities = {~0ULL, ~0ULL}};
   HChar text[CPU_TEXT];
   cg2_cpu_describe(&cpu, text);
   CHECK(VG_(strlen)(text) < CPU_TEXT);
}

static void test_covers(void)
{
   static const char* const names[] = {"baseline", "crypto", "lse"};
   for (UInt host = 0; host < 3; host++)
      for (UInt i = 0; i < 3; i++) {
         Cpu here, wanted;
         CHECK(cg2_cpu_named(names[host], &here));
         CHECK(cg2_cpu_named(names[i], &wanted));
         CHECK_EQ(cg2_cpu_covers(&here, &wanted), i <= host);
         wanted.capabilities[1] = 1;
         CHECK(!cg2_cpu_covers(&here, &wanted));
      }
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"names", test_names},
      {"all_that_is_said", test_all_that_is_said},
      {"longest", test_longest},
      {"covers", test_covers},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
