/* Which functions a function calls, and what types those have. */
#ifndef CG2D_CALLS_H
#define CG2D_CALLS_H

#include "dwarf/object.h"

/* A call that debug information tells of. */
typedef struct CallSite {
   uint64_t next; /* address of the instruction behind it, in the ELF object */
   Dwarf_Die callee;
} CallSite;

typedef struct CallSites {
   CallSite* all;
   size_t count, room;
} CallSites;

/* Adds the calls in a function; the caller frees `all`. */
void cg2d_calls_find(cg2d_object* object,
                     Failure* failure,
                     Dwarf_Die* function,
                     CallSites* calls);

/* What is called in front of the instruction `next`; `target` is its address,
 * 0: not known. false: nobody knows. */
bool cg2d_calls_callee(cg2d_object* object,
                       Failure* failure,
                       const CallSites* calls,
                       uint64_t next,
                       uint64_t target,
                       Dwarf_Die* callee);

/* The type of a function's first parameter; 0: none. */
uint32_t cg2d_calls_first_parameter(cg2d_object* object,
                                    Failure* failure,
                                    Dwarf_Die* function);

#endif
