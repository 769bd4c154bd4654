/* VEX's processors: the functions of VEX that answer CPUID.
 *
 * VEX has one for each class, and has translated code call that of the best
 * class that the host can run. The functions are no part of Valgrind's
 * interface to tools; Valgrind 3.19 to 3.27 have the same ones. */
#ifndef CG2_VEXCPU_H
#define CG2_VEXCPU_H

#include "arch/cpu.h"

/* A function of VEX that answers CPUID. It takes the guest's state, whose
 * registers hold the leaf and get the answer, and whether F16C, RDRAND and
 * RDSEED are there, which functions of old classes do not look at. */
typedef struct VexCpuid {
   const HChar* name;
   void* function;
} VexCpuid;

/* Writes what VEX tells a program on a host with `hwcaps`, of VexArchInfo, to
 * `host`. False: programs for this processor do not ask by CPUID. */
Bool cg2_vexcpu_host(UInt hwcaps, Cpu* host);

/* The function that answers for a processor. */
VexCpuid cg2_vexcpu_answer(const Cpu* cpu);

/* Whether `function` is any of those that answer. */
Bool cg2_vexcpu_answers(const void* function);

/* What a processor answers to a leaf in edx. */
UInt cg2_vexcpu_edx(const Cpu* cpu, UInt leaf);

#endif
