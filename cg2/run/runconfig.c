#include "run/runconfig.h"

/* Reason for a mutable file-scope object: configuration. */
RunConfig cg2_run_config = {.collect_at_start = True};
