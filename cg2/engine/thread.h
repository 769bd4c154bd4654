/* All that one guest thread owns, and the thread that runs.
 *
 * `cg2_now` is the thread that runs; threads.h has the others. */
#ifndef CG2_THREAD_H
#define CG2_THREAD_H

#include "engine/account.h"
#include "engine/engineconfig.h"
#include "engine/stack.h"

struct Fiber;
struct Interrupted;

/* Values of Thread.current for a thread that left a block by an exit and has
 * not arrived anywhere: cg2_in_stub if it has gone through a stub since, else
 * cg2_left. Never written. */
extern const Cells cg2_left, cg2_in_stub;

/* Values of Registers.exit for a thread or handler that has no block yet, and
 * for a thread that no exit has brought where it goes on. */
typedef struct ThreadExits {
   Exit start, none;
} ThreadExits;

extern ThreadExits cg2_thread_exits;

/* What generated code works on. While it runs, the registers are not in cg2_now
 * but in the guest state's first shadow, which it reaches by short addresses;
 * run/ puts them there and gets them back, and so do probes. */
typedef struct Registers {
   ULong* cells; /* current->counts */
   /* The exit that was taken, and the stack pointer there; set in a stub, and
    * on the way from one block to another. */
   Exit* exit;
   Addr sp;
   /* The block that made the last system call; only set when system calls are
    * events. */
   const Block* block;
   /* How many blocks may still run, by any thread, until a part is written;
    * only counted with --dump-every-bb. */
   ULong until_dump;
   Counters counters; /* of all threads */
   UWord history;     /* of all threads' conditional branches: see branch.h */
   const void* marks; /* of code, if caches are simulated; always the same */
} Registers;

/* Makes `to` equal to `from`, but for what always is the same. */
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

/* Whether a thread's costs are collected. Changed by collection. */
typedef struct Collection {
   Bool is_off;
   Cost since;    /* the expense when collection was switched off last */
   Cost excluded; /* what of the expense was not collected until then */
} Collection;

/* What was said about collecting since the thread, or the process, began.
 * Changed by run/control. */
typedef struct Toggles {
   UInt n_inside;   /* how many functions on the stack toggle collection */
   Bool is_flipped; /* Collection is the other way round than at the start. */
} Toggles;

/* The system call that a thread is in. */
typedef struct Syscall {
   const Block* block; /* The block that made the call; NULL: not known, or the
                          thread is in none. */
   ULong start;        /* the clock of sysTime when it began */
   ULong cpu_start;    /* the clock of sysCpuTime when it began */
} Syscall;

typedef struct Thread {
   Registers regs;
   /* The cells of context and home of the block that runs; on the way to a
    * block, &cg2_left or &cg2_in_stub. */
   const Cells* current;
   Addr stub_sp; /* in cg2_in_stub: the stack pointer at the stub's end */
   Stack stack;
   Account account;
   /* What signals interrupted, innermost last; changed by handlers. */
   struct Interrupted* interrupted;
   UInt n_interrupted, max_interrupted;
   UInt tid;        /* Valgrind's number; 0: no thread */
   Addr stopped_at; /* the instruction that came next when it stopped to run */
   Collection collection;
   Toggles toggles;
   /* The thread ran while nothing was instrumented: what is on its stack is not
    * known. `forgotten` has the frames that were there before. */
   Bool is_unknown;
   Stack forgotten;
   /* The stack that the thread runs on, and its own; NULL until it first
    * changes stacks. */
   struct Fiber *fiber, *first;
   Syscall syscall; /* only set when system calls are events */
} Thread;

/* The thread that runs. */
extern Thread cg2_now;

/* Whether there is such a thread: others are all 0. */
static inline Bool cg2_thread_exists(const Thread* t)
{
   return t->regs.exit != NULL;
}

/* Makes `t` a new thread that has not run. Its registers have what is handed
 * over from thread to thread. */
void cg2_thread_init(Thread* t);

/* Hands over what goes on whichever thread runs: counters and histories. `from`
 * are the registers of the thread that ran before `to`. */
void cg2_thread_hand_over(Thread* to, const Registers* from);

/*--- Where the running thread is ----------------------------------------*/

/* Whether the running thread is in a block, not on its way to one. */
static inline Bool cg2_thread_has_arrived(void)
{
   return cg2_now.current != &cg2_left && cg2_now.current != &cg2_in_stub;
}

/* The context of the top frame; NULL with an empty stack. */
static inline Context* cg2_thread_context(void)
{
   const Stack* stack = &cg2_now.stack;
   return cg2_stack_is_empty(stack) ? NULL : stack->top->arc->callee;
}

/* The exit that was taken, if the thread has not arrived; else an exit of kind
 * EXIT_NONE. */
Exit* cg2_thread_last_exit(void);

/* The context that will run when the last exit has taken effect, as far as that
 * is no call; NULL if it is a call, or nothing runs. A guess: a handler that is
 * left by a jump is not seen. */
const Context* cg2_thread_expect(void);

/* The stack pointer of the running thread, at the start of a block. */
Addr cg2_thread_sp(void);

/*--- What happens to the running thread ---------------------------------*/

/* Lets blocks of a home and context, those of `cells`, count from now on. */
static inline void cg2_thread_land(const Cells* cells)
{
   cg2_now.current = cells;
   cg2_now.regs.cells = cells->counts;
}

/* Looks up the address of the cells that count: a home got more slots, so cells
 * may have moved. */
void cg2_thread_refresh(void);

/* Completes the total, and settles all frames. `regs` are the running thread's,
 * wherever they are. */
void cg2_thread_complete(const Registers* regs);

/* Counts `n` times `event` at instruction number `instr` of a block, for the
 * context of the top frame. The total is complete, and the event has a slot. */
void cg2_thread_count(const Block* block, UInt instr, UInt event, ULong n);

/* Pops frames until `depth` are left. */
void cg2_thread_pop_to(UInt depth);
/* Pops frames until `depth` are left, and returns the arc of the outermost
 * frame that was popped, or NULL. */
Arc* cg2_thread_leave_to(UInt depth);
/* Pops the top frame, and returns its arc. */
Arc* cg2_thread_pop(void);

/* Charges what `t`, which runs or will, has spent in stubs and will not arrive
 * with: to the call that it was about to make, to its context, or to nobody. */
void cg2_thread_charge_stubs(Thread* t);

/* Makes the running thread stop. Its registers are complete and in cg2_now;
 * `next` is the instruction that comes next. */
void cg2_thread_stop(Addr next);

/* Makes the running thread go on at `address`. If that is not where it stopped,
 * somebody else than the program's code moved it, and the exit that was taken
 * does not lead there. A thread that has not begun may begin anywhere. */
void cg2_thread_go_on(Addr address);

/* Notes that the running thread runs while nothing is instrumented, so that its
 * stack will not be known. */
void cg2_thread_run_unseen(void);
/* Notes that the stack of the running thread is known again. */
void cg2_thread_set_known(void);

/* Sets the clock of all threads to `ticks`. All that it has counted is in the
 * total. */
void cg2_thread_set_clock(ULong ticks);
/* Lets generated code find `marks` of code in the registers. */
void cg2_thread_set_marks(const void* marks);
/* Lets `n` blocks run until the next part of --dump-every-bb. */
void cg2_thread_set_until_dump(ULong n);

/* Notes that the running thread begins a system call, which the block in its
 * registers made; the clocks of its events show `start` and `cpu_start`. */
void cg2_thread_begin_syscall(ULong start, ULong cpu_start);
/* Returns the system call of the running thread, which has ended. */
Syscall cg2_thread_end_syscall(void);

#endif
