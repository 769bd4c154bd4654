/* Contexts: what costs are kept apart by.
 *
 * A context is a function at a recursion level: level 1 while no other frame
 * of the function is on the stack, level 2 when there is one, and so on up to
 * the number of levels that the function keeps apart; the last level takes all
 * deeper ones. Its costs are arrays of execution counters, its *cells*: one
 * array for each home whose blocks ran in it, nearly always just the
 * function's own. */
#ifndef CG2_CONTEXT_H
#define CG2_CONTEXT_H

#include "block.h"

/* The counters of the blocks of one home in one context. */
typedef struct Cells {
   struct Cells* next; /* of the same context */
   const Function* home;
   ULong* counts; /* by slot; moves when it grows */
   UInt n;        /* at least home->n_slots whenever code of home runs here */
} Cells;

typedef struct Context {
   struct Context* next_of_function;
   Function* function;
   const Name* name; /* the function's, from level 2 on with its mark: "f'2" */
   struct Arc* arcs; /* to callees, newest first */
   Cells own;        /* home == function; further ones are linked from it */
   UInt level;       /* 1, 2, ... */
   Bool is_last;     /* takes all deeper levels too */
} Context;

/* The context of `function` when `active` other frames of it are on the
 * stack. Made on first use. */
Context* cg2_context_get(Function* function, UInt active);

/* Whether cg2_context_get(context->function, active) is `context`. */
static inline Bool cg2_context_fits(const Context* context, UInt active)
{
   return active + 1 == context->level ||
          (context->is_last && active >= context->level);
}

/* The cells for blocks of `home`, with room for all of its slots. */
Cells* cg2_context_grow_cells(Context* context, const Function* home);

static inline Cells* cg2_context_cells(Context* context, const Function* home)
{
   if (context->own.home == home && context->own.n >= home->n_slots)
      return &context->own;
   return cg2_context_grow_cells(context, home);
}

/* All counters back to 0. */
void cg2_context_zero(Context* context);

#endif
