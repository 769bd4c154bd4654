/* What the option says about the layout of memory. */
#ifndef CG2_LAYOUTCONFIG_H
#define CG2_LAYOUTCONFIG_H

#include "base/vg.h"

typedef struct LayoutConfig {
   ULong seed; /* chooses the layout; 0: the program's own */
} LayoutConfig;

/* Filled before the first translation, then constant. */
extern LayoutConfig cg2_layout_config;

#endif
