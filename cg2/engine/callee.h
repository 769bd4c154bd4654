/* Which context a call enters.
 *
 * A function has a context for each recursion level, and for each of the things
 * that the options keep apart: threads, callers, and, of a skipped function,
 * the caller that its costs are charged to. */
#ifndef CG2_CALLEE_H
#define CG2_CALLEE_H

#include "engine/thread.h"

/* The context that the running thread enters when it calls `function` by
 * `exit`; a root is called by no exit (NULL). */
Context* cg2_callee_context(Function* function, const Exit* exit);

/* The same, but a context of its own also for a function that calls itself and
 * whose rules skip such calls. */
Context* cg2_callee_separate_context(Function* function, const Exit* exit);

/* Whether the caller's context alone says which context a call of `callee`
 * enters, apart from its recursion level. */
Bool cg2_callee_is_fixed(const Function* callee);

#endif
