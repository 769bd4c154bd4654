/* Contexts: what costs are kept apart by.
 *
 * A context is a function at a recursion level: level 1 while no other frame
 * of the function is on the stack, level 2 when there is one, and so on up to
 * the number of levels that the function keeps apart; the last level takes all
 * deeper ones. While nothing is collected, each has an *off* twin that takes
 * its place; what is counted there is in no profile. Its costs are arrays of
 * execution counters, its *cells*: one array for each home whose blocks ran in
 * it, nearly always just the function's own. */
#ifndef CG2_CONTEXT_H
#define CG2_CONTEXT_H

#include "code/block.h"

/* The counters of the blocks of one home in one context. They have room for all
 * slots of the home, at any time. */
typedef struct Cells {
   struct Cells* next;         /* of the same context */
   struct Cells* next_of_home; /* of the same home */
   struct Context* context;
   Function* home;
   ULong* counts; /* by slot; moves when it grows */
   UInt n;        /* at least home->n_slots */
   UInt n_first;  /* of the array that is part of the arena */
} Cells;

/* The functions by which one was called, innermost first: fewer than all. Each
 * chain exists once. */
typedef struct Callers {
   TableNode node; /* key: the other two */
   const Function* function;
   const struct Callers* next; /* NULL behind the last */
} Callers;

/* What contexts of one function at one recursion level differ in. Each exists
 * once, so that it is compared by address. */
typedef struct Separation {
   TableNode node;         /* key: the others */
   const Callers* callers; /* NULL: not kept apart */
   UInt thread;            /* 0: not kept apart */
   Bool is_off;            /* in no profile */
   /* Of a skipped function: the context that has its costs, and at which exit.
    */
   struct Context* payer;
   const Exit* payer_exit;
} Separation;

/* How often a jump whose target is computed went from an exit to one target,
 * in one context. */
typedef struct Leap {
   TableNode node; /* key: the next three */
   const Exit* exit;
   struct Context* context;
   PtrdiffT target; /* bytes from the start of exit's block */
   struct Leap* next_of_context;
   ULong count;
} Leap;

typedef struct Context {
   Cells own;   /* home == function; further ones are linked from it */
   UInt active; /* in a function's first context: what Function.active is, in
                   one cache line with the cells that a call needs */
   UInt number; /* 0, 1, 2, ... in order of first use */
   UInt min_active; /* it is the context while min_active to .. */
   UInt span;       /* .. min_active + span other frames of it are active */
   /* The rest. */
   TableNode node; /* key: function, min_active, separation */
   const Separation* separation;
   struct Context* next; /* of all; the newest is first */
   Function* function;
   const Name* name; /* the function's, from level 2 on with its mark, and with
                        its callers: "f'2", "f'2'caller" */
   struct Arc* arcs; /* to callees, newest first */
   Leap* leaps;      /* newest first */
   ULong* skipped;   /* costs, in stubs, on the way to it by no call; or NULL */
} Context;

/* How many contexts there are. */
UInt cg2_context_count(void);
/* How many functions have one. */
UInt cg2_context_count_functions(void);
/* All of them, linked by `next`. */
Context* cg2_context_all(void);

/* The one that is equal to `key` but for the node. */
const Separation* cg2_context_separation(Separation key);
/* The chain of `function` and its callers. */
const Callers* cg2_context_callers(const Function* function,
                                   const Callers* next);

/* The context of `function` when `active` other frames of it are on the
 * stack. Made on first use. */
Context*
cg2_context_get(Function* function, UInt active, const Separation* separation);
/* The same, but for is_off. */
Context* cg2_context_twin(Context* context, Bool is_off);

/* How many frames of it are on the stack of the running thread. */
static inline UInt cg2_function_active(const Function* function)
{
   return function->active ? *function->active : 0;
}

/* Whether cg2_context_get(context->function, active, context->separation) is
 * `context`. */
static inline Bool cg2_context_fits(const Context* context, UInt active)
{
   return active - context->min_active <= context->span;
}

/* Whether the block is code of the context's function. */
static inline Bool cg2_context_runs(const Context* context, const Block* block)
{
   const Function* f = context->function;
   return block->function ? block->function == f : block->home == f;
}

/* Makes the cells for blocks of another function's home. */
Cells* cg2_context_foreign_cells(Context* context, Function* home);

static inline Cells* cg2_context_cells(Context* context, Function* home)
{
   return context->function == home ? &context->own
                                    : cg2_context_foreign_cells(context, home);
}

/* Slots were added to `home`. */
void cg2_context_grow_cells(Function* home);

/* Functions have other names than before: contexts are named after them. */
void cg2_context_rename_all(void);

/* context->skipped, made on first use. */
ULong* cg2_context_skipped(Context* context);

/* All counters and costs back to 0. */
void cg2_context_zero(Context* context);

#endif
