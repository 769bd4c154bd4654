#include "machine/armoperation.h"

void cg2d_armoperation_take(Decoder* decoder,
                            const uint8_t* bytes,
                            size_t left,
                            uint64_t address,
                            cg2p_operation* to)
{
}
