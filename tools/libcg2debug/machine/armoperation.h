/* Operations of aarch64. */
#ifndef CG2D_ARMOPERATION_H
#define CG2D_ARMOPERATION_H

#include "machine/decoder.h"

void cg2d_armoperation_take(Decoder* decoder,
                            const uint8_t* bytes,
                            size_t left,
                            uint64_t address,
                            cg2p_operation* to);

#endif
