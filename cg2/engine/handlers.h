/* Handlers of signals: the code that they interrupt, and how they end.
 *
 * A handler starts an empty stack on top of what it interrupted; its first
 * function is a root. What it cost is put aside when it ends, so that the
 * interrupted calls do not contain it. Handlers may be interrupted themselves:
 * layer 0 of a thread's frames is the code that no handler runs, layer n that
 * of the n-th handler. */
#ifndef CG2_HANDLERS_H
#define CG2_HANDLERS_H

#include "engine/thread.h"

/* Code that a signal interrupted, while the handler runs. */
typedef struct Interrupted {
   /* What the thread's fields of these names were. */
   const Cells* current;
   Addr stub_sp;
   Exit* exit;
   Addr exit_sp; /* regs.sp */
   Cost skipped; /* account.skipped */
   Cost total;   /* account.total */
   UInt base;    /* stack.base */
   Addr address; /* the instruction that comes next */
   Addr sp;      /* the stack pointer there */
   /* The handler's own stack; start == end: it uses the interrupted one. */
   Addr alt_start, alt_end;
} Interrupted;

/* Begins a handler on the running thread. `address` and `sp` say where the
 * interrupted code is; [alt_start, alt_end) is the handler's stack when it has
 * its own. */
void cg2_handlers_begin(Addr address, Addr sp, Addr alt_start, Addr alt_end);

/* Ends the innermost handler of the running thread, which has returned: the
 * interrupted code goes on. */
void cg2_handlers_return(void);

/* Ends the handlers of the running thread that control leaves when it arrives
 * with stack pointer `sp` by an exit of this kind. Returns the arc of the
 * outermost frame that was popped, or NULL. */
Arc* cg2_handlers_leave(ExitKind kind, Addr sp);

/* Ends all handlers of the running thread, which ends in the middle of them. */
void cg2_handlers_end_all(void);

/* Charges what interrupted code has spent in stubs and may not arrive with. */
void cg2_handlers_charge_stubs(Thread* t);

/* A layer of a thread's frames. */
typedef struct FrameLayer {
   UInt first, last;   /* numbers of its frames; none: last < first */
   const ULong* total; /* the thread's total, as these frames know it */
} FrameLayer;

/* Layer `n` of the thread's frames, 0 to t->n_interrupted. */
FrameLayer cg2_handlers_layer(const Thread* t, UInt n);

/* Sets what the thread remembers of costs of interrupted code to zero. */
void cg2_handlers_zero(Thread* t);

#endif
