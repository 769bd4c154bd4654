/* What options say of repeatable runs: what the program is told of the world
 * outside. */
#ifndef CG2_REPEATCONFIG_H
#define CG2_REPEATCONFIG_H

#include "base/vg.h"

enum { REPEAT_KEPT_MAX = 100 };

typedef struct RepeatConfig {
   Bool is_on;
   ULong seed;  /* of all chance */
   ULong epoch; /* seconds from 1970 to the time at which runs begin */
   UInt n_cpus; /* processors that the program is told of */
   const HChar* kept[REPEAT_KEPT_MAX]; /* variables of the environment that the
                                          program gets, too */
   UInt n_kept;
   const HChar* inherited; /* what the program that was replaced has handed on;
                              NULL: there is none */
} RepeatConfig;

/* Filled before the first translation, then constant. */
extern RepeatConfig cg2_repeat_config;

#endif
