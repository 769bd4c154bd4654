/* Which processor a word stands for, what it is called, and who can run it. */
#include "arch/cpu.h"
#include "check.h"

static void check_described(const char* name, const char* expected)
{
   Cpu cpu;
   HChar text[CPU_TEXT];
   CHECK(cg2_cpu_named(name, &cpu));
   cg2_cpu_describe(&cpu, text);
   CHECK_TEXT(text, expected);
}

static void test_names(void)
{
   Bool is_64 = sizeof(Addr) == 8;
   Cpu cpu;
   check_described("baseline", is_64 ? "baseline" : "sse2");
   check_described("ssse3", is_64 ? "ssse3" : "sse3");
   check_described("sse4.2", is_64 ? "sse4.2" : "sse3");
   check_described("avx", is_64 ? "avx" : "sse3");
   check_described("avx2", is_64 ? "avx2 f16c rdrand" : "sse3");
   check_described("x86-64-v4", is_64 ? "x86-64-v4 f16c rdrand" : "sse3");
   CHECK(!cg2_cpu_named("avx512", &cpu));
   CHECK(!cg2_cpu_named("", &cpu));
}

static void test_all_that_is_said(void)
{
   const Cpu cpu = {CPU_BASELINE, True, True, True, {0}, False};
   HChar text[CPU_TEXT];
   cg2_cpu_describe(&cpu, text);
   CHECK_TEXT(text, sizeof(Addr) == 8 ? "baseline f16c rdrand rdseed"
                                      : "sse2 f16c rdrand rdseed");
}

static void test_covers(void)
{
   const Cpu host = {CPU_V4, True, False, False, {0}, False};
   for (CpuClass c = 0; c < CPU_CLASSES; c++) {
      Cpu cpu = {.class = c};
      Cpu low = {.class = CPU_SSE42};
      CHECK(cg2_cpu_covers(&host, &cpu));
      CHECK_EQ(cg2_cpu_covers(&low, &cpu), c <= CPU_SSE42);
   }
   CHECK(cg2_cpu_covers(&host, &host));
   Cpu with_rdrand = host, with_rdseed = host;
   with_rdrand.has_rdrand = with_rdseed.has_rdseed = True;
   CHECK(!cg2_cpu_covers(&host, &with_rdrand));
   CHECK(!cg2_cpu_covers(&host, &with_rdseed));
}

/* xgetbv; lgdt (%rax); xgetbv with a prefix, which nobody writes */
static void test_lacks(void)
{
   const UChar xgetbv[] = {0x0f, 0x01, 0xd0}, lgdt[] = {0x0f, 0x01, 0x10};
   const Cpu old = {.class = CPU_SSE42}, new = {.class = CPU_AVX};
   CHECK(cg2_cpu_lacks(&old, xgetbv, 3));
   CHECK(!cg2_cpu_lacks(&old, lgdt, 3));
   CHECK(!cg2_cpu_lacks(&old, xgetbv, 4));
   CHECK(!cg2_cpu_lacks(&new, xgetbv, 3));
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"names", test_names},
      {"all_that_is_said", test_all_that_is_said},
      {"covers", test_covers},
      {"lacks", test_lacks},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
