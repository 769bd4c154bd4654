/* What goes wrong ends the operation at once: the place that notices it says
 * what, and jumps to the public function that runs the operation. */
#ifndef CG2D_FAILURE_H
#define CG2D_FAILURE_H

#include "cg2debug.h"

#include <setjmp.h>

/* The way out of an operation that runs. */
typedef struct Failure {
   jmp_buf caught;    /* set by the public function */
   const char* path;  /* of the object; borrowed */
   cg2d_error* error; /* the caller's; filled before the jump */
} Failure;

/* Ends the operation: there is no memory for `bytes` more. */
_Noreturn void cg2d_fail_memory(Failure* failure, size_t bytes);

/* Says of the object `path` what is wrong with it. */
void cg2d_say(cg2d_error* error,
              cg2d_error_kind kind,
              const char* path,
              const char* message);

#endif
