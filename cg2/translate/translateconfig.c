#include "translate/translateconfig.h"

/* Reason for a mutable file-scope object: configuration. */
TranslateConfig cg2_translate_config = {.is_on = True, .skip_stubs = True};
