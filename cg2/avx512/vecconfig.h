/* Which instructions that VEX does not know are executed, and what the folder
 * knows besides. */
#ifndef CG2_VECCONFIG_H
#define CG2_VECCONFIG_H

#include "base/table.h"

typedef enum VecMode { AVX512_AUTO, AVX512_YES, AVX512_NO } VecMode;

/* Filled before the first translation, then constant. */
typedef struct VecConfig {
   UInt mode;     /* VecMode; an option sets it */
   UInt kinds;    /* of instructions that the host has: cpuid.h */
   Bool host_has; /* The host has AVX-512. */
   Bool executes; /* the host can, and nobody forbids it */
   Bool
      is_virtual; /* The processor has a number that the host does not know. */
   Bool is_told;  /* The program is told that there is AVX-512. */
   Bool changes;  /* Code in mapped files may change, too. */
   Bool is_heard; /* The user wants to hear of unknown instructions. */
} VecConfig;

typedef struct Vec {
   VecConfig config;
   Bool has_begun; /* A block of AVX-512 has been made. */
   Bool has_told;  /* The line on what is not executed is printed. */
   Table places;   /* see vecplaces.h */
} Vec;

extern Vec cg2_vec;

#endif
