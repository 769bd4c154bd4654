/* Operations of x86 and amd64. */
#ifndef CG2D_X86OPERATION_H
#define CG2D_X86OPERATION_H

#include "machine/decoder.h"

void cg2d_x86operation_take(Decoder* decoder,
                            const uint8_t* bytes,
                            size_t left,
                            uint64_t address,
                            cg2p_operation* to);

#endif
