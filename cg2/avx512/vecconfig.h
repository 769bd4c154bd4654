/* Whether instructions of AVX-512 are executed: what the option says. */
#ifndef CG2_VECCONFIG_H
#define CG2_VECCONFIG_H

#include "base/vg.h"

typedef enum VecMode { AVX512_AUTO, AVX512_YES, AVX512_NO } VecMode;

typedef struct VecConfig {
   UInt mode;     /* VecMode; an option sets it */
   Bool executes; /* they are executed: the host can, and nobody forbids it */
   Bool is_told;  /* The program is told that there is AVX-512. */
} VecConfig;

/* Filled before the first translation, then constant. */
extern VecConfig cg2_vec_config;

#endif
