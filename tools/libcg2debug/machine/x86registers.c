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
   {X86_REG_MM0, X86_REG_MM7, MMX, X87_STACK, true},
   {X86_REG_ST0, X86_REG_ST7, X87, X87_STACK, true},
   {X86_REG_FP0, X86_REG_FP7, X87, X87_STACK, true},
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

/* Registers that have names, by number. */
static const x86_reg named[8][5] = {
   {X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL, X86_REG_AH},
   {X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL, X86_REG_CH},
   {X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL, X86_REG_DH},
   {X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL, X86_REG_BH},
   {X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL, X86_REG_SPL},
   {X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL, X86_REG_BPL},
   {X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL, X86_REG_SIL},
   {X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL, X86_REG_DIL},
};

static const X86Run* run_of(x86_reg reg)
{
   for (unsigned i = 0; i < sizeof runs / sizeof *runs; i++)
      if (runs[i].first <= reg && reg <= runs[i].last) return &runs[i];
   return NULL;
}

static uint8_t named_number(x86_reg reg)
{
   for (unsigned i = 0; i < 8; i++)
      for (unsigned j = 0; j < 5; j++)
         if (named[i][j] == reg) return i;
   return CG2P_NO_REGISTER;
}

X86Kind cg2d_x86registers_kind(x86_reg reg)
{
   if (named_number(reg) != CG2P_NO_REGISTER) return GENERAL;
   const X86Run* run = run_of(reg);
   return run ? run->kind : NO_KIND;
}

uint8_t cg2d_x86registers_number(x86_reg reg)
{
   uint8_t number = named_number(reg);
   const X86Run* run = run_of(reg);
   if (number != CG2P_NO_REGISTER || !run) return number;
   return run->is_one ? run->number : run->number + (reg - run->first);
}
