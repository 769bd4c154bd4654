/* Recursion levels in names. Writers keep activations of a function inside
 * another activation of it apart: "fib" is the outermost, level 1, "fib'2" what
 * runs inside it. The level stands before the callers that --separate-callers
 * appends: "fib'2'main" is level 2 of "fib'main". */
#ifndef CG2P_LEVEL_H
#define CG2P_LEVEL_H

#include <stddef.h>
#include <stdint.h>

/* A level, and where a name says it: the mark is "'2". */
typedef struct Level {
   uint32_t number;
   size_t start, length; /* of the mark in the name; length 0: there is none */
} Level;

Level cg2p_level_of(const char* name, size_t length);

#endif
