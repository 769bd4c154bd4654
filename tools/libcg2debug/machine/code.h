/* Machine code of x86, as far as it moves pointers: capstone takes it apart.
 * Registers have the numbers that the processor gives them. */
#ifndef CG2D_CODE_H
#define CG2D_CODE_H

#include "base/memory.h"

#include <stdbool.h>

enum {
   N_REGISTERS = 16,
   STACK_REGISTER = 4,
   RESULT_REGISTER = 0,
   NO_REGISTER = 0xff,
   PROGRAM_COUNTER = 0xfe, /* as a base */
};

typedef enum Action {
   NOTHING, /* but what it clobbers */
   COPY,    /* destination = source */
   LOAD,    /* destination = what is in memory */
   STORE,   /* memory = source */
   ADDRESS, /* destination = the address of the operand in memory */
   NUMBER,  /* destination = number */
   ADD,     /* destination += number */
   SUM,     /* destination += source */
   PUSH,    /* source */
   POP,     /* destination */
   CALL,    /* of `target` */
} Action;

/* An operand in memory. */
typedef struct Operand {
   bool is_there;
   uint8_t base, index; /* registers */
   uint8_t scale;
   int64_t displacement; /* with PROGRAM_COUNTER: the address */
} Operand;

typedef struct Instruction {
   uint64_t address, target; /* target of a jump or call; 0: not known */
   int64_t number;
   Operand memory[2];  /* two: as of a copy from memory to memory */
   uint16_t clobbered; /* registers that it changes: a bit for each */
   uint8_t length, action;
   uint8_t destination, source; /* registers */
   uint8_t width;               /* bytes that LOAD and STORE move */
   bool is_jump, goes_on;       /* may go elsewhere; may go to the next one */
} Instruction;

/* Takes `length` bytes of code apart, which begin at `address`, into *count
 * instructions, which the caller frees; `word`: bytes of an address. */
Instruction* cg2d_code_disassemble(Failure* failure,
                                   const uint8_t* bytes,
                                   size_t length,
                                   uint64_t address,
                                   unsigned word,
                                   size_t* count);

#endif
