#include "arch/cpu.h"

#include "arch/guest.h"

#if defined(CG2_ARM64_H)

/* Source: Linux, uapi/asm/hwcap.h and cpuinfo.c of arm64: the bits of AT_HWCAP
 * and AT_HWCAP2, from the lowest on, by the names in /proc/cpuinfo. */
static const HChar* const bits[CPU_CAPABILITIES][64] = {
   {"fp",     "asimd",   "evtstrm",  "aes",     "pmull", "sha1",     "sha2",
    "crc32",  "atomics", "fphp",     "asimdhp", "cpuid", "asimdrdm", "jscvt",
    "fcma",   "lrcpc",   "dcpop",    "sha3",    "sm3",   "sm4",      "asimddp",
    "sha512", "sve",     "asimdfhm", "dit",     "uscat", "ilrcpc",   "flagm",
    "ssbs",   "sb",      "paca",     "pacg"},
   {"dcpodp",  "sve2",   "sveaes", "svepmull", "svebitperm", "svesha3",
    "svesm4",  "flagm2", "frint",  "svei8mm",  "svef32mm",   "svef64mm",
    "svebf16", "i8mm",   "bf16",   "dgh",      "rng",        "bti",
    "mte",     "ecv",    "afp",    "rpres",    "mte3"},
};

enum { FP_ASIMD = 0x3, CRYPTOGRAPHY = 0xf8, ATOMICS = 0x100 };

/* From the least to the most. crypto: with AES, PMULL, SHA-1, SHA-2 and CRC32,
 * as of Cortex-A53 on with few exceptions; lse: with the atomic instructions of
 * ARMv8.1, as of Cortex-A55 and Neoverse N1 on. */
static const struct {
   const HChar* name;
   ULong capabilities;
} classes[] = {
   {"baseline", FP_ASIMD},
   {"crypto", FP_ASIMD | CRYPTOGRAPHY},
   {"lse", FP_ASIMD | CRYPTOGRAPHY | ATOMICS},
};

enum { N_CLASSES = sizeof classes / sizeof *classes };

const HChar* cg2_cpu_names(void)
{
   return "lse, crypto or baseline";
}

Bool cg2_cpu_named(const HChar* name, Cpu* cpu)
{
   for (UInt i = 0; i < N_CLASSES; i++) {
      if (VG_(strcmp)(name, classes[i].name)) continue;
      *cpu = (Cpu){.capabilities = {classes[i].capabilities}};
      return True;
   }
   return False;
}

Bool cg2_cpu_covers(const Cpu* host, const Cpu* cpu)
{
   for (UInt word = 0; word < CPU_CAPABILITIES; word++)
      if (cpu->capabilities[word] & ~host->capabilities[word]) return False;
   return True;
}

/* There is no instruction that asks. */
Bool cg2_cpu_lacks(const Cpu* cpu, const UChar* code, UInt length)
{
   (void)cpu, (void)code, (void)length;
   return False;
}

/* Writes the names of the bits of a word to `text`, and moves its end. */
static HChar* describe_bits(UInt word, ULong set, HChar* text)
{
   for (UInt bit = 0; bit < 64; bit++) {
      if (!(set >> bit & 1)) continue;
      if (bits[word][bit])
         text += VG_(sprintf)(text, " %s", bits[word][bit]);
      else
         text += VG_(sprintf)(text, " hwcap%u.%u", word + 1, bit);
   }
   return text;
}

void cg2_cpu_describe(const Cpu* cpu, HChar* text)
{
   ULong first = cpu->capabilities[0];
   UInt n = N_CLASSES;
   while (n > 0 && classes[n - 1].capabilities & ~first)
      n--;
   text += VG_(sprintf)(text, "%s", n ? classes[n - 1].name : "none");
   if (n) first &= ~classes[n - 1].capabilities;
   text = describe_bits(0, first, text);
   describe_bits(1, cpu->capabilities[1], text);
}

#endif
