/* Pools: allocators that the user names, and what they do with their arguments.
 */
#ifndef CG2_POOLS_H
#define CG2_POOLS_H

#include "base/vg.h"

typedef enum Giving {
   GIVES_NOTHING,
   GIVES_RESULT,     /* memory, or NULL */
   GIVES_BY_POINTER, /* The result is an error, or 0; then the first argument
                        is where the address of the memory was written. */
} Giving;

/* What a function that gives out memory or takes it back does with its
 * arguments, which have numbers from 1; 0: there is no such argument. */
typedef struct Allocator {
   const HChar* pattern; /* of its name */
   UChar gives;          /* Giving */
   UChar size;           /* bytes, or the size of an element */
   UChar count;          /* elements */
   UChar takes; /* memory to be taken back: at once, or, if the function gives
                   memory, in exchange for that */
   UChar is_pool;
   UChar is_uncounted;  /* No program calls the function. */
   const HChar* option; /* by which the user named it, or NULL */
} Allocator;

/* The pools of options. */
typedef struct Pools {
   Allocator* of; /* [0..n) */
   UInt n;
} Pools;

enum { POOLS_TEXT = 96 };

/* Adds the pools of an option whose value is `text`:
 * `FN[,size=ARG[*ARG]][,free=FN]`, with arguments from 1. False, with a text in
 * `error`, if the value is another. */
Bool cg2_pools_add(Pools* pools,
                   const HChar* option,
                   const HChar* text,
                   HChar error[POOLS_TEXT]);

#endif
