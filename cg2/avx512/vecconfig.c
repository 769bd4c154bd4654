#include "avx512/vecconfig.h"

/* Reason for a mutable file-scope object: configuration, see the header. */
VecConfig cg2_vec_config;
