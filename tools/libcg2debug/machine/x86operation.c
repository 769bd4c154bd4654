#include "machine/x86operation.h"

#include "machine/control.h"
#include "machine/wideform.h"
#include "machine/x86fixes.h"
#include "machine/x86form.h"
#include "machine/x87.h"

/* ------------------------------------------------------------ operands */

static bool is_of(const X86Taken* now, unsigned i, x86_op_type type)
{
   return i < now->x86->op_count && now->x86->operands[i].type == type;
}

static uint8_t number_of(const X86Taken* now, unsigned i)
{
   return is_of(now, i, X86_OP_REG)
             ? cg2d_x86registers_number(now->x86->operands[i].reg)
             : CG2P_NO_REGISTER;
}

static X86Kind kind_of(const X86Taken* now, unsigned i)
{
   return is_of(now, i, X86_OP_REG)
             ? cg2d_x86registers_kind(now->x86->operands[i].reg)
             : NO_KIND;
}

static bool is_vector(X86Kind kind)
{
   return kind == VECTOR128 || kind == VECTOR256 || kind == VECTOR512;
}

/* Whether all operands from `first` on are the same register. */
static bool are_same(const X86Taken* now, unsigned first)
{
   uint8_t number = number_of(now, first);
   for (unsigned i = first + 1; i < now->x86->op_count; i++)
      if (number_of(now, i) != number) return false;
   return number != CG2P_NO_REGISTER && first + 1 < now->x86->op_count;
}

static void take_register(const X86Taken* now, unsigned i, cg2p_operation* to)
{
   const cs_x86_op* operand = &now->x86->operands[i];
   uint8_t number = number_of(now, i);
   bool is_written = operand->access & CS_AC_WRITE;
   bool is_partial =
      is_written && kind_of(now, i) == GENERAL && operand->size < 4;
   bool is_mask = i == 1 && now->has_mask;
   if (operand->access & CS_AC_READ || is_partial || !is_written || is_mask ||
       (i == 0 && now->marks & READS_FIRST))
      cg2d_decoder_read(to, number);
   if (is_written) cg2d_decoder_write(to, number);
}

/* ------------------------------------------------------------ memory */

static bool is_stored(const X86Taken* now, unsigned i)
{
   uint8_t access = now->x86->operands[i].access;
   if (access & CS_AC_WRITE || now->marks & STORES_ALONE) return true;
   /* capstone says of most stores of vectors that they read */
   return i == 0 && now->x86->op_count > 1 && !(now->marks & ONLY_READS) &&
          !now->is_x87;
}

static bool is_loaded(const X86Taken* now, unsigned i)
{
   const cs_x86_op* operand = &now->x86->operands[i];
   if (!is_stored(now, i) || (i == 0 && now->marks & READS_FIRST)) return true;
   return operand->access & CS_AC_WRITE && operand->access & CS_AC_READ;
}

/* capstone makes a general register of a vector, and the other way round, where
 * an address of AVX-512 has an index. */
static uint8_t index_of(const X86Taken* now, x86_reg reg)
{
   uint8_t number = cg2d_x86registers_number(reg);
   bool is_vectors = strstr(now->mnemonic, "gather") != NULL ||
                     strstr(now->mnemonic, "scatter") != NULL;
   if (number == CG2P_NO_REGISTER || is_vectors == (number >= FIRST_VECTOR))
      return number;
   return is_vectors ? number + FIRST_VECTOR : number - FIRST_VECTOR;
}

static cg2p_access access_of(const X86Taken* now, const cs_x86_op* operand)
{
   const x86_op_mem* memory = &operand->mem;
   bool is_relative =
      memory->base == X86_REG_RIP || memory->base == X86_REG_EIP;
   return (cg2p_access){
      .base = cg2d_x86registers_number(memory->base),
      .index = index_of(now, memory->index),
      .scale = memory->scale,
      .segment = memory->segment == X86_REG_FS || memory->segment == X86_REG_GS,
      .displacement =
         memory->disp +
         (is_relative ? now->instruction->address + now->instruction->size : 0),
   };
}

/* A second access is what is stored, if only one of both is. */
static void add_access(cg2p_operation* to, const cg2p_access* access)
{
   if (!to->access.size) {
      to->access = *access;
   } else if (access->loads && !to->access.loads) {
      to->access2 = to->access;
      to->access = *access;
   } else {
      to->access2 = *access;
   }
   cg2d_decoder_address(to, access->base);
   cg2d_decoder_address(to, access->index);
}

static void take_memory(const X86Taken* now, unsigned i, cg2p_operation* to)
{
   const cs_x86_op* operand = &now->x86->operands[i];
   cg2p_access access = access_of(now, operand);
   if (now->marks & HAS_NO_ACCESS) return;
   if (now->instruction->id == X86_INS_LEA) {
      to->access = access;
      cg2d_decoder_read(to, access.base);
      cg2d_decoder_read(to, access.index);
      return;
   }
   access.size = cg2d_x86form_bytes(now, i);
   access.stores = is_stored(now, i);
   access.loads = is_loaded(now, i);
   if (access.size) add_access(to, &access);
}

static void take_operands(const X86Taken* now, cg2p_operation* to)
{
   for (unsigned i = 0; i < now->x86->op_count; i++) {
      if (is_of(now, i, X86_OP_REG)) take_register(now, i, to);
      if (is_of(now, i, X86_OP_MEM)) take_memory(now, i, to);
      if (is_vector(kind_of(now, i))) to->is_vector = 1;
   }
}

/* ------------------------------------------------------------ implied */

/* The stack pointer, and the pointers of strings, are needed for addresses. */
static bool is_address(const cg2p_operation* to, uint8_t number)
{
   for (unsigned i = 0; i < to->n_address; i++)
      if (to->address[i] == number) return true;
   return false;
}

static void take_implied(const X86Taken* now, cg2p_operation* to)
{
   const cs_detail* detail = now->instruction->detail;
   for (unsigned i = 0; i < detail->regs_read_count; i++) {
      uint8_t number = cg2d_x86registers_number(detail->regs_read[i]);
      if (!is_address(to, number)) cg2d_decoder_read(to, number);
   }
   for (unsigned i = 0; i < detail->regs_write_count; i++)
      cg2d_decoder_write(to, cg2d_x86registers_number(detail->regs_write[i]));
   if (now->marks & READS_RESULT) cg2d_decoder_read(to, 0);
   if (now->marks & WRITES_RESULT) cg2d_decoder_write(to, 0);
   if (now->marks & READS_VECTOR_0 && now->mnemonic == now->base_mnemonic)
      cg2d_decoder_read(to, FIRST_VECTOR);
}

/* ------------------------------------------------------------ flags */

#define EACH_BUT_CARRY(kind)                                                   \
   (X86_EFLAGS_##kind##_OF | X86_EFLAGS_##kind##_SF | X86_EFLAGS_##kind##_ZF | \
    X86_EFLAGS_##kind##_AF | X86_EFLAGS_##kind##_PF)

/* Flags that are undefined afterwards are none that a program reads. */
static const uint64_t carry_written =
   X86_EFLAGS_MODIFY_CF | X86_EFLAGS_RESET_CF | X86_EFLAGS_SET_CF;
static const uint64_t others_written =
   EACH_BUT_CARRY(MODIFY) | EACH_BUT_CARRY(RESET) | EACH_BUT_CARRY(SET);

static bool names_flags(const uint16_t* registers, unsigned n)
{
   for (unsigned i = 0; i < n; i++)
      if (registers[i] == X86_REG_EFLAGS) return true;
   return false;
}

/* What capstone has of flags is of the x87's, where it has any; and "cmpltsd"
 * has those of the string instruction. */
static uint64_t flags_of(const X86Taken* now)
{
   return now->is_x87 || cg2d_x86form_is_comparison(now) ? 0 : now->x86->eflags;
}

static void read_flags(const X86Taken* now, cg2p_operation* to)
{
   const cs_detail* detail = now->instruction->detail;
   uint64_t flags = flags_of(now);
   bool carry = flags & X86_EFLAGS_TEST_CF;
   bool others = flags & EACH_BUT_CARRY(TEST);
   bool direction = flags & X86_EFLAGS_TEST_DF;
   bool are_named = names_flags(detail->regs_read, detail->regs_read_count);
   if (now->marks & READS_CARRY)
      carry = true;
   else if (now->marks & READS_OTHERS)
      others = true;
   else if (are_named && !carry && !others && !direction)
      carry = others = true;
   if (carry) cg2d_decoder_read(to, CARRY);
   if (others) cg2d_decoder_read(to, OTHER_FLAGS);
}

static void write_flags(const X86Taken* now, cg2p_operation* to)
{
   const cs_detail* detail = now->instruction->detail;
   uint64_t flags = flags_of(now);
   bool carry = flags & carry_written;
   bool others = flags & others_written;
   bool are_named = names_flags(detail->regs_write, detail->regs_write_count);
   if (now->marks & WRITES_FLAGS || (are_named && !flags))
      carry = others = true;
   if (cg2d_x86form_is_comparison(now)) carry = others = false;
   if (carry) cg2d_decoder_write(to, CARRY);
   if (others) cg2d_decoder_write(to, OTHER_FLAGS);
}

/* ------------------------------------------------------------ x87 */

static void take_x87(const X86Taken* now, cg2p_operation* to)
{
   const char* mnemonic = now->mnemonic;
   to->n_reads = to->n_writes = 0;
   take_implied(now, to);
   cg2d_x87_take(now, to);
   if (strncmp(mnemonic, "fist", 4) == 0 || strncmp(mnemonic, "fst", 3) == 0 ||
       strncmp(mnemonic, "fbst", 4) == 0 || strncmp(mnemonic, "fnst", 4) == 0) {
      to->access.stores = to->access.size > 0;
      to->access.loads = 0;
   }
}

/* ------------------------------------------------------------ the stack */

/* The stack pointer becomes that of `from` and `number` more. */
static void move_stack(cg2p_operation* to, uint8_t from, int64_t number)
{
   to->rule = CG2P_VALUE_ADD;
   to->rule_source = from;
   to->rule_destination = STACK_POINTER;
   to->rule_immediate = number;
   cg2d_decoder_write(to, STACK_POINTER);
}

static void
use_stack(const X86Taken* now, cg2p_operation* to, bool loads, uint8_t base)
{
   unsigned word = now->decoder->word;
   cg2p_access access = {.base = base,
                         .index = CG2P_NO_REGISTER,
                         .size = word,
                         .loads = loads,
                         .stores = !loads,
                         .displacement = loads ? 0 : -(int64_t)word};
   add_access(to, &access);
   for (unsigned i = 0; i < to->n_reads; i++)
      if (to->reads[i] == base) to->reads[i--] = to->reads[--to->n_reads];
   move_stack(to, base, loads ? word : -(int64_t)word);
}

static bool take_stack(const X86Taken* now, cg2p_operation* to)
{
   bool needs_itself = number_of(now, 0) == STACK_POINTER;
   switch (now->instruction->id) {
   case X86_INS_PUSH:
   case X86_INS_CALL:
   case X86_INS_PUSHFQ:
      use_stack(now, to, false, STACK_POINTER);
      if (needs_itself) cg2d_decoder_read(to, STACK_POINTER);
      return true;
   case X86_INS_POP:
   case X86_INS_RET:
   case X86_INS_POPFQ:
      use_stack(now, to, true, STACK_POINTER);
      if (is_of(now, 0, X86_OP_IMM))
         to->rule_immediate += now->x86->operands[0].imm;
      return true;
   case X86_INS_LEAVE:
      use_stack(now, to, true, FRAME_POINTER);
      for (unsigned i = 0; i < to->n_reads; i++)
         if (to->reads[i] == STACK_POINTER)
            to->reads[i--] = to->reads[--to->n_reads];
      return true;
   default:
      return false;
   }
}

/* ------------------------------------------------------------ values */

static void
rule(cg2p_operation* to, cg2p_value_rule rule, uint8_t source, int64_t number)
{
   to->rule = rule;
   to->rule_source = source;
   to->rule_immediate = number;
}

/* Whether it copies a whole register, or its lower half and zeroes. */
static bool is_copy(const X86Taken* now)
{
   unsigned id = now->instruction->id;
   X86Kind to = kind_of(now, 0), from = kind_of(now, 1);
   if (now->x86->op_count != 2 || now->has_mask) return false;
   if (id == X86_INS_MOVSXD) return from == GENERAL;
   return now->marks & MOVES && to == from && to != NO_KIND && to != SEGMENT &&
          (to != GENERAL || now->x86->operands[0].size >= 4);
}

/* A load or a store of all that there is, and nothing else. */
static bool is_transfer(const X86Taken* now)
{
   unsigned n = now->x86->op_count - now->has_mask;
   return n == 2 && now->marks & LOADS && !now->is_x87 &&
          is_of(now, 0, X86_OP_MEM) !=
             is_of(now, now->x86->op_count - 1, X86_OP_MEM);
}

static void take_transfer(const X86Taken* now, cg2p_operation* to)
{
   unsigned last = now->x86->op_count - 1;
   bool is_partial =
      kind_of(now, 0) == GENERAL && now->x86->operands[0].size < 4;
   if (is_of(now, last, X86_OP_MEM)) {
      if (!is_partial) rule(to, CG2P_VALUE_LOAD, CG2P_NO_REGISTER, 0);
      return;
   }
   to->rule_destination = CG2P_NO_REGISTER;
   if (is_of(now, last, X86_OP_IMM))
      rule(to, CG2P_VALUE_CONSTANT, CG2P_NO_REGISTER,
           now->x86->operands[last].imm);
   else
      rule(to, CG2P_VALUE_COPY, number_of(now, last), 0);
}

static int64_t immediate_of(const X86Taken* now, unsigned i)
{
   const cs_x86_op* operand = &now->x86->operands[i];
   return now->x86->operands[0].size == 4 ? (int64_t)(uint32_t)operand->imm
                                          : operand->imm;
}

/* What an addition adds; false: it is none of a number. */
static bool added(const X86Taken* now, int64_t* number)
{
   int sign = 1;
   switch (now->instruction->id) {
   case X86_INS_INC:
      *number = 1;
      return true;
   case X86_INS_DEC:
      *number = -1;
      return true;
   case X86_INS_SUB:
      sign = -1;
      break;
   case X86_INS_ADD:
      break;
   default:
      return false;
   }
   if (!is_of(now, 1, X86_OP_IMM)) return false;
   *number = sign * now->x86->operands[1].imm;
   return true;
}

static bool is_cleared(const X86Taken* now)
{
   unsigned n = now->x86->op_count;
   bool is_wide = kind_of(now, 0) != GENERAL || now->x86->operands[0].size >= 4;
   return now->marks & CLEARS && is_wide && !now->has_mask &&
          are_same(now, n == 3 ? 1 : 0);
}

static void take_value(const X86Taken* now, cg2p_operation* to)
{
   int64_t number;
   if (to->n_writes && to->writes[0] < CARRY) {
      to->rule = CG2P_VALUE_OTHER;
      to->rule_destination = to->writes[0];
   }
   if (is_transfer(now)) {
      take_transfer(now, to);
   } else if (now->instruction->id == X86_INS_LEA) {
      to->rule = CG2P_VALUE_ADDRESS;
   } else if (now->instruction->id == X86_INS_CDQE || is_copy(now)) {
      rule(to, CG2P_VALUE_COPY, to->reads[0], 0);
   } else if (now->marks & MOVES && is_of(now, 1, X86_OP_IMM) &&
              now->x86->operands[0].size >= 4) {
      rule(to, CG2P_VALUE_CONSTANT, CG2P_NO_REGISTER, immediate_of(now, 1));
   } else if (is_cleared(now)) {
      rule(to, CG2P_VALUE_CONSTANT, CG2P_NO_REGISTER, 0);
   } else if (number_of(now, 0) < FIRST_VECTOR && added(now, &number) &&
              now->x86->operands[0].size >= 4) {
      rule(to, CG2P_VALUE_ADD, number_of(now, 0), number);
   }
}

/* ------------------------------------------------------------ what it is */

static uint8_t move_of(const X86Taken* now)
{
   if (now->marks & IS_IDLE) return CG2P_IDLES;
   if (is_cleared(now)) return CG2P_ZEROES;
   if (is_copy(now) && now->instruction->id != X86_INS_MOVSXD)
      return CG2P_MOVES;
   return now->marks & MOVES && kind_of(now, 0) == GENERAL &&
                is_of(now, 1, X86_OP_IMM) && now->x86->operands[0].size >= 4
             ? CG2P_SETS
             : CG2P_NO_MOVE;
}

/* No processor fuses what stores, or what has an address that is relative to
 * the program counter and an immediate, too. */
static bool may_fuse(const X86Taken* now, const cg2p_operation* to)
{
   if (!(now->marks & FUSES) || to->access.stores) return false;
   return !(to->access.size && to->access.base == CG2P_NO_REGISTER &&
            is_of(now, 1, X86_OP_IMM));
}

/* What does not depend on its sources, as both are the same; a difference of a
 * register and itself and the carry depends on the carry. */
static void forget_same(const X86Taken* now, cg2p_operation* to)
{
   unsigned first = now->x86->op_count == 3 ? 1 : 0;
   bool is_same = are_same(now, first) && !now->has_mask;
   bool is_carry = now->instruction->id == X86_INS_SBB && is_same &&
                   now->x86->operands[0].size >= 4;
   if (is_cleared(now) || is_carry || (is_same && now->marks & NEEDS_SAME_NOT))
      to->n_reads = 0;
   if (is_carry) cg2d_decoder_read(to, CARRY);
}

static void take_instruction(const X86Taken* now, cg2p_operation* to)
{
   to->form = cg2d_x86form(now);
   take_operands(now, to);
   take_implied(now, to);
   if (now->is_x87) take_x87(now, to);
   read_flags(now, to);
   write_flags(now, to);
   if (now->marks & NEEDS_NOTHING || now->marks & IS_IDLE)
      to->n_reads = to->n_writes = 0;
   take_value(now, to);
   take_stack(now, to);
   forget_same(now, to);
   to->is_move = move_of(now);
   to->fuses = may_fuse(now, to);
   to->adds_floats = now->marks & ADDS_FLOATS ? 1 : 0;
}

/* ------------------------------------------------------------ all of it */

/* A mnemonic without the prefixes that capstone puts in front of it. */
static const char* bare(const char* mnemonic)
{
   const char* blank = strrchr(mnemonic, ' ');
   return blank ? blank + 1 : mnemonic;
}

static bool is_x87(const char* mnemonic)
{
   return *mnemonic == 'f' && strncmp(mnemonic, "fxsave", 6) != 0 &&
          strncmp(mnemonic, "fxrstor", 7) != 0;
}

static bool has_mask(const cs_insn* instruction)
{
   return strstr(instruction->op_str, "{k") != NULL;
}

void cg2d_x86operation_take(Decoder* decoder,
                            const uint8_t* bytes,
                            size_t left,
                            uint64_t address,
                            cg2p_operation* to)
{
   const uint8_t* at = bytes;
   size_t n = left;
   uint64_t place = address;
   const cs_insn* instruction = decoder->instruction;
   if (!cs_disasm_iter(decoder->handle, &at, &n, &place,
                       decoder->instruction)) {
      cg2d_wideform_take(decoder, bytes, left, address, to);
      return;
   }
   const char* mnemonic = bare(instruction->mnemonic);
   const char* base = *mnemonic == 'v' ? mnemonic + 1 : mnemonic;
   X86Taken now = {.decoder = decoder,
                   .instruction = instruction,
                   .x86 = &instruction->detail->x86,
                   .mnemonic = mnemonic,
                   .base_mnemonic = base,
                   .marks = cg2d_x86fixes_of(base),
                   .is_x87 = is_x87(mnemonic),
                   .has_mask = has_mask(instruction)};
   to->step = cg2d_control_of_x86(decoder->handle, instruction);
   take_instruction(&now, to);
}
