/* The thread pointer: the register by which a thread finds its own variables.
 *
 * Source: ELF Handling For Thread-Local Storage, Ulrich Drepper: chapter 3,
 * where the variables of the program are that is started (the first module),
 * and where the table of all modules' variables is (the dynamic thread
 * vector); chapter 4, the relocations. */
#ifndef CG2_THREADPOINTER_H
#define CG2_THREADPOINTER_H

#include "base/vg.h"

/* Where the thread pointer points to lies the pointer to the vector, at
 * THREADPOINTER_VECTOR. The first module begins at cg2_threadpointer_first
 * bytes from the thread pointer. The dynamic linker fills words that have these
 * relocations: with the number of a module; with the distance of a variable
 * from the thread pointer. */
#if defined(__x86_64__)
enum { RELOCATION_MODULE = 16, RELOCATION_DISTANCE = 18 };
#elif defined(__i386__)
enum { RELOCATION_MODULE = 35, RELOCATION_DISTANCE = 14 };
#elif defined(__aarch64__)
enum { RELOCATION_MODULE = 1028, RELOCATION_DISTANCE = 1030 };
#endif

#if defined(__x86_64__) || defined(__i386__)

enum { THREADPOINTER_VECTOR = sizeof(Addr) };

/* Variables end at the thread pointer: variant II. */
static inline PtrdiffT cg2_threadpointer_first(SizeT size, SizeT align)
{
   return -(PtrdiffT)((size + align - 1) / align * align);
}

#elif defined(__aarch64__)

enum { THREADPOINTER_VECTOR = 0 };

/* Variables begin behind the two words of the thread: variant I. */
static inline PtrdiffT cg2_threadpointer_first(SizeT size, SizeT align)
{
   (void)size;
   return (2 * sizeof(Addr) + align - 1) / align * align;
}

#endif

/* The thread pointer of a thread; 0: it has none yet. */
Addr cg2_threadpointer_of(UInt tid);

#endif
