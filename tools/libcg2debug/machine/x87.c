#include "machine/x87.h"

#include <string.h>

enum {
   READS_TOP = 1 << 0,
   READS_NEXT = 1 << 1,  /* below the top */
   READS_NAMED = 1 << 2, /* the operand; where there is none, as READS_NEXT */
   WRITES_TOP = 1 << 3,
   WRITES_NEXT = 1 << 4,
   WRITES_NAMED = 1 << 5,
   PUSHES = 1 << 6, /* what it writes beside that */
   POPS = 1 << 7,
   POPS_BY_NAME = 1 << 8, /* once for each p at the end of its name */
   EXCHANGES = 1 << 9,    /* the top and the operand change places */
   BEGINS = 1 << 10,      /* the stack is empty then */
   CALCULATES = READS_TOP | READS_NAMED | WRITES_TOP | POPS_BY_NAME,
   COMPARES = READS_TOP | READS_NAMED | POPS_BY_NAME,
   STORES = READS_TOP | WRITES_NAMED | POPS_BY_NAME,
   IN_PLACE = READS_TOP | WRITES_TOP,
   OF_TWO = READS_TOP | READS_NEXT,
};

/* By the beginning of the mnemonic: the first that fits. */
static const struct {
   const char* mnemonic;
   uint32_t does;
} rows[] = {
   {"fldcw", 0},
   {"fldenv", 0},
   {"fld", READS_NAMED | PUSHES},
   {"fild", PUSHES},
   {"fbld", PUSHES},
   {"fst", STORES},
   {"fist", STORES},
   {"fbst", STORES},
   {"fcmov", READS_TOP | READS_NAMED | WRITES_TOP},
   {"fcom", COMPARES},
   {"fucom", COMPARES},
   {"ficom", COMPARES},
   {"ftst", READS_TOP},
   {"fxam", READS_TOP},
   {"fxch", EXCHANGES},
   {"fincstp", POPS},
   {"fdecstp", PUSHES},
   {"ffreep", POPS},
   {"ffree", 0},
   {"fninit", BEGINS},
   {"fnsave", BEGINS},
   {"fn", 0},
   {"frstor", BEGINS},
   {"fptan", IN_PLACE | PUSHES},
   {"fsincos", IN_PLACE | PUSHES},
   {"fxtract", IN_PLACE | PUSHES},
   {"fpatan", OF_TWO | WRITES_NEXT | POPS},
   {"fyl2x", OF_TWO | WRITES_NEXT | POPS},
   {"fprem", OF_TWO | WRITES_TOP},
   {"fscale", OF_TWO | WRITES_TOP},
   {"fadd", CALCULATES},
   {"fsub", CALCULATES},
   {"fmul", CALCULATES},
   {"fdiv", CALCULATES},
   {"fi", CALCULATES},
   {"f", IN_PLACE},
};

static uint32_t what_it_does(const char* mnemonic)
{
   for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
      if (strncmp(mnemonic, rows[i].mnemonic, strlen(rows[i].mnemonic)) == 0)
         return rows[i].does;
   return 0;
}

static bool is_register(const X86Taken* now, unsigned i)
{
   return i < now->x86->op_count && now->x86->operands[i].type == X86_OP_REG &&
          cg2d_x86registers_kind(now->x86->operands[i].reg) == X87;
}

/* How far operand `i` is from the top. */
static unsigned depth_of(const X86Taken* now, unsigned i)
{
   return now->x86->operands[i].reg - X86_REG_ST0;
}

/* How far the register is from the top that its operands name; 1: they name
 * none. */
static unsigned named(const X86Taken* now)
{
   for (unsigned i = 0; i < now->x86->op_count; i++)
      if (is_register(now, i) && depth_of(now, i)) return depth_of(now, i);
   return is_register(now, 0) ? 0 : 1;
}

/* How many p's a name ends with, but for an i: fcompi pops, too. */
static unsigned ending(const char* mnemonic)
{
   size_t n = strlen(mnemonic);
   unsigned pops = 0;
   if (mnemonic[n - 1] == 'i') n--;
   while (mnemonic[--n] == 'p')
      pops++;
   return pops;
}

/* The place in the stack that is `depth` below the top. */
static unsigned place_at(const X86Taken* now, unsigned depth)
{
   return (now->decoder->x87.top + depth) % X87_REGISTERS;
}

static uint8_t number_at(const X86Taken* now, unsigned depth)
{
   unsigned place = place_at(now, depth);
   return FIRST_X87 + (place + now->decoder->x87.moved[place]) % X87_REGISTERS;
}

/* A sum goes to the register that is named first, or below the top. */
static bool is_to_named(const X86Taken* now, uint32_t does)
{
   return does == CALCULATES &&
          (ending(now->mnemonic) ||
           (is_register(now, 1) && is_register(now, 0) && depth_of(now, 0)));
}

static void
read_registers(const X86Taken* now, uint32_t does, cg2p_operation* to)
{
   bool has_memory =
      now->x86->op_count && now->x86->operands[0].type == X86_OP_MEM;
   bool names = does & READS_NAMED && !has_memory &&
                (now->x86->op_count || !(does & PUSHES));
   if (does & READS_TOP) cg2d_decoder_read(to, number_at(now, 0));
   if (does & READS_NEXT) cg2d_decoder_read(to, number_at(now, 1));
   if (names) cg2d_decoder_read(to, number_at(now, named(now)));
}

static void
write_registers(const X86Taken* now, uint32_t does, cg2p_operation* to)
{
   bool is_named = is_to_named(now, does);
   if (does & WRITES_TOP && !is_named)
      cg2d_decoder_write(to, number_at(now, 0));
   if (does & WRITES_NEXT) cg2d_decoder_write(to, number_at(now, 1));
   if (is_named || (does & WRITES_NAMED && is_register(now, 0)))
      cg2d_decoder_write(to, number_at(now, named(now)));
}

static void exchange(const X86Taken* now)
{
   unsigned top = place_at(now, 0), other = place_at(now, named(now));
   uint8_t* moved = now->decoder->x87.moved;
   uint8_t was = top + moved[top];
   moved[top] = other + moved[other] - top;
   moved[other] = was - other;
}

static void move_top(const X86Taken* now, uint32_t does, cg2p_operation* to)
{
   X87Stack* stack = &now->decoder->x87;
   if (does & POPS) stack->top++;
   if (does & POPS_BY_NAME) stack->top += ending(now->mnemonic);
   if (!(does & PUSHES)) return;
   stack->top--;
   cg2d_decoder_write(to, number_at(now, 0));
}

void cg2d_x87_take(const X86Taken* now, cg2p_operation* to)
{
   uint32_t does = what_it_does(now->mnemonic);
   if (does & BEGINS) now->decoder->x87 = (X87Stack){.top = 0};
   if (does & EXCHANGES) exchange(now);
   read_registers(now, does, to);
   write_registers(now, does, to);
   move_top(now, does, to);
   to->is_vector = does != 0;
}
