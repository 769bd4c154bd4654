#include "arch/vexcpu.h"

#include "arch/cpuid.h"
#include "arch/cpunative.h"
#include "arch/guest.h"

#if defined(CG2_X86_H)

#include "libvex.h"

typedef VexGuestArchState GuestState;

/* How each of the functions may be called: arguments that it does not know do
 * no harm. */
typedef void (*Answer)(GuestState* state,
                       UWord f16c,
                       UWord rdrand,
                       UWord rdseed);

#if defined(__x86_64__)

/* Source: VEX, where these are not static. */
void amd64g_dirtyhelper_CPUID_baseline(GuestState*);
void amd64g_dirtyhelper_CPUID_sse3_and_cx16(GuestState*);
void amd64g_dirtyhelper_CPUID_sse42_and_cx16(GuestState*);
void amd64g_dirtyhelper_CPUID_avx_and_cx16(GuestState*, UWord, UWord, UWord);
void amd64g_dirtyhelper_CPUID_avx2(GuestState*, UWord, UWord, UWord);

/* Source: Intel's manual, volume 2, CPUID, and System V ABI for x86-64: what
 * the level v4 adds to AVX2 in ebx of leaf 7, and what is kept of it by XSAVE
 * in leaf 13: the host says where. */
static void answer_v4(GuestState* state, UWord f16c, UWord rdrand, UWord rdseed)
{
   enum { FEATURES = 7, KEPT = 13, ALL = 0xe7, FIRST = 5, LAST = 7 };
   const ULong added = 1U << 16 | 1U << 17 | 1U << 28 | 1U << 30 | 1U << 31;
   UInt leaf = state->guest_RAX, part = state->guest_RCX;
   UInt there[CPUID_REGISTERS];
   amd64g_dirtyhelper_CPUID_avx2(state, f16c, rdrand, rdseed);
   if (leaf == FEATURES && part == 0) state->guest_RBX |= added;
   if (leaf != KEPT) return;
   if (part == 0) {
      cg2_cpuid_here(leaf, LAST, there);
      state->guest_RAX = ALL;
      state->guest_RBX = state->guest_RCX = there[CPUID_EAX] + there[CPUID_EBX];
   } else if (part >= FIRST && part <= LAST) {
      cg2_cpuid_here(leaf, part, there);
      state->guest_RAX = there[CPUID_EAX];
      state->guest_RBX = there[CPUID_EBX];
      state->guest_RCX = state->guest_RDX = 0;
   }
}

/* Adds to an answer what the host has besides. */
static void
add_native(GuestState* state, UInt leaf, UInt subleaf, Bool has_avx512)
{
   enum { FEATURES = 7 };
   UInt answer[CPUID_REGISTERS] = {state->guest_RAX, state->guest_RBX,
                                   state->guest_RCX, state->guest_RDX};
   if (leaf != FEATURES) return;
   cg2_cpunative_add(subleaf, has_avx512, answer);
   state->guest_RAX = answer[CPUID_EAX];
   state->guest_RBX = answer[CPUID_EBX];
   state->guest_RCX = answer[CPUID_ECX];
   state->guest_RDX = answer[CPUID_EDX];
}

static void
answer_native_v4(GuestState* state, UWord f16c, UWord rdrand, UWord rdseed)
{
   UInt leaf = state->guest_RAX, subleaf = state->guest_RCX;
   answer_v4(state, f16c, rdrand, rdseed);
   add_native(state, leaf, subleaf, True);
}

static void
answer_native_avx2(GuestState* state, UWord f16c, UWord rdrand, UWord rdseed)
{
   UInt leaf = state->guest_RAX, subleaf = state->guest_RCX;
   amd64g_dirtyhelper_CPUID_avx2(state, f16c, rdrand, rdseed);
   add_native(state, leaf, subleaf, False);
}

static const VexCpuid native_answers[CPU_CLASSES] = {
   [CPU_AVX2] = {"answer_native_avx2", answer_native_avx2},
   [CPU_V4] = {"answer_native_v4", answer_native_v4},
};

/* The function of SSE3 answers as a Core 2, which has SSSE3. */
static const VexCpuid answers[] = {
   [CPU_BASELINE] = {"amd64g_dirtyhelper_CPUID_baseline",
                     amd64g_dirtyhelper_CPUID_baseline},
   [CPU_SSSE3] = {"amd64g_dirtyhelper_CPUID_sse3_and_cx16",
                  amd64g_dirtyhelper_CPUID_sse3_and_cx16},
   [CPU_SSE42] = {"amd64g_dirtyhelper_CPUID_sse42_and_cx16",
                  amd64g_dirtyhelper_CPUID_sse42_and_cx16},
   [CPU_AVX] = {"amd64g_dirtyhelper_CPUID_avx_and_cx16",
                amd64g_dirtyhelper_CPUID_avx_and_cx16},
   [CPU_AVX2] = {"amd64g_dirtyhelper_CPUID_avx2",
                 amd64g_dirtyhelper_CPUID_avx2},
   [CPU_V4] = {"answer_v4", answer_v4},
};

/* The registers for a leaf and a part of its answer. */
#define EAX guest_RAX
#define EDX guest_RDX

/* Source: how VEX chooses. Each class needs what those before it need, too. */
static const UInt needs[] = {
   [CPU_BASELINE] = 0,
   [CPU_SSSE3] = VEX_HWCAPS_AMD64_SSE3 | VEX_HWCAPS_AMD64_CX16,
   [CPU_SSE42] = VEX_HWCAPS_AMD64_SSSE3,
   [CPU_AVX] = VEX_HWCAPS_AMD64_AVX,
   [CPU_AVX2] = VEX_HWCAPS_AMD64_AVX2,
};

/* Source: which of these the functions look at. */
static void add_instructions(UInt hwcaps, Cpu* host)
{
   Bool is_told = host->class >= CPU_AVX;
   host->has_f16c = is_told && hwcaps & VEX_HWCAPS_AMD64_F16C;
   host->has_rdrand = is_told && hwcaps & VEX_HWCAPS_AMD64_RDRAND;
   host->has_rdseed =
      host->class >= CPU_AVX2 && hwcaps & VEX_HWCAPS_AMD64_RDSEED;
}

#else

static const VexCpuid native_answers[CPU_CLASSES]; /* none */

void x86g_dirtyhelper_CPUID_sse2(GuestState*);
void x86g_dirtyhelper_CPUID_sse3(GuestState*);

static const VexCpuid answers[] = {
   [CPU_BASELINE] = {"x86g_dirtyhelper_CPUID_sse2",
                     x86g_dirtyhelper_CPUID_sse2},
   [CPU_SSSE3] = {"x86g_dirtyhelper_CPUID_sse3", x86g_dirtyhelper_CPUID_sse3},
};

#define EAX guest_EAX
#define EDX guest_EDX

static const UInt needs[] = {
   [CPU_BASELINE] = 0, [CPU_SSSE3] = VEX_HWCAPS_X86_SSE3};

static void add_instructions(UInt hwcaps, Cpu* host)
{
   (void)hwcaps, (void)host;
}

#endif

static const CpuClass N_ANSWERS = sizeof answers / sizeof *answers;

Bool cg2_vexcpu_host(UInt hwcaps, Cpu* host)
{
   const UInt N_NEEDS = sizeof needs / sizeof *needs;
   UInt n = 0;
   while (n < N_NEEDS && (hwcaps & needs[n]) == needs[n])
      n++;
   if (n == 0) return False;
   *host = (Cpu){.class = n - 1};
   add_instructions(hwcaps, host);
   return True;
}

VexCpuid cg2_vexcpu_answer(const Cpu* cpu)
{
   tl_assert(cpu->class < N_ANSWERS);
   return cpu->is_native ? native_answers[cpu->class] : answers[cpu->class];
}

Bool cg2_vexcpu_answers(const void* function)
{
   for (UInt i = 0; i < N_ANSWERS; i++)
      if (answers[i].function == function) return True;
   return False;
}

/* What a processor answers to a leaf in edx. */
static UInt edx_of(const Cpu* cpu, UInt leaf)
{
   GuestState state;
   VG_(memset)(&state, 0, sizeof state);
   state.EAX = leaf;
   Answer answer = (Answer)cg2_vexcpu_answer(cpu).function;
   answer(&state, cpu->has_f16c, cpu->has_rdrand, cpu->has_rdseed);
   return state.EDX;
}

/* Source: Linux, elf.h and asm/elf.h: AT_HWCAP is edx of leaf 1 of CPUID, which
 * is all that an x86 processor says there. Valgrind leaves AT_HWCAP2 out. */
void cg2_vexcpu_see(UWord* auxiliary, const Cpu* chosen)
{
   enum { AT_END = 0, AT_HWCAP = 16, FEATURES = 1 };
   for (; chosen && auxiliary[0] != AT_END; auxiliary += 2)
      if (auxiliary[0] == AT_HWCAP) auxiliary[1] = edx_of(chosen, FEATURES);
}

#endif
