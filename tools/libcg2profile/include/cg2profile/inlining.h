/* Inlined functions as functions. A compiler puts small functions into those
 * that call them: their instructions then count for the caller. Debug
 * information says which function each instruction came from. A profile with
 * addresses is split by that: each inlined function becomes a function that is
 * called from where the source calls it. If it also exists as a copy that is
 * called, both are one function.
 *
 *    cg2p_inlining* inlining = cg2p_inlining_new(profile, &error);
 *    for (size_t i = 0; i < cg2p_inlining_object_count(inlining); i++)
 *       ...cg2p_inlining_add(inlining, i, what debug information says)
 *    cg2p_profile* made = cg2p_inlining_end(inlining, &error);
 *
 * An instance is one inlined copy of a function. Its self cost is that of its
 * instructions that are in no instance inside it. Its inclusive cost also has
 * the instances inside it and the calls that its instructions make. All costs
 * add up as before.
 *
 * The profile does not say how often an instance was entered. The line table
 * says where it begins: by marks (GCC), or else at the first of its lines. For
 * each block of instructions in which the instance begins, the entries are how
 * often the block ran, without the times that control came there from the
 * instance itself, as in a loop. If no such block ran, the entries are how
 * often control came into the instance from outside. This needs jumps
 * (--collect-jumps=yes). A mark without an instruction counts, too.
 *
 * The number of entries is an estimate in these cases:
 *
 *  - the profile has no jumps;
 *  - control also came into the instance at another place;
 *  - a block has an instance several times, as of an unrolled loop;
 *  - there are several marks;
 *  - there are no marks, and control came into the code of the instance another
 *    number of times, or went on from one beginning to another, or instances of
 *    the function begin on different lines;
 *  - the code computes several values at once;
 *  - no instance of the function has a branch or a call in it: compilers drop
 *    such code without a trace.
 *
 * The names of functions with estimated calls are in "desc: Estimated calls" of
 * the part, with tabs between them, and in that of a sum if any of its parts
 * has them. An instance without an instruction and without a mark is left out.
 */
#ifndef CG2PROFILE_INLINING_H
#define CG2PROFILE_INLINING_H

#include "profile.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A function that was inlined somewhere. */
typedef struct cg2p_inlined {
   const char* name; /* as the profile would have it */
   const char* file; /* that it stands in; "": not known */
   uint64_t address; /* where the copy that is called begins; 0: none */
   uint32_t line;    /* where it begins, 0: not known */
} cg2p_inlined;

typedef struct cg2p_instance {
   uint32_t outer;        /* the instance that it is in, which comes before it;
                             CG2P_NONE: none */
   uint32_t function;     /* a number of cg2p_inlines.functions */
   const char* call_file; /* that the call stands in; "": not known */
   uint32_t call_line;    /* 0: not known */
   uint32_t has_marks;    /* 1: the compiler marks where functions begin */
   uint32_t is_rest;      /* 1: it goes on with the call that it is in */
} cg2p_instance;

/* An instruction. */
typedef struct cg2p_instruction {
   uint32_t instance;     /* the innermost that it is in; CG2P_NONE: none */
   uint32_t line, column; /* line 0: it belongs to no statement */
   uint32_t is_foreign;   /* 1: the line is of another file than the function */
   uint32_t is_packed;    /* 1: it computes several values at once */
} cg2p_instruction;

/* Where a function begins that was inlined. */
typedef struct cg2p_mark {
   uint64_t address;
   uint32_t function; /* a number of cg2p_inlines.functions */
   uint32_t instance; /* that has no instruction, and is entered in front of the
                         one at the address; CG2P_NONE: one that has some */
} cg2p_mark;

/* What debug information says of an object. */
typedef struct cg2p_inlines {
   size_t n_functions, n_instances, n_marks;
   const cg2p_inlined* functions;
   const cg2p_instance* instances;
   const cg2p_instruction* instructions; /* one for each address */
   const cg2p_mark* marks;               /* in the order of their addresses */
} cg2p_inlines;

typedef struct cg2p_inlining cg2p_inlining;

/* Begins to split a profile, which has to stay until the inlining is freed. The
 * profile needs CG2P_LINES, addresses and the event Ir. NULL: *error says why
 * not. */
CG2P_API cg2p_inlining* cg2p_inlining_new(const cg2p_profile* profile,
                                          cg2p_error* error);
/* How many objects have instructions in the profile. */
CG2P_API size_t cg2p_inlining_object_count(const cg2p_inlining* inlining);
/* The name of one, a number. */
CG2P_API uint32_t cg2p_inlining_object_name(const cg2p_inlining* inlining,
                                            size_t object);
/* The addresses of an object's instructions that ran, rising; *n: how many. */
CG2P_API const uint64_t* cg2p_inlining_addresses(const cg2p_inlining* inlining,
                                                 size_t object,
                                                 size_t* n);
/* Adds what debug information says of an object; it has to stay until the
 * inlining is freed. In an object without this, inlined code stays a part of
 * its callers. */
CG2P_API void cg2p_inlining_add(cg2p_inlining* inlining,
                                size_t object,
                                const cg2p_inlines* inlines);
/* The profile with inlined functions as functions; it has the parts and headers
 * of the first one. The inlining is freed; the caller frees the profile. NULL:
 * *error says why not. */
CG2P_API cg2p_profile* cg2p_inlining_end(cg2p_inlining* inlining,
                                         cg2p_error* error);
CG2P_API void cg2p_inlining_free(cg2p_inlining* inlining);

#ifdef __cplusplus
}
#endif
#endif
