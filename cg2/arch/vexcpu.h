/* VEX's processors: how Valgrind tells a program of its processor.
 *
 * For CPUID, VEX has a function for each class, and has translated code call
 * that of the best class that the host can run. The functions are no part of
 * Valgrind's interface to tools; Valgrind 3.19 to 3.27 have the same ones.
 * Other processors have none: their programs read the auxiliary vector. */
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

/* Sees the auxiliary vector of a program that begins: what the kernel tells it
 * of the host, and Valgrind lets it know. Has the vector tell of `chosen`
 * instead, unless that is NULL. */
void cg2_vexcpu_see(UWord* auxiliary, const Cpu* chosen);

/* Writes what a program is told on a host with `hwcaps`, of VexArchInfo, if
 * nothing else is chosen, to `host`. False: that is not known here. */
Bool cg2_vexcpu_host(UInt hwcaps, Cpu* host);

/* The function that answers for a processor; NULL: none does. */
VexCpuid cg2_vexcpu_answer(const Cpu* cpu);

/* Whether `function` is any of those that answer. */
Bool cg2_vexcpu_answers(const void* function);

#endif
