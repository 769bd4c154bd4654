#include "engine/engineconfig.h"

/* Reason for a mutable file-scope object: configuration. */
EngineConfig cg2_engine_config = {.paths_max = 3000000};
