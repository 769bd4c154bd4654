/* How the running thread changes between stacks of the program's own. */
#ifndef CG2_FIBERSWITCH_H
#define CG2_FIBERSWITCH_H

#include "engine/fibers.h"
#include "engine/thread.h"

/* Returns the stack pointer for the frame of a root, which begins now on an
 * empty stack. A root does not return (~0), unless it is a handler's or a
 * coroutine's. */
Addr cg2_fiberswitch_begin(void);

/* Control arrives at `block` by `exit`, which was taken with stack pointer
 * `sp`: if that is on another stack, it becomes the running thread's stack. */
void cg2_fiberswitch_arrive(const Exit* exit, Addr sp, const Block* block);

#endif
