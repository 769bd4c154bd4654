#include "machine/x86form.h"
#include "machine/x86fixes.h"

#include <stdio.h>

enum { FORM_ROOM = 96 };

/* A form that is being written. */
typedef struct FormText {
   char text[FORM_ROOM];
   size_t length;
} FormText;

static void put(FormText* to, const char* text)
{
   size_t length = strlen(text);
   if (to->length + length >= sizeof to->text) return;
   memcpy(to->text + to->length, text, length + 1);
   to->length += length;
}

static void put_sized(FormText* to, const char* kind, unsigned bytes)
{
   char text[16];
   snprintf(text, sizeof text, "%s%u", kind, bytes * 8);
   put(to, text);
}

/* ------------------------------------------------------------ mnemonics */

bool cg2d_x86form_is_comparison(const X86Taken* now)
{
   return strncmp(now->base_mnemonic, "cmp", 3) == 0 &&
          now->x86->operands[0].type == X86_OP_REG &&
          cg2d_x86registers_kind(now->x86->operands[0].reg) != GENERAL;
}

/* A mnemonic without the condition that an assembler's short name has in it. */
static void put_comparison(const X86Taken* now, FormText* to)
{
   put(to, now->mnemonic == now->base_mnemonic ? "cmp" : "vcmp");
   put(to, now->mnemonic + strlen(now->mnemonic) - 2);
}

/* Whether it compares integers into a mask, with a condition that its immediate
 * byte has; those for "equal" and "greater" of signed ones have none. */
static bool is_masked_comparison(const X86Taken* now)
{
   const char* mnemonic = now->mnemonic;
   bool is_plain =
      strlen(mnemonic) == 8 && (strncmp(mnemonic + 5, "eq", 2) == 0 ||
                                strncmp(mnemonic + 5, "gt", 2) == 0);
   return strncmp(mnemonic, "vpcmp", 5) == 0 && !is_plain &&
          cg2d_x86registers_kind(now->x86->operands[0].reg) == MASK;
}

static void put_masked_comparison(const X86Taken* now, FormText* to)
{
   const char* end = now->mnemonic + strlen(now->mnemonic);
   put(to, "vpcmp");
   put(to, end[-2] == 'u' ? end - 2 : end - 1);
}

static void put_mnemonic(const X86Taken* now, FormText* to)
{
   uint8_t prefix = now->x86->prefix[0];
   if (prefix == X86_PREFIX_LOCK) put(to, "lock ");
   if (strncmp(now->instruction->mnemonic, "rep", 3) == 0 &&
       now->instruction->id != X86_INS_RET)
      put(to, prefix == X86_PREFIX_REPNE ? "repne " : "rep ");
   if (cg2d_x86form_is_comparison(now))
      put_comparison(now, to);
   else if (is_masked_comparison(now))
      put_masked_comparison(now, to);
   else if (strcmp(now->mnemonic, "sal") == 0)
      put(to, "shl");
   else
      put(to, now->mnemonic);
}

/* ------------------------------------------------------------ operands */

static void put_register(const X86Taken* now, unsigned i, FormText* to)
{
   const cs_x86_op* operand = &now->x86->operands[i];
   static const char* const names[] = {
      [NO_KIND] = "c",   [VECTOR128] = "x", [VECTOR256] = "y",
      [VECTOR512] = "z", [MMX] = "mm",      [X87] = "st",
      [MASK] = "k",      [FLAGS] = "c",     [SEGMENT] = "s",
   };
   X86Kind kind = cg2d_x86registers_kind(operand->reg);
   if (now->marks & COUNTS_BY_CL && i && operand->reg == X86_REG_CL)
      put(to, "cl");
   else if (kind == GENERAL)
      put_sized(to, "r", operand->size);
   else
      put(to, names[kind]);
}

static bool is_one_of(const char* text, const char* a, const char* b)
{
   return strcmp(text, a) == 0 || strcmp(text, b) == 0;
}

/* capstone says the vector's where these read a number of it. */
unsigned cg2d_x86form_bytes(const X86Taken* now, unsigned i)
{
   const char* mnemonic = now->base_mnemonic;
   bool is_memory = now->x86->operands[i].type == X86_OP_MEM;
   if (is_memory && is_one_of(mnemonic, "comiss", "ucomiss")) return 4;
   if (is_memory && is_one_of(mnemonic, "comisd", "ucomisd")) return 8;
   if (is_memory && is_one_of(mnemonic, "fnstsw", "fnstcw")) return 2;
   return now->x86->operands[i].size;
}

/* What the address of a lea is made of: a base, an index, a scale, a
 * displacement that is the third part. */
static void put_parts(const x86_op_mem* memory, FormText* to)
{
   bool has_base = memory->base != X86_REG_INVALID;
   bool has_index = memory->index != X86_REG_INVALID;
   bool is_scaled = has_index && memory->scale > 1;
   if (!has_index || (!has_base && !is_scaled)) {
      put(to, "b");
      return;
   }
   put(to, has_base ? "bi" : "i");
   if (is_scaled) put(to, "s");
   if (has_base && memory->disp) put(to, "d");
}

static unsigned bytes_of_vector(const X86Taken* now)
{
   switch (cg2d_x86registers_kind(now->x86->operands[0].reg)) {
   case VECTOR256:
      return 32;
   case VECTOR512:
      return 64;
   default:
      return 16;
   }
}

static void put_memory(const X86Taken* now, unsigned i, FormText* to)
{
   const cs_x86_op* operand = &now->x86->operands[i];
   bool is_broadcast = operand->avx_bcast != X86_AVX_BCAST_INVALID;
   if (now->instruction->id == X86_INS_LEA)
      put_parts(&operand->mem, to);
   else
      put_sized(to, "m",
                is_broadcast ? bytes_of_vector(now)
                             : cg2d_x86form_bytes(now, i));
}

static void put_operand(const X86Taken* now, unsigned i, FormText* to)
{
   switch (now->x86->operands[i].type) {
   case X86_OP_REG:
      put_register(now, i, to);
      return;
   case X86_OP_MEM:
      put_memory(now, i, to);
      return;
   default:
      put(to, "i");
   }
}

static bool is_string(const X86Taken* now)
{
   return strncmp(now->instruction->mnemonic, "rep", 3) == 0;
}

const char* cg2d_x86form(const X86Taken* now)
{
   FormText text = {.length = 0};
   bool is_first = true;
   put_mnemonic(now, &text);
   for (unsigned i = 0; i < now->x86->op_count && !is_string(now); i++) {
      if (i == 1 && now->has_mask) continue;
      put(&text, is_first ? " " : ",");
      put_operand(now, i, &text);
      is_first = false;
   }
   if ((cg2d_x86form_is_comparison(now) || is_masked_comparison(now)) &&
       now->x86->operands[now->x86->op_count - 1].type != X86_OP_IMM)
      put(&text, ",i");
   return cg2d_decoder_form(now->decoder, text.text);
}
