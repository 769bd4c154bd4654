/* The caches of this processor, exactly as it describes them itself. */
#ifndef CG2_CPUID_H
#define CG2_CPUID_H

#include "model/cache/geometry.h"

typedef struct CpuidCaches {
   Geometry i1, d1;
   Geometry l2; /* size 0: there are two levels, the second is the last */
   Geometry ll;
   const HChar* source; /* what said so */
   Bool is_assumed;     /* nothing did: a processor as there are many */
} CpuidCaches;

/* The instruction: registers eax, ebx, ecx, edx for a leaf and a subleaf. */
typedef void (*CpuidQuery)(UInt leaf, UInt subleaf, UInt* registers);

/* The caches that a processor with these answers has. */
void cg2_cpuid_read(CpuidQuery query, CpuidCaches* caches);

/* Those of the processor that this runs on. */
void cg2_cpuid_here(CpuidCaches* caches);

/* Whether that has the instructions of SSE4.1. */
Bool cg2_cpuid_has_sse41(void);

#endif
