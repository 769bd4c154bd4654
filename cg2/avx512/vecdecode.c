#include "avx512/vecdecode.h"

/* Bits of the numbers of registers, which stand outside ModRM and SIB: the
 * fourth one of `reg`, its fifth one, those of an index and of a base, and all
 * of the third operand's. */
typedef struct VecBits {
   UChar r, r2, x, b, v;
} VecBits;

/* An instruction while it is read. Numbers of registers are put together from
 * bits that are all over the encoding; each bit stands inverted there, and is
 * the right way round here. */
typedef struct VecReader {
   const UChar* code;
   UInt n, at; /* bytes that there are, and that were read */
   VecInstr* instr;
   VecRule rule;
   VecOpcode opcode;
   VecBits bits;
   UChar length;                     /* of vectors: 0 for 16 bytes, 1, 2 */
   UChar mask;                       /* that chooses elements; 0: none */
   Bool broadcasts;                  /* or rounds in a way of its own */
   UChar mod, reg, rm;               /* of ModRM, as they stand there */
   UChar size_prefix, repeat_prefix; /* 66; F3 or F2; 0: there is none */
} VecReader;

/* The next byte; of an instruction that ends too early, 0. */
static UChar next(VecReader* r)
{
   UInt at = r->at++;
   return at < r->n ? r->code[at] : 0;
}

/*--- Prefixes -----------------------------------------------------------*/

/* Source: Intel's manual, volume 2, 2.1.1: 64 and 65 are segments whose base
 * counts, 2E, 36, 3E and 26 those whose base does not; 67 makes addresses
 * short; 66, F2 and F3 belong to an opcode from before AVX. */
static void read_prefixes(VecReader* r)
{
   VecMemory* memory = &r->instr->memory;
   for (;; r->at++) {
      UChar byte = r->at < r->n ? r->code[r->at] : 0;
      Bool is_other =
         byte == 0x2e || byte == 0x36 || byte == 0x3e || byte == 0x26;
      if (byte == 0x64 || byte == 0x65)
         memory->segment = byte == 0x64 ? VEC_FS : VEC_GS;
      else if (byte == 0x67)
         memory->is_short = True;
      else if (byte == 0x66)
         r->size_prefix = byte;
      else if (byte == 0xf2 || byte == 0xf3)
         r->repeat_prefix = byte;
      else if (!is_other)
         return;
   }
}

/* Source: the same, 2.7.1: what the bits of EVEX mean. */
static void read_evex(VecReader* r)
{
   UChar p0 = next(r), p1 = next(r), p2 = next(r), not0 = ~p0;
   r->bits.r = not0 >> 7 & 1;
   r->bits.x = not0 >> 6 & 1;
   r->bits.b = not0 >> 5 & 1;
   r->bits.r2 = not0 >> 4 & 1;
   r->bits.v = (~p1 >> 3 & 15) | (~p2 >> 3 & 1) << 4;
   r->length = p2 >> 5 & 3;
   r->broadcasts = p2 >> 4 & 1;
   r->mask = p2 & 7;
   r->opcode.map = p0 & 7;
   r->opcode.w = p1 >> 7;
   r->opcode.prefix = p1 & 3;
}

/* Source: the same, 2.3.5: the two forms of VEX. */
static void read_vex(VecReader* r, Bool is_long)
{
   UChar p0 = next(r), p1 = is_long ? next(r) : p0, not0 = ~p0;
   r->bits.r = not0 >> 7 & 1;
   r->bits.x = is_long ? not0 >> 6 & 1 : 0;
   r->bits.b = is_long ? not0 >> 5 & 1 : 0;
   r->bits.v = ~p1 >> 3 & 15;
   r->length = p1 >> 2 & 1;
   r->opcode.map = is_long ? p0 & 31 : 1;
   r->opcode.w = is_long ? p1 >> 7 : 0;
   r->opcode.prefix = p1 & 3;
}

static void read_rex(VecReader* r, UChar rex)
{
   r->instr->coding.rex = rex;
   r->opcode.w = rex >> 3 & 1;
   r->bits.r = rex >> 2 & 1;
   r->bits.x = rex >> 1 & 1;
   r->bits.b = rex & 1;
}

/* Source: the same, 2.1.2 and 2.2.1: REX, then 0F, 0F 38 or 0F 3A. A prefix of
 * repetition counts before 66. */
static Bool read_legacy(VecReader* r)
{
   VecInstr* instr = r->instr;
   instr->coding.encoding = VEC_LEGACY;
   instr->coding.prefix = r->repeat_prefix ? r->repeat_prefix : r->size_prefix;
   r->opcode.prefix = instr->coding.prefix == 0xf2 ? 3
                      : instr->coding.prefix == 0xf3
                         ? 2
                         : instr->coding.prefix != 0;
   UChar first = next(r);
   if ((first & 0xf0) == 0x40) {
      read_rex(r, first);
      first = next(r);
   }
   if (first != 0x0f) return False;
   instr->coding.start = r->at - 1;
   UChar second = next(r);
   r->opcode.map = second == 0x38 ? 2 : second == 0x3a ? 3 : 1;
   r->opcode.opcode = r->opcode.map == 1 ? second : next(r);
   return cg2_vecrules_legacy(r->opcode, &r->rule);
}

static Bool read_encoding(VecReader* r)
{
   VecInstr* instr = r->instr;
   read_prefixes(r);
   instr->coding.start = r->at;
   UChar first = r->at < r->n ? r->code[r->at] : 0;
   Bool is_new = first == 0x62 || first == 0xc5 || first == 0xc4;
   if (!is_new) return read_legacy(r);
   if (r->size_prefix || r->repeat_prefix) return False;
   switch (next(r)) {
   case 0x62:
      instr->coding.encoding = VEC_EVEX;
      read_evex(r);
      break;
   case 0xc5:
      instr->coding.encoding = VEC_VEX_SHORT;
      read_vex(r, False);
      break;
   default:
      instr->coding.encoding = VEC_VEX_LONG;
      read_vex(r, True);
   }
   r->opcode.opcode = next(r);
   return instr->coding.encoding == VEC_EVEX
             ? cg2_vecrules_evex(r->opcode, &r->rule)
             : cg2_vecrules_vex(r->opcode, &r->rule);
}

/*--- Memory -------------------------------------------------------------*/

static UInt vector_bytes(const VecReader* r)
{
   return 16U << r->length;
}

static Bool has_vector_of_indices(const VecReader* r)
{
   return r->rule.form == VEC_GATHERS || r->rule.form == VEC_SCATTERS;
}

/* How many bytes of memory the operand is where none is repeated. */
static UInt span_of(const VecReader* r)
{
   UInt bytes = vector_bytes(r);
   switch (r->rule.span) {
   case SPAN_HALF:
      return bytes / 2;
   case SPAN_QUARTER:
      return bytes / 4;
   case SPAN_EIGHTH:
      return bytes / 8;
   case SPAN_ELEMENT:
      return r->rule.element;
   case SPAN_DOUBLED:
      return bytes == 16 ? 8 : bytes;
   default:
      return bytes;
   }
}

/* How many bytes of memory the operand is, unless a mask chooses elements. */
static UInt size_of(const VecReader* r)
{
   return r->broadcasts ? r->rule.element : span_of(r);
}

/* A displacement of one byte counts operands, or elements where these have
 * addresses, or places, of their own. */
static Int unit_of(const VecReader* r)
{
   if (r->instr->coding.encoding != VEC_EVEX) return 1;
   return r->rule.span == SPAN_PACKED ? r->rule.element : (Int)size_of(r);
}

static Int read_displacement(VecReader* r, UInt bytes)
{
   UInt value = 0;
   for (UInt i = 0; i < bytes; i++)
      value |= (UInt)next(r) << 8 * i;
   return bytes == 1 ? (signed char)value * unit_of(r) : (Int)value;
}

/* A vector of indices, and how many elements have addresses there. Source: the
 * pages of VPGATHERDD and its like: the even opcodes have short indices. */
static void set_vector(VecReader* r, UChar index)
{
   VecMemory* memory = &r->instr->memory;
   UInt wider = r->opcode.opcode & 1 ? 8 : r->rule.element;
   memory->vector = index | (r->bits.v & 16);
   memory->index_bytes = r->opcode.opcode & 1 ? 8 : 4;
   memory->n_elements = vector_bytes(r) / wider;
   memory->choice = CHOICE_EACH;
   memory->mask = r->mask;
   r->instr->reads |= 1U << memory->vector;
}

/* Source: Intel's manual, volume 2, table 2-3: SIB. */
static void read_sib(VecReader* r)
{
   VecMemory* memory = &r->instr->memory;
   UChar sib = next(r), index = (sib >> 3 & 7) | r->bits.x << 3;
   memory->scale = sib >> 6;
   memory->base = (sib & 7) | r->bits.b << 3;
   if (has_vector_of_indices(r))
      set_vector(r, index);
   else if (index != 4)
      memory->index = index;
   if (r->mod == 0 && (sib & 7) == 5) {
      memory->base = VEC_NONE;
      memory->displacement = read_displacement(r, 4);
   }
}

/* What a mask chooses of an operand that has one address. */
static void set_choice(VecReader* r)
{
   VecMemory* memory = &r->instr->memory;
   if (!r->mask) return;
   memory->choice = cg2_vecrules_choice(r->opcode, &r->rule);
   if (memory->choice == CHOICE_NONE) return;
   if (r->broadcasts) memory->choice = CHOICE_REPEATS;
   memory->mask = r->mask;
   memory->n_elements = memory->choice == CHOICE_ONE ? 1
                        : r->rule.span == SPAN_ELEMENT
                           ? vector_bytes(r) / r->rule.element
                           : span_of(r) / r->rule.element;
}

/* Source: the same, table 2-2: ModRM. Addresses that are short, have a vector
 * of indices and a segment cannot be had without that segment. */
static Bool read_memory(VecReader* r)
{
   VecMemory* memory = &r->instr->memory;
   Bool has_sib = r->rm == 4;
   if (has_vector_of_indices(r) && !has_sib) return False;
   if (has_vector_of_indices(r) && memory->is_short && memory->segment)
      return False;
   if (has_sib)
      read_sib(r);
   else if (r->mod == 0 && r->rm == 5) {
      memory->from_next = True;
      memory->displacement = read_displacement(r, 4);
   } else
      memory->base = r->rm | r->bits.b << 3;
   if (r->mod) memory->displacement = read_displacement(r, r->mod == 1 ? 1 : 4);
   memory->size = has_vector_of_indices(r) ? r->rule.element : size_of(r);
   memory->element = r->rule.element;
   if (!has_vector_of_indices(r)) set_choice(r);
   r->instr->has_memory = True;
   return True;
}

/*--- Registers ----------------------------------------------------------*/

static UInt bit(UChar number)
{
   return 1U << number;
}

static UChar general_reg(const VecReader* r)
{
   return r->reg | r->bits.r << 3;
}

static UInt vector_reg(const VecReader* r)
{
   return bit(r->reg | r->bits.r << 3 | r->bits.r2 << 4);
}

static UInt vector_v(const VecReader* r)
{
   return bit(r->bits.v);
}

/* What `rm` is if it is a vector: no bit if it is memory. */
static UInt vector_rm(const VecReader* r)
{
   UChar x = r->instr->coding.encoding == VEC_EVEX ? r->bits.x : 0;
   return r->mod == 3 ? bit(r->rm | r->bits.b << 3 | x << 4) : 0;
}

static void write_vector(VecInstr* instr, UInt vectors)
{
   instr->reads |= vectors;
   instr->writes |= vectors;
}

static void write_mask(VecInstr* instr, UInt masks)
{
   instr->reads_masks |= masks;
   instr->writes_masks |= masks;
}

/* The operand `rm` is a general register, if it is none in memory. */
static void set_word(VecReader* r, Bool is_written)
{
   VecInstr* instr = r->instr;
   if (r->mod != 3) return;
   instr->word.number = r->rm | r->bits.b << 3;
   instr->word.is_read = !is_written;
   instr->word.is_written = is_written;
}

/* The operand `reg` is a general register. */
static void set_word_in_reg(VecReader* r, Bool is_written)
{
   VecWord* word = &r->instr->word;
   word->number = general_reg(r);
   word->is_in_reg = True;
   word->is_read = !is_written;
   word->is_written = is_written;
}

static void read_vectors(VecReader* r)
{
   VecInstr* instr = r->instr;
   instr->reads |= vector_rm(r);
   if (r->mask) instr->reads_masks |= bit(r->mask);
   switch (r->rule.form) {
   case VEC_STORES: /* vmovss has a third register */
      instr->reads |= vector_reg(r);
      if (r->mod == 3 && r->rule.span == SPAN_ELEMENT)
         instr->reads |= vector_v(r);
      write_vector(instr, vector_rm(r));
      return;
   case VEC_SHIFTS:
      write_vector(instr, vector_v(r));
      return;
   case VEC_ASKS:
      instr->reads |= vector_v(r);
      write_mask(instr, bit(r->reg));
      return;
   case VEC_ASKS_TWICE:
      instr->reads |= vector_v(r);
      write_mask(instr, bit(r->reg & 6) | bit(r->reg | 1));
      return;
   case VEC_COMPARES:
      instr->reads |= vector_reg(r);
      instr->sets_flags = True;
      return;
   default:
      instr->reads |= vector_v(r);
      write_vector(instr, vector_reg(r));
   }
}

static void read_words(VecReader* r)
{
   VecInstr* instr = r->instr;
   if (r->mask) instr->reads_masks |= bit(r->mask);
   switch (r->rule.form) {
   case VEC_FROM_WORD:
      instr->reads |= vector_v(r);
      write_vector(instr, vector_reg(r));
      set_word(r, False);
      return;
   case VEC_TO_WORD:
      instr->reads |= vector_reg(r);
      set_word(r, True);
      return;
   default:
      instr->reads |= vector_rm(r);
      set_word_in_reg(r, True);
   }
}

static void read_elements(VecReader* r)
{
   VecInstr* instr = r->instr;
   write_mask(instr, bit(r->mask));
   instr->moved = r->reg | r->bits.r << 3 | r->bits.r2 << 4;
   if (r->rule.form == VEC_GATHERS)
      write_vector(instr, vector_reg(r));
   else
      instr->reads |= vector_reg(r);
}

static void read_masks(VecReader* r)
{
   VecInstr* instr = r->instr;
   UInt rm = r->mod == 3 ? bit(r->rm) : 0;
   switch (r->rule.form) {
   case MASK_COMPUTES:
      instr->reads_masks |= rm | bit(r->bits.v & 7);
      write_mask(instr, bit(r->reg));
      return;
   case MASK_STORES:
      instr->reads_masks |= bit(r->reg);
      return;
   case MASK_TESTS:
      instr->reads_masks |= rm | bit(r->reg);
      instr->sets_flags = True;
      return;
   case MASK_FROM_WORD:
      write_mask(instr, bit(r->reg));
      set_word(r, False);
      return;
   default:
      instr->reads_masks |= rm;
      set_word_in_reg(r, True);
   }
}

static void read_registers(VecReader* r)
{
   switch (r->rule.form) {
   case VEC_FROM_MASK:
      r->instr->reads_masks |= bit(r->rm);
      write_vector(r->instr, vector_reg(r));
      return;
   case VEC_FROM_WORD:
   case VEC_TO_WORD:
   case VEC_TO_WORD_REG:
      read_words(r);
      return;
   case VEC_GATHERS:
   case VEC_SCATTERS:
      read_elements(r);
      return;
   case MASK_COMPUTES:
   case MASK_STORES:
   case MASK_TESTS:
   case MASK_FROM_WORD:
   case MASK_TO_WORD:
      read_masks(r);
      return;
   case WORD_STORES:
      set_word_in_reg(r, False);
      return;
   case WORD_BEGINS:
      set_word(r, True);
      return;
   default:
      read_vectors(r);
   }
}

/*--- All ----------------------------------------------------------------*/

static Bool is_stored(const VecReader* r)
{
   return r->rule.form == VEC_STORES || r->rule.form == VEC_TO_WORD ||
          r->rule.form == VEC_SCATTERS || r->rule.form == MASK_STORES ||
          r->rule.form == WORD_STORES;
}

/* Forms whose operands are memory alone, or registers alone. */
static Bool may_have_no_memory(const VecReader* r)
{
   switch (r->rule.form) {
   case MASK_STORES:
   case WORD_STORES:
      return False;
   case WORD_BEGINS: /* RDPID: its siblings have other numbers there */
      return r->reg == 7;
   default:
      return True;
   }
}

static Bool may_have_memory(const VecReader* r)
{
   switch (r->rule.form) {
   case VEC_FROM_MASK:
   case MASK_TESTS:
   case MASK_FROM_WORD:
   case MASK_TO_WORD:
   case WORD_BEGINS:
      return False;
   case MASK_COMPUTES:
      return r->rule.element != 0;
   default:
      return True;
   }
}

static void read_modrm(VecReader* r)
{
   UChar modrm = next(r);
   r->instr->coding.modrm = r->at - 1;
   r->mod = modrm >> 6;
   r->reg = modrm >> 3 & 7;
   r->rm = modrm & 7;
}

static Bool read_operands(VecReader* r)
{
   read_modrm(r);
   if (r->mod == 3) return may_have_no_memory(r);
   return may_have_memory(r) && read_memory(r);
}

static VecReader begin(const UChar* code, UInt n, VecInstr* instr)
{
   VG_(memset)(instr, 0, sizeof *instr);
   instr->word.number = instr->memory.vector = VEC_NONE;
   instr->memory.base = instr->memory.index = VEC_NONE;
   return (VecReader){.code = code, .n = n, .instr = instr};
}

Bool cg2_vecdecode_read(const UChar* code, UInt n, VecInstr* instr)
{
   VecReader reader = begin(code, n, instr), *r = &reader;
   if (!read_encoding(r) || !read_operands(r)) return False;
   read_registers(r);
   instr->rounds = r->rule.rounds;
   instr->kinds = r->rule.kinds;
   instr->memory.is_written = instr->has_memory && is_stored(r);
   instr->coding.has_constant =
      cg2_vecrules_has_constant(r->opcode.map, r->opcode.opcode);
   if (instr->coding.has_constant) next(r);
   instr->length = r->at;
   return r->at <= n && r->at <= VEC_LENGTH_MAX;
}

Bool cg2_vecdecode_is_evex(const UChar* code, UInt n)
{
   VecInstr instr;
   VecReader reader = begin(code, n, &instr), *r = &reader;
   read_prefixes(r);
   return next(r) == 0x62;
}

/* Source: Intel's manual, volume 2, XSAVE and XRSTOR: 0F AE /4 and /5. */
Bool cg2_vecdecode_kept(const UChar* code,
                        UInt n,
                        VecMemory* memory,
                        Bool* is_saved)
{
   enum { OPCODE = 0xae, SAVES = 4, RESTORES = 5 };
   VecInstr instr;
   VecReader reader = begin(code, n, &instr), *r = &reader;
   read_prefixes(r);
   read_legacy(r);
   if (r->opcode.map != 1 || r->opcode.opcode != OPCODE || r->opcode.prefix)
      return False;
   read_modrm(r);
   if (r->mod == 3 || (r->reg != SAVES && r->reg != RESTORES)) return False;
   read_memory(r);
   *memory = instr.memory;
   *is_saved = r->reg == SAVES;
   return r->at <= n;
}
