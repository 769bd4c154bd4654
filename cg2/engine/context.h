/* Contexts: what costs are kept apart by.
 *
 * A context is a function at a recursion level: level 1 while no other frame
 * of the function is on the stack, level 2 when there is one, and so on up to
 * the number of levels that the function keeps apart; the last level takes all
 * deeper ones. Options keep contexts of one level apart by more: see
 * Separation. While nothing is collected, an *off* twin takes the place of each
 * context; what is counted there is in no profile.
 *
 * The costs of a context are arrays of execution counters, its *cells*: an
 * array for each home whose blocks ran in the context, nearly always just for
 * the function itself. */
#ifndef CG2_CONTEXT_H
#define CG2_CONTEXT_H

#include "code/block.h"

/* The counters of the blocks of one home in one context. At any time there is
 * room for all slots of the home. */
typedef struct Cells {
   struct Cells* next;         /* the next cells of the same context, or NULL */
   struct Cells* next_of_home; /* the next cells of the same home, or NULL */
   struct Context* context;
   Function* home;
   ULong* counts; /* executions and events by slot; moves when it grows */
   UInt n;        /* the length of `counts`; at least home->n_slots */
   UInt n_first;  /* the length of the first array, which the arena has */
} Cells;

/* A chain of the last functions that led to a call, innermost first. Each chain
 * exists once. */
typedef struct Callers {
   TableNode node; /* key: the other two */
   const Function* function;
   const struct Callers*
      next; /* the caller's callers; NULL: no more are known */
} Callers;

/* What contexts of one function at one recursion level differ in. Each
 * separation exists once, so that it is compared by address. */
typedef struct Separation {
   TableNode node;         /* key: the others */
   const Callers* callers; /* NULL: callers are not kept apart */
   UInt thread;            /* a number; 0: threads are not kept apart */
   Bool is_off;            /* The context is in no profile. */
   /* For a skipped function, the context that its costs are charged to, and the
    * exit whose line shows them; else NULL. */
   struct Context* payer;
   const Exit* payer_exit;
} Separation;

/* How often a jump whose target is computed went from an exit to one target,
 * in one context. */
typedef struct Leap {
   TableNode node; /* key: the next three */
   const Exit* exit;
   struct Context* context;
   PtrdiffT target;              /* in bytes from the start of exit's block */
   struct Leap* next_of_context; /* an older leap, or NULL */
   ULong count;
} Leap;

typedef struct Context {
   /* What a call needs, in one line of the host's cache. */
   Cells own;   /* the cells of home == function, with the others behind them */
   UInt active; /* in a function's first context, what Function.active points
                   to: how many of its frames are on the running stack */
   UInt number; /* 0, 1, 2, ... in order of first use */
   /* A call enters this context while the function has min_active to
    * min_active + span frames. */
   UInt min_active, span;
   /* The rest. */
   TableNode node; /* key: function, min_active, separation */
   const Separation* separation;
   struct Context* next; /* the context that was made before this, or NULL */
   Function* function;
   /* The function's name; from level 2 on with the level, and with the callers:
    * "f'2", "f'2'caller". */
   const Name* name;
   struct Arc* arcs; /* to callees, newest first */
   Leap* leaps;      /* newest first */
   ULong* skipped;   /* the cost of stubs on the way to this context by no call;
                        NULL: none yet */
} Context;

/* How many contexts there are. */
UInt cg2_context_count(void);
/* How many functions have one. */
UInt cg2_context_count_functions(void);
/* The newest context; `next` leads to all others. */
Context* cg2_context_all(void);

/* The separation that is equal to `key` but for the node. Made on first use. */
const Separation* cg2_context_separation(Separation key);
/* The chain that begins with `function` and goes on with `next`. Made on first
 * use. */
const Callers* cg2_context_callers(const Function* function,
                                   const Callers* next);

/* The context of `function` when `active` other frames of the function are on
 * the stack. Made on first use. */
Context*
cg2_context_get(Function* function, UInt active, const Separation* separation);
/* The context that differs from `context` in separation->is_off at most. Made
 * on first use. */
Context* cg2_context_twin(Context* context, Bool is_off);

/* How many frames of the function are on the stack of the running thread. */
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

/* The cells of another home in the context. Made on first use. */
Cells* cg2_context_foreign_cells(Context* context, Function* home);

/* The cells of `home` in the context. Made on first use. */
static inline Cells* cg2_context_cells(Context* context, Function* home)
{
   return context->function == home ? &context->own
                                    : cg2_context_foreign_cells(context, home);
}

/* Gives all cells of `home` room for its slots, as slots were added. */
void cg2_context_grow_cells(Function* home);

/* Names all contexts after their functions, which got other names. */
void cg2_context_rename_all(void);

/* context->skipped, made on first use. */
ULong* cg2_context_skipped(Context* context);

/* Sets all counters and costs of the context to 0. */
void cg2_context_zero(Context* context);

#endif
