#include "avx512/vecconfig.h"

/* Reason for a mutable file-scope object: configuration, and what has been
 * translated. */
Vec cg2_vec;
