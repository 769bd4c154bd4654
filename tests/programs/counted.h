/* What the test programs share.

   COUNTED is a function whose calls are counted: never inlined, cloned, merged
   with an equal function, nor called less often because the compiler knows what
   is in it. */

#ifndef COUNTED_H
#define COUNTED_H

#define COUNTED __attribute__((noipa))

/* Keeps the compiler from knowing the value of `x`, or from making the call
 * before a tail call. */
#define OPAQUE(x) __asm__ volatile("" : "+r"(x))

/* An instruction that no processor has. */
#ifdef __aarch64__
#define ILLEGAL() __asm__ volatile("udf #0")
#else
#define ILLEGAL() __asm__ volatile("ud2")
#endif

#endif
