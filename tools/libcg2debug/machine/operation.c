#include "machine/operation.h"

#include "machine/armoperation.h"
#include "machine/x86operation.h"

static const cg2p_access no_access = {.base = CG2P_NO_REGISTER,
                                      .index = CG2P_NO_REGISTER};

void cg2d_operation_decode(Decoder* decoder,
                           const uint8_t* bytes,
                           size_t left,
                           uint64_t address,
                           cg2p_operation* to)
{
   *to = (cg2p_operation){.form = "",
                          .access = no_access,
                          .access2 = no_access,
                          .rule = CG2P_VALUE_NONE,
                          .rule_source = CG2P_NO_REGISTER,
                          .rule_destination = CG2P_NO_REGISTER};
   if (!left) return;
   if (decoder->is_arm)
      cg2d_armoperation_take(decoder, bytes, left, address, to);
   else
      cg2d_x86operation_take(decoder, bytes, left, address, to);
}
