/* CPU: what the processor says of itself to the program.
 *
 * A program is told of the processor by Valgrind, in a few ways: classes, each
 * of which is a processor of some year. The program is told all that the host
 * and Valgrind can do, or a class that somebody chooses, so that libraries
 * choose the same code on every host.
 *
 * Programs for amd64 and x86 ask by the instruction CPUID; Valgrind answers it
 * by itself, as the best class that the host can run. Those for arm64 look at
 * words in which the kernel says what there is, AT_HWCAP and AT_HWCAP2;
 * Valgrind leaves out what it cannot do. */
#ifndef CG2_CPU_H
#define CG2_CPU_H

#include "base/vg.h"

/* From the least to the most. Each has the instructions of those before it. */
typedef enum CpuClass {
   CPU_BASELINE, /* SSE2, which all 64-bit processors have */
   CPU_SSSE3,
   CPU_SSE42,
   CPU_AVX,
   CPU_AVX2,
   CPU_V4, /* AVX-512: F, DQ, CD, BW, VL; VEX does not know of it */
   CPU_CLASSES
} CpuClass;

/* AT_HWCAP and AT_HWCAP2. */
enum { CPU_CAPABILITIES = 2 };

typedef struct Cpu {
   /* amd64 and x86 */
   CpuClass class;
   Bool has_f16c, has_rdrand, has_rdseed; /* instructions that not all of a
                                             class have */
   /* arm64 */
   ULong capabilities[CPU_CAPABILITIES];
   /* amd64 */
   Bool is_native; /* with what the host has besides: cpunative.h */
} Cpu;

/* A text about a Cpu, with the zero at its end. */
enum { CPU_TEXT = 1024 };

/* The words that cg2_cpu_named() knows, for a message: "a, b or c". */
const HChar* cg2_cpu_names(void);

/* Writes the processor that the word `name` stands for to `cpu`: the same on
 * every host, but for native, which is the most that this host may have.
 * 32-bit programs are told of SSE3 at most, so all words beyond baseline stand
 * for that. False: this is no such word. */
Bool cg2_cpu_named(const HChar* name, Cpu* cpu);

/* Whether `host` can run all that a program does which is told of `cpu`. */
Bool cg2_cpu_covers(const Cpu* host, const Cpu* cpu);

/* Whether a processor lacks the instruction of `length` bytes at `code`, which
 * only asks what the processor has: code that CPUID warns of it. */
Bool cg2_cpu_lacks(const Cpu* cpu, const UChar* code, UInt length);

/* Writes what a program is told, as in "avx2 f16c rdrand": a class, and what
 * there is besides. */
void cg2_cpu_describe(const Cpu* cpu, HChar* text);

#endif
