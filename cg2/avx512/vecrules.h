/* Vector rules: what an opcode does with its operands.
 *
 * A rule is known by what tells instructions apart: the map of opcodes, the
 * prefix that belongs to the opcode, the opcode itself, and W. It says no more
 * than what is needed to execute an instruction elsewhere: which operands are
 * registers of which kind, which of them are written, and how many bytes of
 * memory an operand is. */
#ifndef CG2_VECRULES_H
#define CG2_VECRULES_H

#include "base/vg.h"

/* What the operands are. `reg` and `rm` are those of ModRM, `v` is the third
 * one. Where nothing else is said an operand is a vector, and `rm` may be
 * memory. */
typedef enum VecForm {
   VEC_COMPUTES,    /* reg = reg, v, rm */
   VEC_STORES,      /* rm = reg */
   VEC_SHIFTS,      /* v = rm */
   VEC_ASKS,        /* mask reg = v, rm */
   VEC_ASKS_TWICE,  /* masks reg and its neighbour = v, rm */
   VEC_COMPARES,    /* flags = reg, rm */
   VEC_FROM_MASK,   /* reg = mask rm */
   VEC_FROM_WORD,   /* reg = v, general rm */
   VEC_TO_WORD,     /* general rm = reg */
   VEC_TO_WORD_REG, /* general reg = rm */
   VEC_GATHERS,     /* reg, mask = memory at each of a vector's addresses */
   VEC_SCATTERS,    /* memory at each of a vector's addresses, mask = reg */
   MASK_COMPUTES,   /* mask reg = mask v, mask rm */
   MASK_STORES,     /* memory rm = mask reg */
   MASK_TESTS,      /* flags = mask reg, mask rm */
   MASK_FROM_WORD,  /* mask reg = general rm */
   MASK_TO_WORD,    /* general reg = mask rm */
   WORD_STORES,     /* memory rm = general reg */
   WORD_BEGINS      /* general rm = what the processor says */
} VecForm;

/* How much memory an operand is, for vectors of so many bytes. With a broadcast
 * it is one element. */
typedef enum VecSpan {
   SPAN_WHOLE, /* as many bytes as the vectors have */
   SPAN_HALF,
   SPAN_QUARTER,
   SPAN_EIGHTH,
   SPAN_ELEMENT, /* as many as an element has, whatever the vectors have */
   SPAN_DOUBLED, /* an element of 8 for 16 bytes, else as many as the vectors */
   SPAN_PACKED   /* at most as many as the vectors have; a displacement of one
                    byte counts elements */
} VecSpan;

typedef struct VecRule {
   UChar form;    /* VecForm */
   UChar span;    /* VecSpan */
   UChar element; /* bytes of an element in memory, where a mask chooses
                     elements, or a broadcast repeats one */
   Bool rounds;   /* uses MXCSR: its rounding, or its flags */
   UInt kinds;    /* what a processor needs to have: cpuid.h */
} VecRule;

/* What tells instructions apart. */
typedef struct VecOpcode {
   UChar map;    /* 1: 0F, 2: 0F 38, 3: 0F 3A, 5 and 6: those of FP16 */
   UChar prefix; /* 0: none, 1: 66, 2: F3, 3: F2 */
   UChar opcode;
   UChar w;
} VecOpcode;

/* The rule for an EVEX-encoded instruction. False: there is none. */
Bool cg2_vecrules_evex(VecOpcode opcode, VecRule* rule);

/* The rule for a VEX-encoded instruction, or for one in the encoding from
 * before AVX. False: there is none, as VEX knows the instruction, or nobody. */
Bool cg2_vecrules_vex(VecOpcode opcode, VecRule* rule);
Bool cg2_vecrules_legacy(VecOpcode opcode, VecRule* rule);

/* What a mask means for an operand in memory. */
typedef enum VecChoice {
   CHOICE_NONE,    /* nothing: all of it is read */
   CHOICE_ONE,     /* only bit 0 counts: the operand is one element */
   CHOICE_REPEATS, /* any bit: one operand is for all elements */
   CHOICE_EACH,    /* each bit chooses an element */
   CHOICE_PACKED   /* as many elements as there are bits, side by side */
} VecChoice;

VecChoice cg2_vecrules_choice(VecOpcode opcode, const VecRule* rule);

/* Whether an instruction of this map and opcode ends in a constant byte. */
Bool cg2_vecrules_has_constant(UChar map, UChar opcode);

#endif
