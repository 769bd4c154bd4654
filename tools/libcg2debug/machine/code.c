#include "machine/code.h"

#include <capstone/capstone.h>
#include <stdlib.h>

/* ------------------------------------------------------------ registers */

/* The number of a general register of any width; NO_REGISTER: another. */
static uint8_t number_of(x86_reg reg)
{
   static const struct {
      x86_reg names[4];
   } general[N_REGISTERS] = {
      {{X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL}},
      {{X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL}},
      {{X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL}},
      {{X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL}},
      {{X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL}},
      {{X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL}},
      {{X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL}},
      {{X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL}},
      {{X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B}},
      {{X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B}},
      {{X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B}},
      {{X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B}},
      {{X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B}},
      {{X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B}},
      {{X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B}},
      {{X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B}},
   };
   for (unsigned i = 0; i < N_REGISTERS; i++)
      for (unsigned j = 0; j < 4; j++)
         if (general[i].names[j] == reg) return i;
   return reg == X86_REG_RIP || reg == X86_REG_EIP ? PROGRAM_COUNTER
                                                   : NO_REGISTER;
}

/* What capstone's numbers of registers are here. */
typedef struct RegisterNumbers {
   uint8_t of[X86_REG_ENDING];
} RegisterNumbers;

/* ------------------------------------------------------------ operands */

/* An instruction as capstone has it. */
typedef struct Disassembled {
   csh handle;
   cs_insn* instruction;
   const cs_x86* x86;
   const RegisterNumbers* numbers;
   unsigned word; /* bytes of an address */
} Disassembled;

static uint8_t numbered(const Disassembled* now, x86_reg reg)
{
   return reg < X86_REG_ENDING ? now->numbers->of[reg] : NO_REGISTER;
}

static void add_memory(const Disassembled* now, Instruction* to)
{
   unsigned n = 0;
   for (unsigned i = 0; i < now->x86->op_count && n < 2; i++) {
      const cs_x86_op* operand = &now->x86->operands[i];
      if (operand->type != X86_OP_MEM || operand->mem.segment == X86_REG_FS ||
          operand->mem.segment == X86_REG_GS)
         continue;
      Operand* memory = &to->memory[n++];
      memory->is_there = true;
      memory->base = numbered(now, operand->mem.base);
      memory->index = numbered(now, operand->mem.index);
      memory->scale = operand->mem.scale;
      memory->displacement = operand->mem.disp;
      if (memory->base == PROGRAM_COUNTER)
         memory->displacement += to->address + to->length;
   }
}

static void add_clobbered(const Disassembled* now, Instruction* to)
{
   cs_regs read, written;
   uint8_t n_read, n_written;
   if (cs_regs_access(now->handle, now->instruction, read, &n_read, written,
                      &n_written) != CS_ERR_OK)
      return;
   for (unsigned i = 0; i < n_written; i++) {
      uint8_t number = numbered(now, written[i]);
      if (number < N_REGISTERS) to->clobbered |= 1u << number;
   }
}

/* ------------------------------------------------------------ what it does */

static bool is_register(const Disassembled* now, unsigned i)
{
   return i < now->x86->op_count && now->x86->operands[i].type == X86_OP_REG &&
          numbered(now, now->x86->operands[i].reg) < N_REGISTERS;
}

static bool is_whole_register(const Disassembled* now, unsigned i)
{
   return is_register(now, i) && now->x86->operands[i].size == now->word;
}

static bool is_of(const Disassembled* now, unsigned i, x86_op_type type)
{
   return i < now->x86->op_count && now->x86->operands[i].type == type;
}

static void take_move(const Disassembled* now, Instruction* to)
{
   const cs_x86_op* operands = now->x86->operands;
   if (is_register(now, 0)) to->destination = numbered(now, operands[0].reg);
   if (is_register(now, 1)) to->source = numbered(now, operands[1].reg);
   to->width = operands[0].size;
   if (is_whole_register(now, 0) && is_whole_register(now, 1))
      to->action = COPY;
   else if (is_register(now, 0) && is_of(now, 1, X86_OP_MEM))
      to->action = LOAD;
   else if (is_of(now, 0, X86_OP_MEM))
      to->action = STORE;
   else if (is_register(now, 0) && is_of(now, 1, X86_OP_IMM)) {
      to->action = NUMBER;
      to->number = operands[1].imm;
   }
}

/* An addition, or with `sign` -1 a subtraction. */
static void take_sum(const Disassembled* now, Instruction* to, int sign)
{
   const cs_x86_op* operands = now->x86->operands;
   if (!is_whole_register(now, 0)) return;
   to->destination = numbered(now, operands[0].reg);
   if (is_of(now, 1, X86_OP_IMM)) {
      to->action = ADD;
      to->number = sign * operands[1].imm;
   } else if (is_whole_register(now, 1) && sign > 0) {
      to->action = SUM;
      to->source = numbered(now, operands[1].reg);
   }
}

static void take_stack(const Disassembled* now, Instruction* to, Action action)
{
   to->action = action;
   if (!is_register(now, 0)) return;
   uint8_t number = numbered(now, now->x86->operands[0].reg);
   to->source = to->destination = number;
}

static void take_jump(const Disassembled* now, Instruction* to)
{
   bool is_call = now->instruction->id == X86_INS_CALL;
   if (is_of(now, 0, X86_OP_IMM)) to->target = now->x86->operands[0].imm;
   if (is_call) to->action = CALL;
   to->is_jump = !is_call;
   to->goes_on = now->instruction->id != X86_INS_JMP;
}

static void take_action(const Disassembled* now, Instruction* to)
{
   switch (now->instruction->id) {
   case X86_INS_MOV:
   case X86_INS_MOVABS:
      take_move(now, to);
      return;
   case X86_INS_LEA:
      to->action = ADDRESS;
      if (is_whole_register(now, 0))
         to->destination = numbered(now, now->x86->operands[0].reg);
      return;
   case X86_INS_ADD:
      take_sum(now, to, 1);
      return;
   case X86_INS_SUB:
      take_sum(now, to, -1);
      return;
   case X86_INS_PUSH:
      take_stack(now, to, PUSH);
      return;
   case X86_INS_POP:
      take_stack(now, to, POP);
      return;
   case X86_INS_RET:
   case X86_INS_HLT:
   case X86_INS_UD2:
      to->goes_on = false;
      return;
   default:
      break;
   }
   if (cs_insn_group(now->handle, now->instruction, CS_GRP_JUMP) ||
       now->instruction->id == X86_INS_CALL)
      take_jump(now, to);
}

static void take(const Disassembled* now, Instruction* to)
{
   *to = (Instruction){.address = now->instruction->address,
                       .length = now->instruction->size,
                       .destination = NO_REGISTER,
                       .source = NO_REGISTER,
                       .goes_on = true};
   add_memory(now, to);
   add_clobbered(now, to);
   take_action(now, to);
}

/* ------------------------------------------------------------ all of it */

static void fill(RegisterNumbers* numbers)
{
   for (unsigned i = 0; i < X86_REG_ENDING; i++)
      numbers->of[i] = number_of(i);
}

Instruction* cg2d_code_disassemble(Failure* failure,
                                   const uint8_t* bytes,
                                   size_t length,
                                   uint64_t address,
                                   unsigned word,
                                   size_t* count)
{
   RegisterNumbers numbers;
   Disassembled now = {.word = word, .numbers = &numbers};
   size_t room = length ? length : 1, n = 0;
   Instruction* all = cg2p_memory_allocate(failure, room * sizeof *all);
   *count = 0;
   if (cs_open(CS_ARCH_X86, word == 8 ? CS_MODE_64 : CS_MODE_32, &now.handle) !=
       CS_ERR_OK)
      return all;
   cs_option(now.handle, CS_OPT_DETAIL, CS_OPT_ON);
   cs_option(now.handle, CS_OPT_SKIPDATA, CS_OPT_ON);
   now.instruction = cs_malloc(now.handle);
   fill(&numbers);
   while (now.instruction && cs_disasm_iter(now.handle, &bytes, &length,
                                            &address, now.instruction)) {
      if (now.instruction->id == 0) { /* bytes that capstone knows not */
         all[n].address = now.instruction->address;
         all[n].length = now.instruction->size;
         all[n++].goes_on = true;
         continue;
      }
      now.x86 = &now.instruction->detail->x86;
      take(&now, &all[n++]);
   }
   if (now.instruction) cs_free(now.instruction, 1);
   cs_close(&now.handle);
   *count = n;
   return all;
}
