#include "layout/layoutconfig.h"

/* Reason for a mutable file-scope object: filled once, by the option. */
LayoutConfig cg2_layout_config;
