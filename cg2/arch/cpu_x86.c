#include "arch/cpu.h"

#include "arch/cpuid.h"
#include "arch/cpunative.h"
#include "arch/guest.h"

#if defined(CG2_X86_H)

static const HChar* const names[CPU_CLASSES] = {
   [CPU_BASELINE] = "baseline", [CPU_SSSE3] = "ssse3", [CPU_SSE42] = "sse4.2",
   [CPU_AVX] = "avx",           [CPU_AVX2] = "avx2",   [CPU_V4] = "x86-64-v4",
};

/* Source: VEX's answers to CPUID, and that of a processor with AVX-512, whose
 * name is the psABI's. Those to a 32-bit program are of SSE2 and of
 * SSE3, and of nothing beyond. */
#if defined(__x86_64__)
static const CpuClass MOST = CPU_V4;
static const HChar* const* const told = names;
#else
static const CpuClass MOST = CPU_SSSE3;
static const HChar* const told[] = {"sse2", "sse3"};
#endif

const HChar* cg2_cpu_names(void)
{
   return "native, x86-64-v4, avx2, avx, sse4.2, ssse3 or baseline";
}

static Cpu native(void)
{
   CpuClass most = cg2_cpuid_kinds() & HAS_AVX512 ? CPU_V4 : CPU_AVX2;
   return (Cpu){.class = most < MOST ? most : MOST,
                .is_native = MOST == CPU_V4};
}

/* All processors with AVX2 have had F16C and RDRAND. */
Bool cg2_cpu_named(const HChar* name, Cpu* cpu)
{
   if (!VG_(strcmp)(name, "native")) {
      *cpu = native();
      return True;
   }
   for (CpuClass c = 0; c < CPU_CLASSES; c++) {
      if (VG_(strcmp)(name, names[c])) continue;
      Bool is_recent = c <= MOST && c >= CPU_AVX2;
      *cpu = (Cpu){.class = c < MOST ? c : MOST,
                   .has_f16c = is_recent,
                   .has_rdrand = is_recent};
      return True;
   }
   return False;
}

Bool cg2_cpu_covers(const Cpu* host, const Cpu* cpu)
{
   return host->class >= cpu->class && host->has_f16c >= cpu->has_f16c &&
          host->has_rdrand >= cpu->has_rdrand &&
          host->has_rdseed >= cpu->has_rdseed;
}

/* Source: Intel's manual, volume 2: XGETBV is 0F 01 D0, and came with AVX. */
Bool cg2_cpu_lacks(const Cpu* cpu, const UChar* code, UInt length)
{
   return cpu->class < CPU_AVX && length == 3 && code[0] == 0x0f &&
          code[1] == 0x01 && code[2] == 0xd0;
}

void cg2_cpu_describe(const Cpu* cpu, HChar* text)
{
   VG_(sprintf)
   (text, "%s%s%s%s", told[cpu->class], cpu->has_f16c ? " f16c" : "",
    cpu->has_rdrand ? " rdrand" : "", cpu->has_rdseed ? " rdseed" : "");
   if (cpu->is_native) cg2_cpunative_describe(cpu->class == CPU_V4, text);
}

#endif
