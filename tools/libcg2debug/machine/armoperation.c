#include "machine/armoperation.h"

#include <stdio.h>

/* ------------------------------------------------------------ registers */

/* Registers that follow each other in capstone's list, and in numbers. */
typedef struct ArmRun {
   arm64_reg first, last;
   uint8_t number, bytes;
   const char* kind; /* in a form */
   bool is_one;      /* all have the same number */
} ArmRun;

static const ArmRun runs[] = {
   {ARM64_REG_X0, ARM64_REG_X28, 0, 8, "x", false},
   {ARM64_REG_W0, ARM64_REG_W30, 0, 4, "w", false},
   {ARM64_REG_X29, ARM64_REG_X30, 29, 8, "x", false},
   {ARM64_REG_SP, ARM64_REG_SP, ARM_STACK_POINTER, 8, "x", true},
   {ARM64_REG_WSP, ARM64_REG_WSP, ARM_STACK_POINTER, 4, "w", true},
   {ARM64_REG_XZR, ARM64_REG_XZR, CG2P_NO_REGISTER, 8, "x", true},
   {ARM64_REG_WZR, ARM64_REG_WZR, CG2P_NO_REGISTER, 4, "w", true},
   {ARM64_REG_NZCV, ARM64_REG_NZCV, ARM_FLAGS, 4, "c", true},
   {ARM64_REG_B0, ARM64_REG_B31, ARM_FIRST_VECTOR, 1, "b", false},
   {ARM64_REG_H0, ARM64_REG_H31, ARM_FIRST_VECTOR, 2, "h", false},
   {ARM64_REG_S0, ARM64_REG_S31, ARM_FIRST_VECTOR, 4, "s", false},
   {ARM64_REG_D0, ARM64_REG_D31, ARM_FIRST_VECTOR, 8, "d", false},
   {ARM64_REG_Q0, ARM64_REG_Q31, ARM_FIRST_VECTOR, 16, "q", false},
   {ARM64_REG_V0, ARM64_REG_V31, ARM_FIRST_VECTOR, 16, "v", false},
};

static const ArmRun* run_of(arm64_reg reg)
{
   for (unsigned i = 0; i < sizeof runs / sizeof *runs; i++)
      if (runs[i].first <= reg && reg <= runs[i].last) return &runs[i];
   return NULL;
}

static uint8_t number_of(arm64_reg reg)
{
   const ArmRun* run = run_of(reg);
   if (!run) return CG2P_NO_REGISTER;
   return run->is_one ? run->number : run->number + (reg - run->first);
}

/* ------------------------------------------------------------ the table */

enum {
   ONLY_READS = 1 << 0,  /* its first operand, which capstone says it writes */
   ONLY_WRITES = 1 << 1, /* its first operand, which capstone says it reads */
   MOVES = 1 << 2,       /* a register, or an immediate, as it is */
   FUSES = 1 << 3,
   ADDS_FLOATS = 1 << 4,
   IS_IDLE = 1 << 5,
   ADDS = 1 << 6,
   SUBTRACTS = 1 << 7,
   PLACES = 1 << 8, /* an address that is known */
   MOVES_NOT = 1 << 9,
};

typedef struct ArmFix {
   const char* mnemonic;
   unsigned marks;
} ArmFix;

static const ArmFix fixes[] = {
   {"add", ADDS},
   {"adds", ADDS | FUSES},
   {"adr", PLACES},
   {"adrp", PLACES},
   {"ands", FUSES},
   {"asr", ONLY_WRITES},
   {"bti", IS_IDLE},
   {"cmn", ONLY_READS | FUSES},
   {"cmp", ONLY_READS | FUSES},
   {"fadd", ADDS_FLOATS},
   {"fmov", ONLY_WRITES},
   {"fsub", ADDS_FLOATS},
   {"hint", IS_IDLE},
   {"lsl", ONLY_WRITES},
   {"lsr", ONLY_WRITES},
   {"mov", ONLY_WRITES | MOVES},
   {"movi", ONLY_WRITES | MOVES},
   {"movn", ONLY_WRITES | MOVES_NOT},
   {"movz", ONLY_WRITES | MOVES},
   {"mrs", ONLY_WRITES},
   {"mvni", ONLY_WRITES},
   {"nop", IS_IDLE},
   {"sbfiz", ONLY_WRITES},
   {"sbfm", ONLY_WRITES},
   {"sbfx", ONLY_WRITES},
   {"sub", SUBTRACTS},
   {"subs", SUBTRACTS | FUSES},
   {"sxtb", ONLY_WRITES},
   {"sxth", ONLY_WRITES},
   {"sxtw", ONLY_WRITES},
   {"tbl", ONLY_WRITES},
   {"tst", ONLY_READS | FUSES},
   {"ubfiz", ONLY_WRITES},
   {"ubfm", ONLY_WRITES},
   {"ubfx", ONLY_WRITES},
   {"uxtb", ONLY_WRITES},
   {"uxth", ONLY_WRITES},
   {"uxtw", ONLY_WRITES},
};

static unsigned marks_of(const char* mnemonic)
{
   for (unsigned i = 0; i < sizeof fixes / sizeof *fixes; i++)
      if (strcmp(fixes[i].mnemonic, mnemonic) == 0) return fixes[i].marks;
   return 0;
}

/* ------------------------------------------------------------ an instruction
 */

typedef struct ArmTaken {
   Decoder* decoder;
   const cs_insn* instruction;
   const cs_arm64* arm;
   const char* mnemonic;
   unsigned marks;
   bool loads, stores; /* memory, by its mnemonic */
   bool is_literal;    /* it loads from an address in the code */
} ArmTaken;

static bool begins(const char* text, const char* with)
{
   return strncmp(text, with, strlen(with)) == 0;
}

static bool is_of(const ArmTaken* now, unsigned i, arm64_op_type type)
{
   return i < now->arm->op_count && now->arm->operands[i].type == type;
}

static uint8_t register_at(const ArmTaken* now, unsigned i)
{
   return is_of(now, i, ARM64_OP_REG) ? number_of(now->arm->operands[i].reg)
                                      : CG2P_NO_REGISTER;
}

static bool is_vector_at(const ArmTaken* now, unsigned i)
{
   uint8_t number = register_at(now, i);
   return number >= ARM_FIRST_VECTOR && number < ARM_FLAGS;
}

static unsigned bytes_at(const ArmTaken* now, unsigned i)
{
   const ArmRun* run =
      is_of(now, i, ARM64_OP_REG) ? run_of(now->arm->operands[i].reg) : NULL;
   return run ? run->bytes : 8;
}

/* ------------------------------------------------------------ control */

/* What it does with control, by the beginning of its mnemonic: the first that
 * fits. */
static const struct {
   const char* mnemonic;
   uint32_t kind;
} controls[] = {
   {"b.", CG2P_BRANCHES},   {"cbz", CG2P_BRANCHES},
   {"cbnz", CG2P_BRANCHES}, {"tbz", CG2P_BRANCHES},
   {"tbnz", CG2P_BRANCHES}, {"blr", CG2P_CALLS_COMPUTED},
   {"brk", CG2P_STOPS},     {"br", CG2P_JUMPS_COMPUTED},
   {"ret", CG2P_RETURNS},   {"hlt", CG2P_STOPS},
   {"udf", CG2P_STOPS},
};

static uint32_t kind_of(const char* mnemonic)
{
   if (strcmp(mnemonic, "b") == 0) return CG2P_JUMPS;
   if (strcmp(mnemonic, "bl") == 0) return CG2P_CALLS;
   for (unsigned i = 0; i < sizeof controls / sizeof *controls; i++)
      if (begins(mnemonic, controls[i].mnemonic)) return controls[i].kind;
   return CG2P_GOES_ON;
}

static cg2p_step step_of(const ArmTaken* now)
{
   uint32_t kind = kind_of(now->mnemonic);
   unsigned last = now->arm->op_count - 1;
   bool has_target =
      kind == CG2P_BRANCHES || kind == CG2P_JUMPS || kind == CG2P_CALLS;
   return (cg2p_step){has_target ? (uint64_t)now->arm->operands[last].imm : 0,
                      now->instruction->size, kind};
}

/* ------------------------------------------------------------ forms */

static const char* vector_kind(const cs_arm64_op* operand)
{
   static const char* const kinds[] = {
      [ARM64_VAS_8B] = "vb", [ARM64_VAS_16B] = "vb", [ARM64_VAS_4H] = "vh",
      [ARM64_VAS_8H] = "vh", [ARM64_VAS_2S] = "vs",  [ARM64_VAS_4S] = "vs",
      [ARM64_VAS_1D] = "vd", [ARM64_VAS_2D] = "vd",  [ARM64_VAS_1Q] = "vd",
   };
   return operand->vas <= ARM64_VAS_1Q ? kinds[operand->vas] : NULL;
}

static const char* kind_at(const ArmTaken* now, unsigned i)
{
   const cs_arm64_op* operand = &now->arm->operands[i];
   if (operand->type == ARM64_OP_MEM) return now->arm->writeback ? "m!" : "m";
   if (operand->type != ARM64_OP_REG)
      return now->is_literal && i == 1 ? "m" : "i";
   if (operand->vector_index >= 0) return "ve";
   const char* vector = vector_kind(operand);
   const ArmRun* run = run_of(operand->reg);
   return vector ? vector : run ? run->kind : "c";
}

static const char* shift_at(const ArmTaken* now, unsigned i)
{
   static const char* const extensions[] = {"",      ",uxtb", ",uxth",
                                            ",uxtw", ",uxtx", ",sxtb",
                                            ",sxth", ",sxtw", ",sxtx"};
   static const char* const shifts[] = {"",     ",lsl", ",msl",
                                        ",lsr", ",asr", ",ror"};
   const cs_arm64_op* operand = &now->arm->operands[i];
   if (operand->type != ARM64_OP_REG) return "";
   return operand->ext ? extensions[operand->ext] : shifts[operand->shift.type];
}

static const char* form_of(const ArmTaken* now)
{
   char text[96];
   bool is_branch = begins(now->mnemonic, "b.");
   int length =
      snprintf(text, sizeof text, "%s", is_branch ? "b.cond" : now->mnemonic);
   for (unsigned i = 0; i < now->arm->op_count; i++) {
      /* what is added to the base afterwards is no operand of its own */
      if (i && is_of(now, i - 1, ARM64_OP_MEM)) break;
      length += snprintf(text + length, sizeof text - length, "%c%s%s",
                         i ? ',' : ' ', kind_at(now, i), shift_at(now, i));
   }
   if (now->arm->cc && !is_branch)
      snprintf(text + length, sizeof text - length, ",c");
   return cg2d_decoder_form(now->decoder, text);
}

/* ------------------------------------------------------------ registers */

static void take_register(const ArmTaken* now, unsigned i, cg2p_operation* to)
{
   const cs_arm64_op* operand = &now->arm->operands[i];
   uint8_t number = number_of(operand->reg);
   bool is_written = operand->access & CS_AC_WRITE;
   bool is_read = operand->access & CS_AC_READ;
   if (i == 0 && now->marks & ONLY_READS) is_written = false;
   if (i == 0 && now->marks & ONLY_WRITES) is_read = operand->vector_index >= 0;
   if (now->loads && begins(now->mnemonic, "ld"))
      is_read = is_read && operand->vector_index >= 0;
   if (is_read || !is_written) cg2d_decoder_read(to, number);
   if (is_written) cg2d_decoder_write(to, number);
   if (is_vector_at(now, i)) to->is_vector = 1;
}

static void take_implied(const ArmTaken* now, cg2p_operation* to)
{
   enum { LINK = 30 };
   const cs_detail* detail = now->instruction->detail;
   uint32_t kind = to->step.kind;
   for (unsigned i = 0; i < detail->regs_read_count; i++)
      if (detail->regs_read[i] == ARM64_REG_NZCV)
         cg2d_decoder_read(to, ARM_FLAGS);
   if (now->arm->update_flags) cg2d_decoder_write(to, ARM_FLAGS);
   if (kind == CG2P_CALLS || kind == CG2P_CALLS_COMPUTED)
      cg2d_decoder_write(to, LINK);
   if (kind == CG2P_RETURNS && !to->n_reads) cg2d_decoder_read(to, LINK);
}

/* ------------------------------------------------------------ memory */

/* Bytes that an access moves: those of the registers that it moves, or what
 * the mnemonic says at its end. */
static unsigned access_bytes(const ArmTaken* now)
{
   const char* end = now->mnemonic + strlen(now->mnemonic);
   unsigned bytes = 0;
   bool is_general = !is_vector_at(now, 0);
   bool is_state =
      begins(now->mnemonic, "stxr") || begins(now->mnemonic, "stlxr") ||
      begins(now->mnemonic, "stxp") || begins(now->mnemonic, "stlxp");
   if (is_general && end[-1] == 'b') return 1;
   if (is_general && end[-1] == 'h') return 2;
   for (unsigned i = is_state; i < now->arm->op_count; i++)
      if (is_of(now, i, ARM64_OP_REG)) {
         const cs_arm64_op* operand = &now->arm->operands[i];
         bool is_half = operand->vas == ARM64_VAS_8B ||
                        operand->vas == ARM64_VAS_4H ||
                        operand->vas == ARM64_VAS_2S;
         bytes += is_half ? 8 : bytes_at(now, i);
      }
   if (is_general && end[-1] == 'w' && end[-2] == 's') return bytes / 2;
   return bytes < 255 ? bytes : 255;
}

/* The base becomes what it is with a number added: that of the operand behind
 * the one in memory, or its displacement. */
static void write_back(const ArmTaken* now, unsigned i, cg2p_operation* to)
{
   bool is_behind = i + 1 < now->arm->op_count;
   cg2d_decoder_write(to, to->access.base);
   to->rule_destination = to->access.base;
   if (is_behind && !is_of(now, i + 1, ARM64_OP_IMM)) {
      to->rule = CG2P_VALUE_OTHER;
      return;
   }
   to->rule = CG2P_VALUE_ADD;
   to->rule_source = to->access.base;
   to->rule_immediate = is_behind ? now->arm->operands[i + 1].imm
                                  : now->arm->operands[i].mem.disp;
}

static void take_memory(const ArmTaken* now, unsigned i, cg2p_operation* to)
{
   const cs_arm64_op* operand = &now->arm->operands[i];
   to->access = (cg2p_access){
      .base = number_of(operand->mem.base),
      .index = number_of(operand->mem.index),
      .scale = 1u << (operand->shift.type ? operand->shift.value : 0),
      .displacement = operand->mem.disp,
      .size = access_bytes(now),
      .loads = now->loads,
      .stores = now->stores,
   };
   if (!now->loads && !now->stores) to->access.size = 0;
   cg2d_decoder_address(to, to->access.base);
   cg2d_decoder_address(to, to->access.index);
}

static void take_literal(const ArmTaken* now, cg2p_operation* to)
{
   to->access.displacement = now->arm->operands[1].imm;
   to->access.scale = 1;
   to->access.size = access_bytes(now);
   to->access.loads = 1;
}

/* ------------------------------------------------------------ values */

static int64_t immediate_at(const ArmTaken* now, unsigned i)
{
   const cs_arm64_op* operand = &now->arm->operands[i];
   return operand->imm << (operand->shift.type ? operand->shift.value : 0);
}

static void
rule(cg2p_operation* to, cg2p_value_rule rule, uint8_t source, int64_t number)
{
   to->rule = rule;
   to->rule_source = source;
   to->rule_immediate = number;
}

/* A sum of two registers, one of which may be shifted, is an address. */
static void take_sum(const ArmTaken* now, cg2p_operation* to)
{
   const cs_arm64_op* last = &now->arm->operands[2];
   int sign = now->marks & SUBTRACTS ? -1 : 1;
   bool is_shifted = last->shift.type == ARM64_SFT_LSL;
   if (is_vector_at(now, 0) || now->arm->op_count != 3) return;
   if (last->type == ARM64_OP_IMM) {
      rule(to, CG2P_VALUE_ADD, register_at(now, 1),
           sign * immediate_at(now, 2));
   } else if (sign > 0 && !last->ext && (is_shifted || !last->shift.type) &&
              last->shift.value < 8) {
      rule(to, CG2P_VALUE_ADDRESS, CG2P_NO_REGISTER, 0);
      to->access = (cg2p_access){.base = register_at(now, 1),
                                 .index = register_at(now, 2),
                                 .scale = 1u << last->shift.value};
   }
}

static void take_move(const ArmTaken* now, cg2p_operation* to)
{
   bool is_general = !is_vector_at(now, 0);
   if (now->arm->op_count != 2 || now->arm->operands[0].vector_index >= 0)
      return;
   if (is_of(now, 1, ARM64_OP_IMM)) {
      int64_t number = immediate_at(now, 1);
      rule(to, CG2P_VALUE_CONSTANT, CG2P_NO_REGISTER,
           now->marks & MOVES_NOT ? ~number : number);
      to->is_move = is_general || number ? CG2P_SETS : CG2P_ZEROES;
      if (!is_general && number) to->is_move = CG2P_NO_MOVE;
   } else if (register_at(now, 1) == CG2P_NO_REGISTER) {
      rule(to, CG2P_VALUE_CONSTANT, CG2P_NO_REGISTER, 0);
      to->is_move = CG2P_ZEROES;
   } else if (is_general != is_vector_at(now, 1) &&
              now->arm->operands[1].vector_index < 0) {
      rule(to, CG2P_VALUE_COPY, register_at(now, 1), 0);
      to->is_move = CG2P_MOVES;
   }
}

/* A plain load or store of one register. */
static void take_transfer(const ArmTaken* now, cg2p_operation* to)
{
   bool is_plain =
      begins(now->mnemonic, "ldr") || begins(now->mnemonic, "ldur") ||
      begins(now->mnemonic, "str") || begins(now->mnemonic, "stur");
   if (!is_plain || now->arm->writeback) return;
   if (now->loads) {
      rule(to, CG2P_VALUE_LOAD, CG2P_NO_REGISTER, 0);
   } else {
      bool is_zero = register_at(now, 0) == CG2P_NO_REGISTER;
      rule(to, is_zero ? CG2P_VALUE_CONSTANT : CG2P_VALUE_COPY,
           register_at(now, 0), 0);
      to->rule_destination = CG2P_NO_REGISTER;
   }
}

static void take_value(const ArmTaken* now, cg2p_operation* to)
{
   if (to->n_writes && to->writes[0] < ARM_FLAGS) {
      to->rule = CG2P_VALUE_OTHER;
      to->rule_destination = to->writes[0];
   }
   if (now->marks & (ADDS | SUBTRACTS)) take_sum(now, to);
   if (now->marks & (MOVES | MOVES_NOT)) take_move(now, to);
   if (now->marks & PLACES)
      rule(to, CG2P_VALUE_CONSTANT, CG2P_NO_REGISTER, immediate_at(now, 1));
   if (to->access.size) take_transfer(now, to);
}

/* ------------------------------------------------------------ all of it */

static void take_instruction(const ArmTaken* now, cg2p_operation* to)
{
   to->step = step_of(now);
   to->form = form_of(now);
   for (unsigned i = 0; i < now->arm->op_count; i++) {
      if (is_of(now, i, ARM64_OP_MEM)) take_memory(now, i, to);
      if (is_of(now, i, ARM64_OP_REG) &&
          !(i && is_of(now, i - 1, ARM64_OP_MEM)))
         take_register(now, i, to);
   }
   if (now->is_literal) take_literal(now, to);
   take_implied(now, to);
   take_value(now, to);
   for (unsigned i = 0; i < now->arm->op_count; i++)
      if (is_of(now, i, ARM64_OP_MEM) && now->arm->writeback)
         write_back(now, i, to);
   if (now->marks & IS_IDLE) to->is_move = CG2P_IDLES;
   to->fuses = now->marks & FUSES ? 1 : 0;
   to->adds_floats = now->marks & ADDS_FLOATS ? 1 : 0;
}

/* Whether it reads memory, changes it and gives what was there. */
static bool is_atomic(const char* mnemonic)
{
   static const char* const all[] = {"ldadd",  "ldclr",  "ldeor",  "ldset",
                                     "ldsmax", "ldsmin", "ldumax", "ldumin",
                                     "swp",    "cas"};
   for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
      if (begins(mnemonic, all[i])) return true;
   return false;
}

void cg2d_armoperation_take(Decoder* decoder,
                            const uint8_t* bytes,
                            size_t left,
                            uint64_t address,
                            cg2p_operation* to)
{
   enum { BYTES = 4 }; /* of an instruction */
   const cs_insn* instruction = decoder->instruction;
   if (left < BYTES) return;
   to->step.length = BYTES;
   if (!cs_disasm_iter(decoder->handle, &bytes, &left, &address,
                       decoder->instruction))
      return;
   const char* mnemonic = instruction->mnemonic;
   ArmTaken now = {.decoder = decoder,
                   .instruction = instruction,
                   .arm = &instruction->detail->arm64,
                   .mnemonic = mnemonic,
                   .marks = marks_of(mnemonic)};
   now.is_literal = begins(mnemonic, "ldr") && is_of(&now, 1, ARM64_OP_IMM);
   now.loads =
      begins(mnemonic, "ld") || begins(mnemonic, "prfm") || is_atomic(mnemonic);
   now.stores = begins(mnemonic, "st") || is_atomic(mnemonic);
   take_instruction(&now, to);
}
