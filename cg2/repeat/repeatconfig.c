#include "repeat/repeatconfig.h"

enum { YEAR_2000 = 946684800 };

/* Reason for a mutable file-scope object: configuration. */
RepeatConfig cg2_repeat_config = {.seed = 1, .epoch = YEAR_2000, .n_cpus = 4};
