#include "arch/thunkcode.h"

#if !defined(__x86_64__) && !defined(__i386__) && !defined(__aarch64__)

/* Generated code computes all arguments itself. */
UChar* cg2_thunkcode_write(UChar* code,
                           const void* function,
                           UWord first,
                           UWord second)
{
   (void)code, (void)function, (void)first, (void)second;
   return NULL;
}

#endif
