/* CPUID in generated code: what the program is told of its processor.
 *
 * VEX has a block call a function that answers CPUID. Where another processor
 * is chosen than VEX's, the block calls the function of that one. */
#ifndef CG2_CPUIDCODE_H
#define CG2_CPUIDCODE_H

#include "arch/cpu.h"
#include "libvex.h"

/* The processor that is chosen; NULL: the program is told what VEX says. */
const Cpu* cg2_cpuidcode_chosen(void);

/* Lets a block tell what is chosen. Ends the run with one line if the host,
 * whose capabilities are `hwcaps`, cannot run what it would tell. */
void cg2_cpuidcode_rewrite(IRSB* block, UInt hwcaps);

/* What the program is told, for the profile's header. NULL: the program has not
 * begun, or its processor has no CPUID. */
const HChar* cg2_cpuidcode_told(void);

#endif
