#include "arch/cpunative.h"

#include "arch/cpuid.h"

typedef struct NativeBit {
   const HChar* name;
   UChar subleaf, which, bit;
   Bool needs_avx512;
} NativeBit;

enum { LEAF = 7 };

/* Source: Intel's manual, volume 2, CPUID, leaf 7; Linux, cpufeatures.h: the
 * names. */
static const NativeBit bits[] = {
   {"sha_ni", 0, CPUID_EBX, 29, False},
   {"gfni", 0, CPUID_ECX, 8, False},
   {"vaes", 0, CPUID_ECX, 9, False},
   {"vpclmulqdq", 0, CPUID_ECX, 10, False},
   {"movdiri", 0, CPUID_ECX, 27, False},
   {"avx_vnni", 1, CPUID_EAX, 4, False},
   {"avx_ifma", 1, CPUID_EAX, 23, False},
   {"avx512ifma", 0, CPUID_EBX, 21, True},
   {"avx512vbmi", 0, CPUID_ECX, 1, True},
   {"avx512_vbmi2", 0, CPUID_ECX, 6, True},
   {"avx512_vnni", 0, CPUID_ECX, 11, True},
   {"avx512_bitalg", 0, CPUID_ECX, 12, True},
   {"avx512_vpopcntdq", 0, CPUID_ECX, 14, True},
   {"avx512_vp2intersect", 0, CPUID_EDX, 8, True},
   {"avx512_fp16", 0, CPUID_EDX, 23, True},
   {"avx512_bf16", 1, CPUID_EAX, 5, True},
};

enum { N_BITS = sizeof bits / sizeof *bits };

static Bool is_there(const NativeBit* b, Bool has_avx512)
{
   UInt here[CPUID_REGISTERS];
   if (b->needs_avx512 && !has_avx512) return False;
   cg2_cpuid_here(LEAF, 0, here);
   if (here[CPUID_EAX] < b->subleaf) return False;
   cg2_cpuid_here(LEAF, b->subleaf, here);
   return here[b->which] >> b->bit & 1;
}

/* eax of subleaf 0 is the last subleaf. */
void cg2_cpunative_add(UInt subleaf, Bool has_avx512, UInt* registers)
{
   for (UInt i = 0; i < N_BITS; i++) {
      const NativeBit* b = &bits[i];
      if (!is_there(b, has_avx512)) continue;
      if (b->subleaf == subleaf) registers[b->which] |= 1U << b->bit;
      if (subleaf == 0 && b->subleaf > registers[CPUID_EAX])
         registers[CPUID_EAX] = b->subleaf;
   }
}

void cg2_cpunative_describe(Bool has_avx512, HChar* text)
{
   for (UInt i = 0; i < N_BITS; i++)
      if (is_there(&bits[i], has_avx512))
         VG_(sprintf)(text + VG_(strlen)(text), " %s", bits[i].name);
}
