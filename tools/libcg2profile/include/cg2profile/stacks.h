/* Which calls led to the costs of a part.
 *
 * A profile says what a function costs and what the calls between two functions
 * cost, not which calls led to the caller. If a function has one caller, that
 * caller has one, and so on, its stack is known. In a profile with full call
 * chains (--separate-callers=100) a function that is called in two ways is two
 * functions, so all stacks are known, except where several levels of a
 * recursion call one function.
 *
 * Otherwise cost is apportioned. A function is reached in several ways: each
 * way is a stack of a caller, and the calls by it. In each event, a way gets
 * the share of the function's cost that its calls have in the cost of all calls
 * of the function. Shares are doubles. The self cost of a function is divided
 * into whole numbers by largest remainder, from shares in units of 2 to the
 * power of -60, rounded down: so the costs of its stacks always add up to its
 * own. Equal remainders are served in the order in which the part mentions the
 * callers.
 *
 * No stack has a function of a cycle twice: for each way into the cycle, each
 * of its functions is shown once, below the function that is entered, by the
 * most expensive calls. Calls of a recursion level by itself are left out, too.
 *
 * Threads begin in the middle of a function such as `clone`, which is one
 * function of the profile: it is called, and it is a root. Its caller is taken
 * to get the call back at once; whatever it calls, it calls as a root. A
 * function is treated so if its name is a known one, and if in no event its
 * calls cost more than it costs itself.
 *
 * There may be very many stacks: 10,000 of a function of a hundred callers that
 * have a hundred callers each. Ways that cost less than a share of the total
 * become one, below the function "(small shares)", if there are two or more. */
#ifndef CG2PROFILE_STACKS_H
#define CG2PROFILE_STACKS_H

#include "profile.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cg2p_stacks cg2p_stacks;

/* A function on top of its callers. */
typedef struct cg2p_stack {
   uint32_t function;  /* the part's number; the number of functions stands for
                          small shares */
   uint32_t caller;    /* a stack, which comes before; CG2P_NONE: none */
   uint32_t site_file; /* name of the file where the caller calls; CG2P_NONE:
                          stacks are not by line, or it is no single place */
   uint32_t depth;     /* how many callers there are */
   uint64_t site_line; /* of that file */
} cg2p_stack;

/* Finds the stacks of a part. `smallest` is the share of the total, 0 to 1,
 * below which ways become one; 0: all are shown. With `by_line`, 1 or 0, costs
 * and calls are kept apart by source line, which needs CG2P_LINES. NULL: *error
 * says why not. The caller frees the stacks, and before that keeps the
 * profile. */
CG2P_API cg2p_stacks* cg2p_stacks_new(const cg2p_profile* profile,
                                      const cg2p_part* part,
                                      double smallest,
                                      int by_line,
                                      cg2p_error* error);
CG2P_API void cg2p_stacks_free(cg2p_stacks* stacks);

/* The stacks, as many as cg2p_stacks_count says: each behind its caller's, the
 * most expensive first, by the first event that differs. And what they cost
 * with all that they call, one cost behind the other; a stack itself costs what
 * those that it is the caller of leave of that. */
CG2P_API size_t cg2p_stacks_count(const cg2p_stacks* stacks);
CG2P_API const cg2p_stack* cg2p_stacks_array(const cg2p_stacks* stacks);
CG2P_API const uint64_t* cg2p_stacks_inclusive_costs(const cg2p_stacks* stacks);

/* Writes to `numbers`, which may be NULL, those of the stacks that have, with
 * all that they call, at least a share (0 to 1) of the total of an event, and
 * of that at least 1. How many these are; a stack's caller is among them if the
 * stack is. */
CG2P_API size_t cg2p_stacks_above(const cg2p_stacks* stacks,
                                  double share,
                                  uint32_t* numbers);

/* A function's name without recursion level and call chain, as
 * cg2p_profile_name gives names. */
CG2P_API const char* cg2p_stacks_function_name(const cg2p_stacks* stacks,
                                               uint32_t function,
                                               size_t* length);
/* How much of the first event is in functions whose costs in single stacks are
 * not known for certain. */
CG2P_API uint64_t cg2p_stacks_apportioned(const cg2p_stacks* stacks);

/* What the names of functions say of their callers, as --separate-callers has
 * them written. */
typedef enum cg2p_chains {
   CG2P_NO_CHAINS,    /* nothing */
   CG2P_SHORT_CHAINS, /* something; longer chains would make more certain */
   CG2P_FULL_CHAINS,  /* longer chains would say no more: what is apportioned is
                         called from several levels of a recursion */
} cg2p_chains;

CG2P_API cg2p_chains cg2p_stacks_chains(const cg2p_stacks* stacks);

/* How many places a function has costs at, by file and line; where number
 * `place` of them is: the name of the file, and in *line the line. Stacks that
 * are not by line have one for each function: its file, line 0. */
CG2P_API size_t cg2p_stacks_place_count(const cg2p_stacks* stacks,
                                        uint32_t function);
CG2P_API uint32_t cg2p_stacks_place(const cg2p_stacks* stacks,
                                    uint32_t function,
                                    size_t place,
                                    uint64_t* line);
/* Writes to `cost`, which has a number for each event, the self cost of a stack
 * at one place of its function. 0: that is nothing. */
CG2P_API int cg2p_stacks_place_cost(const cg2p_stacks* stacks,
                                    uint32_t stack,
                                    size_t place,
                                    uint64_t* cost);

/* What stacks can be written as. */
typedef enum cg2p_stack_format {
   CG2P_FOLDED,     /* lines "main;f;g 123" of one event, for flamegraph.pl */
   CG2P_SPEEDSCOPE, /* JSON */
   CG2P_CHROME,     /* JSON, a trace for Perfetto; costs are microseconds */
   CG2P_PPROF,      /* profile.proto, always with gzip; by source line if the
                       stacks are */
   CG2P_FIREFOX,    /* JSON, a processed profile; by source line if the stacks
                       are */
} cg2p_stack_format;

typedef struct cg2p_export {
   cg2p_stack_format format;
   uint32_t n_events;      /* at least one; CG2P_FOLDED takes the first */
   const uint32_t* events; /* numbers of the part's */
   const char* exporter;   /* what the file says has made it */
   int full_names; /* 1: names are as in the profile, without level and chain;
                      0: as cg2p_display_new says these, those of all functions
                      together. CG2P_PPROF has both */
} cg2p_export;

/* Writes the file `path`, which appears when it is complete; "-": standard
 * output; with gzip if the name ends in ".gz". What is no UTF-8 in names
 * becomes U+FFFD but in folded stacks, which have names as they are. 1: it is
 * written; 0: *error says why not. */
CG2P_API int cg2p_stacks_write(const cg2p_stacks* stacks,
                               const cg2p_export* how,
                               const char* path,
                               cg2p_error* error);

#ifdef __cplusplus
}
#endif
#endif
