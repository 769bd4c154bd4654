/* What an instruction needs and gives: a cg2p_operation of its machine code,
 * as capstone takes it apart. Where capstone is wrong, or does not know the
 * instruction, the tables of x86fixes and wideform say better. */
#ifndef CG2D_OPERATION_H
#define CG2D_OPERATION_H

#include "machine/decoder.h"

/* The operation at `address`, of which there are `left` bytes. An instruction
 * that is not known has the form "", and the length 0 if that is not known
 * either. */
void cg2d_operation_decode(Decoder* decoder,
                           const uint8_t* bytes,
                           size_t left,
                           uint64_t address,
                           cg2p_operation* to);

#endif
