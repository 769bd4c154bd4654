/* What an instruction of x86 does with control. */
#ifndef CG2D_CONTROL_H
#define CG2D_CONTROL_H

#include "cg2profile.h"

#include <capstone/capstone.h>

cg2p_step cg2d_control_of_x86(csh handle, const cs_insn* instruction);

#endif
