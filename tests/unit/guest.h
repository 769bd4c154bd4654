/* A guest program without code: blocks that a test lets run in any order. What
 * generated code and the core do to cg2_now is done here: see
 * cg2_writeblock_write, and cg2/run.
 *
 * A test moves guest.sp as the program's own instructions would; calls and
 * returns move it themselves.
 *
 * An exit takes effect when it is known where it leads: when the next block
 * arrives, or when the test says so by guest_head_for(), which it must before a
 * signal or another thread comes in between. */
#ifndef GUEST_H
#define GUEST_H

#include "arch/callvalues.h"
#include "arch/guest.h"
#include "arch/guestmemory.h"
#include "code/symbols.h"
#include "data/memory/regions.h"
#include "engine/probe.h"
#include "layout/units.h"

enum {
   WORD = sizeof(Addr),
   INSTR_BYTES = 4,
   NOWHERE = 4 /* an address where no block is */
};

typedef struct Guest {
   Addr sp; /* the stack pointer of the thread that runs */
   Addr ip; /* where that thread goes on; 0: not known yet */
   UWord
      arguments[CALLVALUES_ARGUMENTS]; /* of the function that is called next */
   UWord result;                       /* of the function that returns next */
   const Mapping* mappings;            /* of objects */
   UInt n_mappings, epoch;             /* `epoch` changes with them */
   const Region* regions;              /* of memory */
   UInt n_regions;
   UInt stack_thread; /* whose stack lies in the last of the regions, or 0 */
   Addr word_at;      /* the one address where the program has a word */
   UWord word;
   ULong executed;     /* instructions, since the last guest_forget() */
   ULong blocks;       /* blocks since then, without stubs */
   Addr threadpointer; /* of the thread that runs */
   Bool runs_on; /* Nobody looks at cg2_now between two blocks but by guest_..,
                    or behind guest_stop(): generated code does not stop. */
} Guest;

extern Guest guest;

/* Before any code is made: there are more events than Ir. Generated code counts
 * one as often as Ir, and one as often in blocks with an odd number of
 * instructions; a simulator counts another like that. */
void guest_add_events(void);

/*--- Making code --------------------------------------------------------*/

Object* guest_object(const HChar* name);
/* The name is new in the object; the file is guest.c, the line 1. */
Function* guest_function(Object* object, const HChar* name);
Function* guest_function_in(Object* object,
                            const HChar* name,
                            const HChar* file,
                            UInt line);

/* The next block of a function; the first is its entry. The block behind a call
 * is where the call returns to. */
Block* guest_block(Function* home, UInt n_instrs, ExitKind last);
/* The next block of a function, of two segments, with a side exit between them
 * that may leave the function. */
Block* guest_block_with_side(Function* home,
                             UInt n_before,
                             UInt n_behind,
                             ExitKind last);
/* The next block of a function, of which jumps are collected: see
 * cg2_block_targets. Its last exit is a jump if `is_computed`. */
Block* guest_block_with_targets(Function* home,
                                const UShort* segments,
                                const Int* targets,
                                UInt n,
                                Bool is_computed);
/* The next block of a function, of one segment, with these events. Only C code
 * counts them. */
Block* guest_block_with_events(Function* home,
                               UInt n_instrs,
                               const BlockEvent* events,
                               UInt n_events);
/* Code without a symbol in the unwind range of `home`, as .cold halves are. */
Block* guest_block_unnamed(Function* home, UInt n_instrs, ExitKind last);
/* Code of which nothing is known, as a JIT compiler's: `home` is a guess. It
 * lies behind what was made last in this way. */
Block* guest_block_guarded(Function* home, UInt n_instrs, ExitKind last);
Block* guest_stub(Object* object, UInt n_instrs);

/* The block's last exit always leads to `target`: a stub, or a block of the
 * same object. */
void guest_fix(Block* block, const Block* target);
/* Where an exit always leads; 0 if it may lead anywhere. */
Addr guest_fixed_target(const Exit* exit);

/* Blocks are translated when they are made. This one must be again. */
void guest_discard(const Block* block);
/* From now on the core translates `to` where control heads for `from`, which is
 * not translated any more. */
void guest_redirect(const Block* from, const Block* to);

/* Where an instruction of a block comes from. All are known after the first, as
 * "???" if not said otherwise. */
void guest_position(Block* block, UInt instr, const HChar* file, UInt line);

/* A function with a block of each kind. */
typedef struct Routine {
   Function* function;
   Block* entry; /* 3 instructions */
   Block* call;  /* 2, ends in a call that returns .. */
   Block* back;  /* .. here: 4 */
   Block* work;  /* 5 and, behind a side exit, 7 */
   Block* jump;  /* 1, ends in a jump that may leave the function */
   Block* leave; /* 1, ends in a return */
} Routine;

Routine guest_routine(Object* object, const HChar* name);

/*--- Running it ---------------------------------------------------------*/

/* What was counted is in cg2_now. */
void guest_stop(void);

/* Control arrives at the block and leaves it at its end. */
void guest_run(Block* block);
/* Control leaves by the side exit behind the first segment. */
void guest_run_side(Block* block);
/* Dies unless the cells of the block's home count. */
void guest_check(const Block* block);
/* The two halves of these, for a block that moves the stack pointer. */
void guest_arrive(Block* block);
void guest_leave(Block* block);
void guest_leave_by_side(Block* block);
/* The exit by which control left leads to this address. */
void guest_head_for(Addr target);
/* Where control must go on; 0 if that is open. */
Addr guest_target(void);
/* Whether control can come to the block from where it is. */
Bool guest_can_arrive(const Block* block);

/* `from`, which runs, calls `to`: `from`'s call block and `to`'s entry run. */
void guest_call(const Routine* from, const Routine* to);
/* `from` returns to `to`, which called it: `leave` and `back` run. */
void guest_return(const Routine* from, const Routine* to);

/* The thread begins to run, with a stack pointer of its own. */
void guest_switch(UInt tid, Addr sp);
/* A signal comes. Its handler begins with stack pointer `sp`; [alt_start,
 * alt_end) as in handlers.h. */
void guest_interrupt(Addr sp, Addr alt_start, Addr alt_end);
/* The handler has returned to what it interrupted, and to `sp` there. */
void guest_resume(Addr sp);
/* Somebody else than the program's code makes the thread go on elsewhere. */
void guest_move(Addr sp, Addr ip);
/* All is as in a new process, but for the code that is known. */
void guest_forget(void);

/*--- Asking for what was counted ----------------------------------------*/

/* Contexts by their level, 1 for the first, where costs are collected. NULL or
 * 0 if there is none. */
Context* guest_context(const Function* function, UInt level);
Arc* guest_arc(const Exit* exit, const Context* caller, const Context* callee);
Exit* guest_exit(const Block* block); /* its last */

/* Executions of a segment in a context. */
ULong guest_count(const Context* context, const Block* block, UInt segment);
/* What the profile shows as a context's own cost. */
ULong guest_self(const Context* context);
/* From any call site. */
ULong guest_calls(const Context* caller, const Context* callee);
ULong guest_inclusive(const Context* caller, const Context* callee);
/* What was spent in stubs on the way there. `callee` is NULL for calls that
 * never arrived. */
ULong guest_skipped(const Context* caller, const Context* callee);
/* Arcs of a context with any count or cost. */
UInt guest_count_arcs(const Context* caller);

/*--- What always holds --------------------------------------------------*/

/* What is wrong with cg2_now, or NULL: depth, cells, active frames. */
const char* guest_fault(void);
/* What is wrong with the sums, or NULL. Puts costs down as a dump does. */
const char* guest_sum_fault(void);
/* The instructions that all threads counted. */
ULong guest_total(void);

#endif
