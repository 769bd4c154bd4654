#include "avx512/veccode.h"

/* Numbers of registers in machine code. */
enum { RAX = 0, RCX = 1, RDX = 2, RDI = 7 };

/* Source of the encodings: Intel's manual, volume 2. The state is in rdi, and
 * what lies there is addressed by a displacement of four bytes. */
enum { AT_RDI = 0x80 | RDI };

static void put(VecCode* code, UInt byte)
{
   *code->at++ = byte;
}

static void put_many(VecCode* code, const UChar* bytes, UInt n)
{
   VG_(memcpy)(code->at, bytes, n);
   code->at += n;
}

static void put_number(VecCode* code, ULong number, UInt bytes)
{
   for (UInt i = 0; i < bytes; i++)
      put(code, number >> 8 * i);
}

/* Operand `reg`, and the state at `offset`. */
static void put_at(VecCode* code, UInt reg, Int offset)
{
   put(code, AT_RDI | (reg & 7) << 3);
   put_number(code, offset, 4);
}

/* An instruction of `n` bytes on `reg` and the state at `offset`. */
#define PUT_STATE(code, reg, offset, ...)                                      \
   do {                                                                        \
      static const UChar bytes[] = {__VA_ARGS__};                              \
      put_many(code, bytes, sizeof bytes);                                     \
      put_at(code, reg, offset);                                               \
   } while (0)

#define PUT_BYTES(code, ...)                                                   \
   do {                                                                        \
      static const UChar bytes[] = {__VA_ARGS__};                              \
      put_many(code, bytes, sizeof bytes);                                     \
   } while (0)

/*--- Registers ----------------------------------------------------------*/

/* EVEX for 64 bytes: `map` and `prefix` as there, `v` the second source; 0:
 * there is none. */
static void
put_evex(VecCode* code, UInt map, UInt prefix, UInt reg, UInt v, UInt opcode)
{
   put(code, 0x62);
   put(code, 0x60 | map | (~reg >> 3 & 1) << 7 | (~reg >> 4 & 1) << 4);
   put(code, 0x84 | (~v & 15) << 3 | prefix);
   put(code, 0x48);
   put(code, opcode);
}

/* vmovdqu between ymm and the state. */
static void put_lower(VecCode* code, UInt v, UInt opcode)
{
   put(code, 0xc5);
   put(code, v < 8 ? 0xfe : 0x7e);
   put(code, opcode);
   put_at(code, v, cg2_vecstate_vector(code->state, v));
}

static void load_vector(VecCode* code, UInt v)
{
   if (v < 16) {
      put_lower(code, v, 0x6f);
      if (!code->has_uppers) return;
      put_evex(code, 3, 1, v, v, 0x3a); /* vinserti64x4 */
      put_at(code, v, cg2_vecstate_upper(code->state, v));
      put(code, 1);
   } else {
      put_evex(code, 1, 2, v, 0, 0x6f); /* vmovdqu64 */
      put_at(code, v, cg2_vecstate_vector(code->state, v));
   }
}

static void store_vector(VecCode* code, UInt v)
{
   if (v < 16) {
      put_lower(code, v, 0x7f);
      if (!code->has_uppers) return;
      put_evex(code, 3, 1, v, 0, 0x3b); /* vextracti64x4 */
      put_at(code, v, cg2_vecstate_upper(code->state, v));
      put(code, 1);
   } else {
      put_evex(code, 1, 2, v, 0, 0x7f);
      put_at(code, v, cg2_vecstate_vector(code->state, v));
   }
}

static void load_mask(VecCode* code, UInt k)
{
   PUT_STATE(code, k, cg2_vecstate_mask(code->state, k), 0xc4, 0xe1, 0xf8,
             0x90);
}

static void store_mask(VecCode* code, UInt k)
{
   PUT_STATE(code, k, cg2_vecstate_mask(code->state, k), 0xc4, 0xe1, 0xf8,
             0x91);
}

/* mov of a general register of the guest to one of the host, and back. */
static void load_word(VecCode* code, UInt to, UInt word)
{
   PUT_STATE(code, to, cg2_vecstate_word(code->state, word), 0x48, 0x8b);
}

static void store_word(VecCode* code, UInt from, UInt word)
{
   PUT_STATE(code, from, cg2_vecstate_word(code->state, word), 0x48, 0x89);
}

static void load_registers(VecCode* code, const VecInstr* instr)
{
   UInt vectors = instr->reads & ~code->vectors;
   UInt masks = instr->reads_masks & ~code->masks;
   for (UInt v = 0; v < VEC_REGISTERS; v++)
      if (vectors >> v & 1) load_vector(code, v);
   for (UInt k = 0; k < 8; k++)
      if (masks >> k & 1) load_mask(code, k);
   if (instr->word.is_read) load_word(code, RDX, instr->word.number);
   code->vectors |= vectors;
   code->masks |= masks;
}

static void store_registers(VecCode* code, const VecInstr* instr)
{
   for (UInt v = 0; v < VEC_REGISTERS; v++)
      if (instr->writes >> v & 1) store_vector(code, v);
   for (UInt k = 0; k < 8; k++)
      if (instr->writes_masks >> k & 1) store_mask(code, k);
   if (instr->word.is_written) store_word(code, RDX, instr->word.number);
}

/*--- Flags and MXCSR ----------------------------------------------------*/

/* Source: VEX: the kind 0 means that the first value has the flags as they
 * are. */
static void store_flags(VecCode* code)
{
   enum { FLAGS = 0x8d5 };
   Int at = code->state->flags;
   PUT_BYTES(code, 0x9c, 0x58); /* pushf; pop rax */
   put(code, 0x25);             /* and eax, FLAGS */
   put_number(code, FLAGS, 4);
   PUT_BYTES(code, 0x31, 0xc9); /* xor ecx, ecx */
   PUT_STATE(code, RCX, at, 0x48, 0x89);
   PUT_STATE(code, RAX, at + 8, 0x48, 0x89);
   PUT_STATE(code, RCX, at + 16, 0x48, 0x89);
   PUT_STATE(code, RCX, at + 24, 0x48, 0x89);
}

enum {
   MXCSR_RAISED = 0x3f,
   MXCSR_PLAIN = 0x1f80,
   MXCSR_ROUNDING = 0x6000,
   MXCSR_ALL = 0xffff
};

/* LDMXCSR takes 3 ns. A loop does without from its second time on: what was
 * raised stays in MXCSR, where Valgrind does not look at it. The scratch has
 * two words: what MXCSR is to be, 0 unless it is now, and what it is. */
enum { WANTED = 0, FOUND = 4 };

static void put_found(VecCode* code)
{
   PUT_STATE(code, 3, code->state->scratch + FOUND, 0x0f, 0xae); /* stmxcsr */
}

/* A jump over what is written until put_target(). `opcode` is of the short
 * form. */
static UChar* put_jump(VecCode* code, UInt opcode)
{
   put(code, opcode);
   put(code, 0);
   return code->at;
}

static void put_target(VecCode* code, UChar* behind_jump)
{
   behind_jump[-1] = code->at - behind_jump;
}

enum { JUMP_EQUAL = 0x74, JUMP_NOT_EQUAL = 0x75, JUMP_AT_MOST = 0x76 };

/* Lets MXCSR be the guest's. */
static void load_rounding(VecCode* code)
{
   const VecState* state = code->state;
   if (code->has_rounding) return;
   code->has_rounding = True;
   PUT_STATE(code, RAX, state->rounding, 0x8b);
   PUT_BYTES(code, 0x83, 0xe0, 3, 0xc1, 0xe0, 13); /* and eax, 3; shl 13 */
   PUT_STATE(code, RAX, state->mxcsr, 0x33);       /* xor eax with the state */
   put(code, 0x35);                                /* xor eax, MXCSR_PLAIN */
   put_number(code, MXCSR_PLAIN, 4);
   PUT_STATE(code, RAX, state->scratch + WANTED, 0x89);
   put_found(code);
   PUT_STATE(code, RAX, state->scratch + FOUND, 0x3b); /* cmp */
   UChar* is_it = put_jump(code, JUMP_EQUAL);
   PUT_STATE(code, 2, state->scratch + WANTED, 0x0f, 0xae); /* ldmxcsr */
   put_target(code, is_it);
}

/* Keeps the guest's, and lets MXCSR be what Valgrind expects: nothing is to be
 * done if nothing new was raised, and the rest is as a processor begins. */
static void store_rounding(VecCode* code)
{
   const VecState* state = code->state;
   if (!code->has_rounding) return;
   put_found(code);
   PUT_STATE(code, RCX, state->scratch + WANTED, 0x8b);
   PUT_STATE(code, RAX, state->scratch + FOUND, 0x8b);
   PUT_BYTES(code, 0x31, 0xc1); /* xor ecx, eax: what is new */
   put(code, 0x35);             /* xor eax, MXCSR_PLAIN */
   put_number(code, MXCSR_PLAIN, 4);
   PUT_BYTES(code, 0x85, 0xc9); /* test ecx, ecx */
   UChar* is_new = put_jump(code, JUMP_NOT_EQUAL);
   PUT_BYTES(code, 0x83, 0xf8, MXCSR_RAISED); /* cmp eax */
   UChar* is_done = put_jump(code, JUMP_AT_MOST);
   put_target(code, is_new);
   put(code, 0x25); /* and eax with all but its rounding */
   put_number(code, MXCSR_ALL & ~MXCSR_ROUNDING, 4);
   PUT_STATE(code, RAX, state->mxcsr, 0x89);
   PUT_STATE(code, 0, state->scratch, 0xc7); /* mov to the state */
   put_number(code, MXCSR_PLAIN, 4);
   PUT_STATE(code, 2, state->scratch, 0x0f, 0xae);
   put_target(code, is_done);
   PUT_STATE(code, 0, state->scratch + WANTED, 0xc7);
   put_number(code, 0, 4);
}

/*--- Addresses ----------------------------------------------------------*/

/* Puts the address of the operand in memory into rax. */
static void put_address(VecCode* code, const VecInstr* instr, Addr next_address)
{
   const VecMemory* memory = &instr->memory;
   Long constant = memory->displacement;
   if (memory->from_next) constant += next_address;
   PUT_BYTES(code, 0x48, 0xb8); /* mov rax, constant */
   put_number(code, constant, 8);
   if (memory->base != VEC_NONE)
      PUT_STATE(code, RAX, cg2_vecstate_word(code->state, memory->base), 0x48,
                0x03);
   if (memory->index != VEC_NONE) {
      load_word(code, RCX, memory->index);
      PUT_BYTES(code, 0x48, 0x8d, 0x04); /* lea rax, [rax + rcx << scale] */
      put(code, memory->scale << 6 | RCX << 3 | RAX);
   }
   if (memory->is_short) PUT_BYTES(code, 0x89, 0xc0); /* mov eax, eax */
   if (memory->segment == VEC_FS)
      PUT_STATE(code, RAX, code->state->fs, 0x48, 0x03);
   if (memory->segment == VEC_GS)
      PUT_STATE(code, RAX, code->state->gs, 0x48, 0x03);
}

/*--- The instruction ----------------------------------------------------*/

/* Bits of the first byte behind EVEX's or VEX's own, which stand there
 * inverted: extensions of ModRM's reg, of an index, of rm, and, in EVEX, once
 * more of reg. */
enum { NOT_R = 0x80, NOT_X = 0x40, NOT_B = 0x20, NOT_R2 = 0x10 };

/* The extensions, as they stand in EVEX and VEX, that belong to operands which
 * are replaced. */
static UInt replaced_extensions(const VecInstr* instr)
{
   UInt bits = 0;
   Bool is_rm = instr->word.number != VEC_NONE && !instr->word.is_in_reg;
   if (instr->has_memory)
      bits = instr->memory.vector == VEC_NONE ? NOT_X | NOT_B : NOT_B;
   if (is_rm) bits |= NOT_X | NOT_B;
   if (instr->word.is_in_reg) bits |= NOT_R | NOT_R2;
   if (instr->coding.encoding == VEC_VEX_SHORT) bits &= NOT_R;
   if (instr->coding.encoding == VEC_VEX_LONG) bits &= ~NOT_R2;
   return bits;
}

/* 66, F3 or F2, and REX with the extensions of what is not replaced: there
 * R, X and B are bits 2 to 0, as they are. */
static void put_legacy_prefixes(VecCode* code, const VecInstr* instr)
{
   UInt replaced = replaced_extensions(instr);
   UInt rex = instr->coding.rex & ~(replaced >> 5 & 7);
   if (instr->coding.prefix) put(code, instr->coding.prefix);
   if (instr->coding.rex) put(code, rex);
}

/* ModRM, with SIB if that is needed: rax for memory, rdx for a register. */
static void put_modrm(VecCode* code, const VecInstr* instr, const UChar* modrm)
{
   UInt reg = instr->word.is_in_reg ? RDX : modrm[0] >> 3 & 7;
   if (instr->has_memory && instr->memory.vector != VEC_NONE) {
      enum { HAS_SIB = 4 };
      put(code, reg << 3 | HAS_SIB);
      put(code, (modrm[1] & ~7) | RAX);
   } else if (instr->has_memory)
      put(code, reg << 3 | RAX);
   else if (instr->word.number != VEC_NONE && !instr->word.is_in_reg)
      put(code, 0xc0 | reg << 3 | RDX);
   else
      put(code, (modrm[0] & 0xc7) | reg << 3);
}

static void
put_instruction(VecCode* code, const VecInstr* instr, const UChar* bytes)
{
   Bool is_legacy = instr->coding.encoding == VEC_LEGACY;
   UInt extensions = is_legacy ? 0 : replaced_extensions(instr);
   Bool adds_later = instr->memory.vector != VEC_NONE;
   if (adds_later && instr->memory.is_short) put(code, 0x67);
   if (is_legacy) put_legacy_prefixes(code, instr);
   put(code, bytes[instr->coding.start]);
   put(code, bytes[instr->coding.start + 1] | extensions);
   put_many(code, bytes + instr->coding.start + 2,
            instr->coding.modrm - instr->coding.start - 2);
   put_modrm(code, instr, bytes + instr->coding.modrm);
   if (instr->coding.has_constant) put(code, bytes[instr->length - 1]);
}

/*--- All ----------------------------------------------------------------*/

VecCode cg2_veccode_begin(const VecState* state, UChar* to, Bool has_avx512)
{
   return (VecCode){.state = state, .at = to, .has_uppers = has_avx512};
}

/* The first instruction's address is in the state when the code is called. */
void cg2_veccode_add(VecCode* code,
                     const VecInstr* instr,
                     const UChar* bytes,
                     Addr address)
{
   if (code->n++) {
      PUT_STATE(code, 0, code->state->next, 0xc7);
      put_number(code, address, 4);
   }
   load_registers(code, instr);
   if (instr->rounds) load_rounding(code);
   if (instr->has_memory) put_address(code, instr, address + instr->length);
   put_instruction(code, instr, bytes);
   if (instr->sets_flags) store_flags(code);
   store_registers(code, instr);
}

UChar* cg2_veccode_end(VecCode* code)
{
   store_rounding(code);
   PUT_BYTES(code, 0xc5, 0xf8, 0x77, 0xc3); /* vzeroupper; ret */
   return code->at;
}
