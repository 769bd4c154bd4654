/* Thread words: where an ELF object has words by which the dynamic linker says
 * where in each thread the object's thread-local variables are.
 *
 * Source: System V ABI, "Object Files": relocations. */
#ifndef CG2_THREADWORDS_H
#define CG2_THREADWORDS_H

#include "code/elfparts.h"

typedef struct ThreadWord {
   Addr at;        /* offset in the object; 0: there is none */
   UWord initial;  /* what it is before the dynamic linker has filled it */
   UWord variable; /* offset in the segment PT_TLS that it is about */
} ThreadWord;

typedef struct ThreadWords {
   ThreadWord module;   /* gets the number of the object as a module */
   ThreadWord distance; /* gets a variable's distance from the thread pointer */
} ThreadWords;

/* Finds one word of each kind. */
void cg2_threadwords_find(const ElfParts* parts, ThreadWords* words);

#endif
