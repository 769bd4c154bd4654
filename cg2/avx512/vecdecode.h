/* Decoding: the length and the operands of an instruction of AVX-512, or of
 * another kind that VEX does not know.
 *
 * Nothing is said of what the instruction computes: the processor knows. */
#ifndef CG2_VECDECODE_H
#define CG2_VECDECODE_H

#include "avx512/vecrules.h"

enum { VEC_LENGTH_MAX = 15, VEC_REGISTERS = 32, VEC_NONE = 255 };

typedef enum VecEncoding {
   VEC_EVEX,
   VEC_VEX_SHORT,
   VEC_VEX_LONG,
   VEC_LEGACY /* from before AVX */
} VecEncoding;

/* Segments whose base counts. */
typedef enum VecSegment { VEC_FLAT, VEC_FS, VEC_GS } VecSegment;

/* An operand in memory: segment + base + index << scale + displacement, of
 * which the lower 32 bits count if the address is short, before the segment is
 * added. */
typedef struct VecMemory {
   UChar base, index; /* general registers; VEC_NONE: there is none */
   UChar scale;       /* how far the index is shifted */
   UChar segment;     /* VecSegment */
   Bool is_short;
   Bool is_written; /* not read */
   Bool from_next;  /* The displacement counts from the next instruction. */
   Long displacement;
   UShort size;      /* bytes, if no mask chooses elements */
   UChar element;    /* bytes of an element */
   UChar mask;       /* the mask that chooses; 0: none does */
   UChar choice;     /* what the mask means: a VecChoice */
   UChar n_elements; /* that the mask can choose */
   /* If each element has an address of its own: */
   UChar vector;      /* what holds indices in place of `index`; VEC_NONE */
   UChar index_bytes; /* of an index: 4 or 8 */
} VecMemory;

/* The general register that is an operand by itself, no part of an address. */
typedef struct VecWord {
   UChar number;   /* VEC_NONE: there is none */
   Bool is_in_reg; /* its place is ModRM's `reg`, not `rm` */
   Bool is_read, is_written;
} VecWord;

/* How an instruction is encoded. */
typedef struct VecCoding {
   UChar encoding; /* VecEncoding */
   UChar start;    /* where it begins, behind prefixes: from before AVX, 0F */
   UChar prefix;   /* from before AVX: 66, F3, F2, or 0 */
   UChar rex;      /* from before AVX: REX, or 0 */
   UChar modrm;    /* where ModRM stands */
   Bool has_constant;
} VecCoding;

typedef struct VecInstr {
   UChar length;
   VecCoding coding;
   Bool has_memory;
   Bool sets_flags;
   Bool rounds; /* uses MXCSR */
   UInt kinds;  /* what a processor needs to have: cpuid.h */
   VecMemory memory;
   /* Registers by number, a bit for each. What is written may be kept in part,
    * and so is read, too. */
   UInt reads, writes; /* vectors */
   UInt reads_masks, writes_masks;
   UChar moved; /* the vector that a gather fills, or a scatter empties */
   VecWord word;
} VecInstr;

/* Decodes the instruction of at most `n` bytes at `code`. False: it is none of
 * these kinds, or not known. */
Bool cg2_vecdecode_read(const UChar* code, UInt n, VecInstr* instr);

/* Whether the bytes are encoded as instructions of AVX-512 are, known or not.
 */
Bool cg2_vecdecode_is_evex(const UChar* code, UInt n);

/* The operand in memory of XSAVE or, if not `is_saved`, XRSTOR. False: the
 * instruction is neither. */
Bool cg2_vecdecode_kept(const UChar* code,
                        UInt n,
                        VecMemory* memory,
                        Bool* is_saved);

#endif
