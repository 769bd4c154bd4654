/* Program: what the kernel leaves on the first stack about the program.
 *
 * Source: System V ABI, "Process Initialization": from the stack pointer
 * upwards lie the number of arguments, these, 0, the environment, 0, and the
 * auxiliary vector. */
#ifndef CG2_PROGRAM_H
#define CG2_PROGRAM_H

#include "base/vg.h"

/* Constant once the program has begun. */
typedef struct Program {
   Addr sp;      /* at the first instruction; 0: not known */
   Addr headers; /* of its ELF object, an address in that; 0: not known */
} Program;
extern Program cg2_program;

/* The program is about to begin with the stack pointer `sp`. */
void cg2_program_begin(Addr sp);

#endif
