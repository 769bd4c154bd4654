/* Pieces of a difference that belong together, as causes: what a function does
 * otherwise, is new, or took another's place. They add up to the difference. */
#ifndef CG2PROFILE_CAUSES_H
#define CG2PROFILE_CAUSES_H

#include "explanation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a cause is. Of those that a piece could belong to it is of the first. */
enum {
   CG2P_CAUSE_INLINED,  /* callee's code stands in function now, */
   CG2P_CAUSE_OUTLINED, /* or no longer */
   CG2P_CAUSE_REMOVED,  /* function, with what it called, is only in OLD */
   CG2P_CAUSE_SYSTEM,   /* all that function does; it is no part of a program */
   CG2P_CAUSE_REPLACED, /* all that function does; it took another's place */
   CG2P_CAUSE_LAYOUT,   /* function executes as many instructions */
   CG2P_CAUSE_CALLS,    /* function, or what begins, calls callee */
   CG2P_CAUSE_ADDED,    /* function itself, which only NEW has */
   CG2P_CAUSE_OWN,      /* function itself costs more or less a call */
   CG2P_CAUSE_KINDS
};

/* Numbers of functions are those of the explanation; CG2P_NONE: there is none.
 */
typedef struct cg2p_cause {
   uint32_t kind, function, callee;
   uint32_t was; /* of calls: what called callee in OLD, if that is another */
   uint64_t old_count, new_count; /* of CALLS and REMOVED */
} cg2p_cause;

/* What a function is told to be. */
enum { CG2P_IS_PLAIN, CG2P_IS_REPLACED, CG2P_IS_SYSTEM };

/* A callee whose code stands in its caller in one side alone: a cause of kind
 * INLINED or OUTLINED, to which what the callee calls belongs, too. */
typedef struct cg2p_inlined_call {
   uint32_t kind, function, callee;
   /* Where several stood within each other, of an inner one the number, from 1,
    * of the outermost, which it is a part of and which comes before it; else 0.
    */
   uint32_t outer;
} cg2p_inlined_call;

/* What the pieces alone do not say. All stays the caller's. */
typedef struct cg2p_hints {
   const uint8_t* functions; /* of each, CG2P_IS_... */
   uint32_t instructions;    /* the event that counts them; CG2P_NONE: none */
   uint32_t n_inlined;
   const cg2p_inlined_call* inlined;
} cg2p_hints;

typedef struct cg2p_causes cg2p_causes;

/* The causes, in the order of their first pieces; none costs nothing in all
 * events. Where calls of a callee went from one function to another, and what
 * is left of the two is less than a twentieth of either, they are one. NULL:
 * *error says why not: a cost is too large for 64 bits, or there is no memory.
 * The caller frees the result. */
CG2P_API cg2p_causes* cg2p_causes_new(const cg2p_explanation* explanation,
                                      const cg2p_hints* hints,
                                      cg2p_error* error);
CG2P_API size_t cg2p_causes_count(const cg2p_causes* causes);
/* All of them, and their costs, one behind the other. */
CG2P_API const cg2p_cause* cg2p_causes_all(const cg2p_causes* causes);
CG2P_API const int64_t* cg2p_causes_costs(const cg2p_causes* causes);
CG2P_API void cg2p_causes_free(cg2p_causes* causes);

#ifdef __cplusplus
}
#endif
#endif
