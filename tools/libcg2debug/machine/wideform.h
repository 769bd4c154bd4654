/* Instructions with a VEX or EVEX prefix that capstone (4.0) does not know:
 * comparisons into masks, arithmetic of masks, and what came with AVX-512. */
#ifndef CG2D_WIDEFORM_H
#define CG2D_WIDEFORM_H

#include "machine/decoder.h"

/* Takes such an instruction apart. One that is not in the table, too, has a
 * length alone. False: it has no such prefix. */
bool cg2d_wideform_take(Decoder* decoder,
                        const uint8_t* bytes,
                        size_t left,
                        uint64_t address,
                        cg2p_operation* to);

#endif
