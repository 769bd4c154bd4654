/* Decoding: the length and the operands of an instruction of AVX-512.
 *
 * Nothing is said of what the instruction computes: the processor knows. */
#ifndef CG2_VECDECODE_H
#define CG2_VECDECODE_H

#include "avx512/vecrules.h"

enum { VEC_LENGTH_MAX = 15, VEC_REGISTERS = 32, VEC_NONE = 255 };

typedef enum VecEncoding { VEC_EVEX, VEC_VEX_SHORT, VEC_VEX_LONG } VecEncoding;

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

typedef struct VecInstr {
   UChar length;
   UChar start;    /* where the encoding begins, behind prefixes */
   UChar modrm;    /* where ModRM stands */
   UChar encoding; /* VecEncoding */
   Bool has_constant;
   Bool has_memory;
   Bool sets_flags;
   Bool rounds; /* uses MXCSR */
   VecMemory memory;
   /* Registers by number, a bit for each. What is written may be kept in part,
    * and so is read, too. */
   UInt reads, writes; /* vectors */
   UInt reads_masks, writes_masks;
   VecWord word;
} VecInstr;

/* Decodes the instruction of at most `n` bytes at `code`. False: it is not one
 * of AVX-512, or not known. */
Bool cg2_vecdecode_read(const UChar* code, UInt n, VecInstr* instr);

/* Whether the bytes are encoded as instructions of AVX-512 are, known or not.
 */
Bool cg2_vecdecode_is_evex(const UChar* code, UInt n);

#endif
