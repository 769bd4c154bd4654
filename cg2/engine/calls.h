/* The shadow call stack of one thread: what a transfer of control means.
 *
 * An exit was taken that may leave a function. calls decides what happened and
 * keeps the frames:
 *
 *   start    nothing runs on this stack yet: the function is a root
 *   call     a call; or a jump to another function's first instruction, to
 *            another object or to stubs: a tail call, a frame on top of the
 *            jumper's, popped together with it
 *   replace  the dynamic linker's resolver clears its own frame off the stack,
 *            leaves the return address there, and jumps, or returns, to the
 *            function that it resolved; likewise any jump or return that
 *            leaves frames and arrives at a function's first instruction. The
 *            call site of the frame that was left calls the new function
 *   resume   a return, longjmp, landing of an exception: the function whose
 *            frame is now on top goes on
 *   stay     a jump to some other place: the current function goes on there.
 *            Code without symbols moves like this, and .cold halves
 *
 * Frames are left by stack pointer: a frame whose return address lies below
 * the stack pointer is gone. Source: the System V ABI, where a return pops the
 * return address, and longjmp and unwinding set the stack pointer of the
 * function that goes on. */
#ifndef CG2_CALLS_H
#define CG2_CALLS_H

#include "code/jump.h"
#include "engine/graph.h"

/* One active call, or the root of a stack: then the arc has no caller. */
typedef struct Frame {
   Addr sp; /* at the callee's first instruction: where the return address is;
               ~0 for a root that never returns */
   Addr return_address; /* of a call; 0 for roots and tail calls */
   Arc* arc;
   ULong start[]; /* the thread's total at entry; or, of a frame that is not
                     settled, its Counters */
} Frame;

static inline SizeT cg2_frame_size(void)
{
   return sizeof(Frame) + cg2_event_count * sizeof(ULong);
}

/* The frame that lies on `frame`, and the one that it lies on. */
static inline Frame* cg2_frame_above(const Frame* frame)
{
   return (Frame*)((HChar*)frame + cg2_frame_size());
}

static inline Frame* cg2_frame_below(const Frame* frame)
{
   return (Frame*)((HChar*)frame - cg2_frame_size());
}

typedef enum Transfer {
   TRANSFER_START,
   TRANSFER_CALL,
   TRANSFER_REPLACE,
   TRANSFER_RESUME,
   TRANSFER_STAY,
} Transfer;

/* What is known when control has arrived at a block. */
typedef struct Arrival {
   ExitKind kind;
   Bool has_context;   /* a function is current, frames left already popped */
   Bool left_frames;   /* at least one frame was popped */
   Bool left_resolver; /* by a resolver, the call that led to it goes on */
   Jump jump;          /* to the block, by the function that is current */
} Arrival;

Transfer cg2_calls_classify(const Arrival* arrival);

/* Whether control that arrives with stack pointer `sp` comes out of the
 * resolver whose frame is `top`, with the call it was entered by still going
 * on. */
Bool cg2_calls_left_resolver(const Frame* top, ExitKind kind, Addr sp);

/* The frames of a thread, innermost last. The first is no frame but the floor:
 * it matches no return, so an empty stack needs no check of its own. */
typedef struct Stack {
   Frame* top;   /* the floor when empty */
   Frame* limit; /* top may not go beyond */
   /* The last frame that is settled, with all below. Frames above were entered
    * since the thread's total was complete. */
   Frame* settled;
   Frame* frames;
   UInt base;  /* frames 1 to base belong to code that a signal interrupted */
   Addr start; /* the stack pointer at its beginning; 0: not known yet */
} Stack;

/* Frame number `i`, counted from 1; 0 is the floor. */
static inline Frame* cg2_stack_frame(const Stack* stack, UInt i)
{
   return (Frame*)((HChar*)stack->frames + i * cg2_frame_size());
}

static inline UInt cg2_stack_number(const Stack* stack, const Frame* frame)
{
   return ((HChar*)frame - (HChar*)stack->frames) / cg2_frame_size();
}

static inline UInt cg2_stack_depth(const Stack* stack)
{
   return cg2_stack_number(stack, stack->top);
}

/* Whether the code that runs has no frame. */
static inline Bool cg2_stack_is_empty(const Stack* stack)
{
   return stack->top == cg2_stack_frame(stack, stack->base);
}

/* How many of the top frames among numbers base + 1 to depth are gone when
 * control arrives with stack pointer `sp` through an exit of this kind. */
UInt cg2_calls_count_left(
   const Stack* stack, UInt base, UInt depth, ExitKind kind, Addr sp);

/* An empty stack: a floor and no room. */
void cg2_stack_init(Stack* stack);
/* Makes room for one more frame. */
void cg2_stack_grow(Stack* stack);
/* Without frames, but with the same room. */
void cg2_stack_clear(Stack* stack);
void cg2_stack_free(Stack* stack);

static inline Bool cg2_stack_is_settled(const Stack* stack)
{
   return stack->top <= stack->settled;
}

/* Settles all frames. `total` is the thread's cost, without what was counted
 * since its counters were `counted`. */
void cg2_stack_settle(Stack* stack, const ULong* total, const ULong* counted);

/* A frame for arc->callee on top, counted as called once, that is told when it
 * was entered. */
static inline Frame*
cg2_stack_enter(Stack* stack, Arc* arc, Addr sp, Addr return_address)
{
   UInt* active = arc->active;
   Frame* frame = cg2_frame_above(stack->top);
   stack->top = frame;
   frame->sp = sp;
   frame->return_address = return_address;
   frame->arc = arc;
   ++*active;
   arc->count++;
   return frame;
}

/* Enters arc->callee. `total` is the thread's cost up to now; all frames are
 * settled. */
static inline void cg2_stack_push(
   Stack* stack, Arc* arc, Addr sp, Addr return_address, const ULong* total)
{
   Frame* frame = cg2_stack_enter(stack, arc, sp, return_address);
   cg2_cost_copy(frame->start, total);
   stack->settled = frame;
}

/* Likewise, without settling it. */
static inline void cg2_stack_push_unsettled(
   Stack* stack, Arc* arc, Addr sp, Addr return_address, const ULong* counters)
{
   Frame* frame = cg2_stack_enter(stack, arc, sp, return_address);
   cg2_cost_copy_counters(frame->start, counters);
}

/* Leaves the top frame, which is settled. */
static inline void cg2_stack_pop(Stack* stack, const ULong* total)
{
   Frame* frame = stack->top;
   Arc* arc = frame->arc;
   stack->top = stack->settled = cg2_frame_below(frame);
   --*arc->active;
   cg2_cost_add_difference(arc->inclusive, total, frame->start);
}

/* Likewise, if it is not. */
static inline void cg2_stack_pop_unsettled(Stack* stack, const ULong* counters)
{
   Frame* frame = stack->top;
   Arc* arc = frame->arc;
   UInt* active = arc->active;
   stack->top = cg2_frame_below(frame);
   --*active;
   cg2_cost_add_counted(arc->inclusive, counters, frame->start);
}

/* The stack's thread stops or starts to run: its frames are or are not what
 * Function.active counts. */
void cg2_stack_deactivate(Stack* stack);
void cg2_stack_activate(Stack* stack);

#endif
