#include "machine/control.h"

static uint64_t target_of(const cs_x86* x86)
{
   return x86->op_count == 1 && x86->operands[0].type == X86_OP_IMM
             ? (uint64_t)x86->operands[0].imm
             : 0;
}

static uint32_t kind_of(csh handle, const cs_insn* instruction, uint64_t target)
{
   uint8_t repeats = instruction->detail->x86.prefix[0];
   switch (instruction->id) {
   case X86_INS_CALL:
      return target ? CG2P_CALLS : CG2P_CALLS_COMPUTED;
   case X86_INS_JMP:
      return target ? CG2P_JUMPS : CG2P_JUMPS_COMPUTED;
   case X86_INS_RET:
      return CG2P_RETURNS;
   case X86_INS_LOOP:
   case X86_INS_LOOPE:
   case X86_INS_LOOPNE:
      return CG2P_BRANCHES;
   case X86_INS_HLT:
   case X86_INS_UD2:
      return CG2P_STOPS;
   default:
      break;
   }
   if (cs_insn_group(handle, instruction, CS_GRP_JUMP)) return CG2P_BRANCHES;
   return repeats == X86_PREFIX_REP || repeats == X86_PREFIX_REPNE
             ? CG2P_REPEATS
             : CG2P_GOES_ON;
}

cg2p_step cg2d_control_of_x86(csh handle, const cs_insn* instruction)
{
   uint64_t target = target_of(&instruction->detail->x86);
   uint32_t kind = kind_of(handle, instruction, target);
   bool has_target =
      kind == CG2P_BRANCHES || kind == CG2P_JUMPS || kind == CG2P_CALLS;
   return (cg2p_step){has_target ? target : 0, instruction->size, kind};
}
