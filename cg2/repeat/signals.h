/* Signals that the program is about to hear, and masks that calls have while
 * they wait. */
#ifndef CG2_SIGNALS_H
#define CG2_SIGNALS_H

#include "base/vg.h"

/* Called once. */
void cg2_signals_start(void);

/* Whether a signal is there that the thread hears: it has a handler, or ends
 * the program; or the thread shall end. */
Bool cg2_signals_are_there(ThreadId tid);

/* Whether the thread does not block what is said of children. */
Bool cg2_signals_hears_of_children(ThreadId tid);

/* Lets the thread hear one in a call that waits until a moment, or without a
 * limit (MOMENT_NEVER). True: its handler is about to run, and the call is
 * answered as interrupted; or the thread shall end. */
Bool cg2_signals_interrupt(ThreadId tid, ULong until);
/* The same without a limit, but the call is made again where the handler says
 * so. */
Bool cg2_signals_interrupt_or_repeat(ThreadId tid, UWord number);
/* The same for a thread that waits for children: of an end that was not told it
 * hears by its answer first. */
Bool cg2_signals_interrupt_parent(ThreadId tid, UWord number);

/* The core has taken a signal for the thread that runs, or has got one while
 * the kernel made a call that does not wait. The profile says so where another
 * process has sent it, but not if the thread waits for that without a limit of
 * time: else the kernel has chosen the moment. */
void cg2_signals_took(const vki_siginfo_t* info);
void cg2_signals_got(const vki_siginfo_t* info);

/* Lets the thread hear what is there, behind a call that has its answer. */
void cg2_signals_poll(ThreadId tid);

/* Has the thread's mask be `mask` while it waits: nobody hears in between. */
void cg2_signals_lend_mask(ThreadId tid, ULong mask);
/* Gives the thread its own mask back; where a handler runs first, that does
 * when it returns. */
void cg2_signals_take_mask_back(ThreadId tid);
/* The core puts what a handler needs on the stack, and with it the mask that
 * the thread has when that returns: its own. */
void cg2_signals_before_frame(ThreadId tid, UInt handler_flags);
void cg2_signals_after_frame(ThreadId tid);

#endif
