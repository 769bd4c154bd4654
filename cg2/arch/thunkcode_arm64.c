#include "arch/thunkcode.h"

#if defined(__aarch64__)

/* Not written yet: generated code computes all arguments itself. */
UChar* cg2_thunkcode_write(UChar* code,
                           const void* function,
                           UWord first,
                           UWord second)
{
   (void)code, (void)function, (void)first, (void)second;
   return NULL;
}

#endif
