#include "machine/x86registers.h"

/* Registers that follow each other in capstone's list, and in numbers. */
typedef struct X86Run {
   x86_reg first, last;
   uint8_t kind, number;
   bool is_one; /* all have the same number */
} X86Run;

static const X86Run runs[] = {
   {X86_REG_XMM0, X86_REG_XMM31, VECTOR128, FIRST_VECTOR, false},
   {X86_REG_YMM0, X86_REG_YMM31, VECTOR256, FIRST_VECTOR, false},
   {X86_REG_ZMM0, X86_REG_ZMM31, VECTOR512, FIRST_VECTOR, false},
   {X86_REG_K0, X86_REG_K7, MASK, FIRST_MASK, false},
   {X86_REG_MM0, X86_REG_MM7, MMX, FIRST_X87, false},
   {X86_REG_ST0, X86_REG_ST7, X87, CG2P_NO_REGISTER, true},
   {X86_REG_FP0, X86_REG_FP7, X87, CG2P_NO_REGISTER, true},
   {X86_REG_R8, X86_REG_R15, GENERAL, 8, false},
   {X86_REG_R8B, X86_REG_R15B, GENERAL, 8, false},
   {X86_REG_R8D, X86_REG_R15D, GENERAL, 8, false},
   {X86_REG_R8W, X86_REG_R15W, GENERAL, 8, false},
   {X86_REG_EFLAGS, X86_REG_EFLAGS, FLAGS, CG2P_NO_REGISTER, true},
   {X86_REG_CS, X86_REG_CS, SEGMENT, CG2P_NO_REGISTER, true},
   {X86_REG_DS, X86_REG_DS, SEGMENT, CG2P_NO_REGISTER, true},
   {X86_REG_ES, X86_REG_ES, SEGMENT, CG2P_NO_REGISTER, true},
   {X86_REG_FS, X86_REG_FS, SEGMENT, CG2P_NO_REGISTER, true},
   {X86_REG_GS, X86_REG_GS, SEGMENT, CG2P_NO_REGISTER, true},
   {X86_REG_SS, X86_REG_SS, SEGMENT, CG2P_NO_REGISTER, true},
};

/* Registers that have names: their numbers, and 1. 0: another register. */
static const uint8_t named[X86_REG_ENDING] = {
   [X86_REG_RAX] = 1, [X86_REG_EAX] = 1, [X86_REG_AX] = 1,  [X86_REG_AL] = 1,
   [X86_REG_AH] = 1,  [X86_REG_RCX] = 2, [X86_REG_ECX] = 2, [X86_REG_CX] = 2,
   [X86_REG_CL] = 2,  [X86_REG_CH] = 2,  [X86_REG_RDX] = 3, [X86_REG_EDX] = 3,
   [X86_REG_DX] = 3,  [X86_REG_DL] = 3,  [X86_REG_DH] = 3,  [X86_REG_RBX] = 4,
   [X86_REG_EBX] = 4, [X86_REG_BX] = 4,  [X86_REG_BL] = 4,  [X86_REG_BH] = 4,
   [X86_REG_RSP] = 5, [X86_REG_ESP] = 5, [X86_REG_SP] = 5,  [X86_REG_SPL] = 5,
   [X86_REG_RBP] = 6, [X86_REG_EBP] = 6, [X86_REG_BP] = 6,  [X86_REG_BPL] = 6,
   [X86_REG_RSI] = 7, [X86_REG_ESI] = 7, [X86_REG_SI] = 7,  [X86_REG_SIL] = 7,
   [X86_REG_RDI] = 8, [X86_REG_EDI] = 8, [X86_REG_DI] = 8,  [X86_REG_DIL] = 8,
};

static const X86Run* run_of(x86_reg reg)
{
   for (unsigned i = 0; i < sizeof runs / sizeof *runs; i++)
      if (runs[i].first <= reg && reg <= runs[i].last) return &runs[i];
   return NULL;
}

X86Kind cg2d_x86registers_kind(x86_reg reg)
{
   if (named[reg]) return GENERAL;
   const X86Run* run = run_of(reg);
   return run ? run->kind : NO_KIND;
}

uint8_t cg2d_x86registers_number(x86_reg reg)
{
   if (named[reg]) return named[reg] - 1;
   const X86Run* run = run_of(reg);
   if (!run) return CG2P_NO_REGISTER;
   return run->is_one ? run->number : run->number + (reg - run->first);
}
