/* What machine code is decoded with: capstone, and the texts of forms.
 *
 *    form       what a table of a processor calls an instruction: its mnemonic
 *               and what kinds its operands are, in Intel's order: "add
 * r64,m64"
 */
#ifndef CG2D_DECODER_H
#define CG2D_DECODER_H

#include "base/hash.h"

#include <capstone/capstone.h>
#include <stdbool.h>

/* Numbers of registers, as cg2p_operation has them. */
enum {
   FIRST_VECTOR = 16,
   CARRY = 48,
   OTHER_FLAGS = 49,
   FIRST_MASK = 51,
   FIRST_X87 = 60,
   X87_REGISTERS = 8,
   STACK_POINTER = 4,
   FRAME_POINTER = 5,

   ARM_STACK_POINTER = 31,
   ARM_FIRST_VECTOR = 32,
   ARM_FLAGS = 64,
};

/* Texts that are each there once. */
typedef struct FormTexts {
   Hash table;
   const char** all;
   size_t n, room;
} FormTexts;

/* Where the registers of the x87 are in its stack; all 0: where they were when
 * the program began. */
typedef struct X87Stack {
   unsigned top;                 /* modulo its size */
   uint8_t moved[X87_REGISTERS]; /* by place: how far another one is from what
                                    was there, modulo their number */
} X87Stack;

typedef struct Decoder {
   csh handle;
   cs_insn* instruction;
   FormTexts forms;
   Arena* arena; /* that the forms are in */
   Failure* failure;
   unsigned word; /* bytes of an address */
   X87Stack x87;
   bool is_arm;
} Decoder;

/* Begins to decode; `decoder` has its arena, failure, word and is_arm, all else
 * is 0. False: capstone cannot. */
bool cg2d_decoder_begin(Decoder* decoder);
void cg2d_decoder_end(Decoder* decoder);

/*--- For those that take an instruction apart
 * --------------------------------*/

/* The one text that is equal to `form`. */
const char* cg2d_decoder_form(Decoder* decoder, const char* form);

/* Adds a register to what the operation reads, writes, or needs for addresses,
 * once; not CG2P_NO_REGISTER, nor more than there is room for. */
void cg2d_decoder_read(cg2p_operation* to, uint8_t number);
void cg2d_decoder_write(cg2p_operation* to, uint8_t number);
void cg2d_decoder_address(cg2p_operation* to, uint8_t number);

#endif
