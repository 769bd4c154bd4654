#include "base/failure.h"

#include <stdio.h>

void cg2d_say(cg2d_error* error,
              cg2d_error_kind kind,
              const char* path,
              const char* message)
{
   error->kind = kind;
   snprintf(error->text, sizeof error->text, "%s: %s", path, message);
}

_Noreturn void cg2d_fail_memory(Failure* failure, size_t bytes)
{
   char message[80];
   snprintf(message, sizeof message, "there is no memory for %zu bytes more",
            bytes);
   cg2d_say(failure->error, CG2D_MEMORY, failure->path, message);
   longjmp(failure->caught, 1);
}
