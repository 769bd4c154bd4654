/* All that one guest thread owns, and the one that runs.
 *
 * `cg2_now` is the thread that runs. A thread switch puts its contents aside
 * and takes the next thread's. */
#ifndef CG2_THREAD_H
#define CG2_THREAD_H

#include "engine/account.h"
#include "engine/fibers.h"

#include <stddef.h>

/* Code that a signal interrupted, while the handler runs. */
typedef struct Interrupted {
   const Cells* current;
   Addr address; /* of the instruction that comes next */
   Exit* exit;
   Addr exit_sp, stub_sp;
   Cost skipped;
   UInt base;      /* of the stack, before the handler */
   Addr sp;        /* when interrupted */
   Cost total;     /* when interrupted */
   Addr alt_start; /* the handler's own stack; start == end: it uses the */
   Addr alt_end;   /* interrupted one */
} Interrupted;

/* Thread.current of a thread that left a block by an exit and has not arrived
 * anywhere; and of one that has gone through a stub since. Never written. */
extern const Cells cg2_left, cg2_in_stub;

/* What generated code works on. While it runs, they are not in cg2_now but in
 * the guest state's first shadow, which it reaches by short addresses; main
 * puts them there and gets them back, and so do probes. */
typedef struct Registers {
   ULong* cells; /* current->counts */
   /* In a stub, or on the way from one block to another: */
   Exit* exit;         /* the exit that was taken */
   Addr sp;            /* the stack pointer at that exit */
   const Block* block; /* that made the last system call; only set when those
                          are events */
   ULong until_dump;   /* blocks that may still run, by any thread; only counted
                          with --dump-every-bb */
   Counters counters;  /* of all threads */
   UWord history;      /* of all threads' conditional branches: see branch.h */
   const void* marks;  /* of code, if caches are simulated; always the same */
} Registers;

static inline void cg2_registers_copy(Registers* to, const Registers* from)
{
   to->cells = from->cells;
   to->exit = from->exit;
   to->sp = from->sp;
   to->block = from->block;
   to->until_dump = from->until_dump;
   cg2_cost_copy_counters(to->counters.of, from->counters.of);
   to->history = from->history;
}

/* Whether costs are collected: not while `is_off`. */
typedef struct Collection {
   Bool is_off;
   Cost since;    /* total and aside together when it went off */
   Cost excluded; /* of these, what was not collected before */
} Collection;

/* What was said about collecting since the thread, or the process, began. */
typedef struct Toggles {
   UInt n_inside;   /* functions on the stack that toggle it */
   Bool is_flipped; /* it is the other way round than at the start */
} Toggles;

/* The system call that a thread is in. */
typedef struct Syscall {
   const Block* block;     /* that made it; NULL: not known, or in none */
   ULong start, cpu_start; /* clocks when it began */
} Syscall;

typedef struct Thread {
   Registers regs;
   const Cells* current; /* of context and home of the block that runs; or one
                            of the above, and then: */
   Addr stub_sp;         /* the stack pointer at the end of the last stub */
   Stack stack;
   Account account;
   Interrupted* interrupted; /* innermost last */
   UInt n_interrupted, max_interrupted;
   Addr stopped_at; /* the instruction that came next when it stopped to run */
   Collection collection;
   Toggles toggles;
   Bool is_unknown; /* it ran while nothing was instrumented: what is on its
                       stack is not known */
   Stack forgotten; /* what was then */
   Fiber* fiber;    /* that it runs; NULL until it first changes stacks */
   Fiber* first;    /* its own stack; NULL likewise */
   Syscall syscall; /* if they are events */
} Thread;

typedef struct ThreadConfig {
   Bool starts_off;        /* new threads do not collect */
   Bool are_threads_apart; /* each has contexts of its own */
   /* The last frame of a watched function has been left. */
   void (*left)(const Function* function);
} ThreadConfig;

/* Filled before the first thread runs, then constant. */
extern ThreadConfig cg2_thread_config;

/* The running thread. */
extern Thread cg2_now;

/* Whether the running thread is in a block, not on its way to one. */
static inline Bool cg2_thread_has_arrived(void)
{
   return cg2_now.current != &cg2_left && cg2_now.current != &cg2_in_stub;
}

/* The exit that was taken, if the thread has not arrived; else one of kind
 * EXIT_NONE. */
Exit* cg2_thread_last_exit(void);

/* The running thread goes on at `address`. If that is not where it stopped,
 * somebody else than the program's code moved it, and the exit that was taken
 * does not lead there. What has not begun may begin anywhere. */
void cg2_thread_go_on(Addr address);
/* The running thread runs while nothing is instrumented, so its stack will not
 * be known. */
void cg2_thread_run_unseen(void);
/* The stack of the running thread is known again. */
void cg2_thread_set_known(void);

/* Completes the total, and settles all frames. `regs` are the running thread's,
 * wherever they are. */
void cg2_thread_complete(const Registers* regs);

/* The thread stops, with its registers, which are complete, in cg2_now. `next`
 * is the instruction that comes next. */
void cg2_thread_stop(Addr next);

/* The clock shows `ticks` from now on; all that it has counted is in the
 * total. */
void cg2_thread_set_clock(ULong ticks);
/* Generated code finds `marks` of code in the registers. */
void cg2_thread_set_marks(const void* marks);
/* `n` blocks may run until the next part of --dump-every-bb. */
void cg2_thread_set_until_dump(ULong n);

/* The running thread begins a system call, made by the block in its
 * registers. */
void cg2_thread_begin_syscall(ULong start, ULong cpu_start);
/* The system call of the running thread has ended, and is returned. */
Syscall cg2_thread_end_syscall(void);

/* The context of the top frame; NULL with an empty stack. */
static inline Context* cg2_thread_context(void)
{
   const Stack* stack = &cg2_now.stack;
   return cg2_stack_is_empty(stack) ? NULL : stack->top->arc->callee;
}

/* Blocks of a home and context run from now on. */
static inline void cg2_thread_land(const Cells* cells)
{
   cg2_now.current = cells;
   cg2_now.regs.cells = cells->counts;
}

/* Thread `tid` runs from now on. False if it did already. */
Bool cg2_thread_switch(UInt tid);
Bool cg2_thread_is_running(UInt tid);
/* Thread `tid` is gone: leaves its frames, keeps its totals. */
void cg2_thread_end(UInt tid);

/* The stack pointer of the thread that runs, at the start of a block. */
Addr cg2_thread_sp(void);

/* Slots were added to a home: cells may have moved. */
void cg2_thread_refresh(void);

/* A handler is about to run on cg2_now. `address` and `sp` say where the
 * interrupted code is; [alt_start, alt_end) is the handler's stack when it has
 * its own. */
void cg2_thread_interrupt(Addr address, Addr sp, Addr alt_start, Addr alt_end);
/* The handler has returned. */
void cg2_thread_resume(void);

/* The context that runs when the last exit has taken effect, as far as that is
 * no call; NULL if it is one, or nothing runs. For a guess: a handler that is
 * left by a jump is not seen. */
const Context* cg2_thread_expect(void);

/* Leaves the top frame; returns its arc. */
Arc* cg2_thread_pop(void);

/* Nothing is on the stack, and a function begins there. The stack pointer for
 * its frame. */
Addr cg2_thread_begin_stack(void);

/* Control arrives at `block` by `exit`, which was taken with stack pointer
 * `sp`: if that is on another stack, it is the thread's from now on. */
void cg2_thread_change_stack(const Exit* exit, Addr sp, const Block* block);

/* Leaves all frames that are gone when control arrives with stack pointer `sp`,
 * out of signal handlers too. Returns the arc of the outermost frame that was
 * left, or NULL if none was; *left_resolver as in calls.h. */
Arc* cg2_thread_leave(ExitKind kind, Addr sp, Bool* left_resolver);

/* What a call of `callee` by `exit` is kept apart by when the running thread
 * makes it. */
const Separation* cg2_thread_separation(const Function* callee,
                                        const Exit* exit);
/* Whether that follows from the context of the caller. */
Bool cg2_thread_separation_is_fixed(const Function* callee);

/* Nothing is instrumented from now on: all frames are left, and unknown. */
void cg2_thread_forget_stacks(void);
/* The arc of a call of `callee` by the context that is on top, whose return
 * address stands at `sp`, if that was a frame before it was forgotten; else
 * NULL. */
Arc* cg2_thread_forgotten(const Function* callee, Addr sp);

/* From now on the running thread's costs are collected, or not. */
void cg2_thread_collect(Bool is_on);

/* Adds what open calls cost so far to their arcs. */
void cg2_thread_flush(void);

/* What was collected of a thread since the last zero. */
Cost cg2_thread_cost(const Thread* t);

/* Threads by Valgrind's number: the last that there may be, the one that runs
 * (or did last), and each; NULL where there is none. */
UInt cg2_thread_last(void);
UInt cg2_thread_running(void);
const Thread* cg2_thread_get(UInt tid);

typedef struct ThreadSums {
   Cost total;
   ULong n_skips;
} ThreadSums;
/* Of thread `tid`, and those that had its number before, since the last zero;
 * 0: of all that ever ran. */
ThreadSums cg2_thread_sums(UInt tid);

/* Adds to what is collected of the threads that have this context, but to no
 * call: what it costs later that it ran. */
void cg2_thread_charge(const Context* context, UInt event, ULong n);

/* All counts of thread `tid`, or, for 0, of all, start from zero. Open calls
 * count as called once. */
void cg2_thread_zero(UInt tid);

/* Only `tid`, which runs, exists from now on, and all counts start from zero:
 * the child after a fork. */
void cg2_thread_forked(UInt tid);

#endif
