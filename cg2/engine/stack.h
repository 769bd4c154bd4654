/* The shadow call stack: a frame for each function that is active.
 *
 * What a call cost is the difference between what its thread had counted when
 * it was entered and when it was left. A frame that generated code's probes
 * push takes down the thread's Counters, which are at hand. When somebody needs
 * the thread's total, the frames are *settled*: their start becomes a total.
 * All frames that lie under a settled frame are settled.
 *
 * A settled frame may stand for several tail calls by one arc that return at
 * the same moment (tailchain.h). */
#ifndef CG2_STACK_H
#define CG2_STACK_H

#include "engine/path.h"

/* An active call; or the root of a stack, whose arc has no caller. */
typedef struct Frame {
   /* Where the return address is, which is the stack pointer at the callee's
    * first instruction; ~0 for a root that never returns. */
   Addr sp;
   Addr return_address; /* 0 for roots and tail calls, or JOINED_CALLS */
   Arc* arc;
   PathStep* step; /* only set if paths are kept */
   ULong n_calls;  /* only set with JOINED_CALLS: how many the frame is */
   /* What the thread had counted when the frame was pushed: its total, if the
    * frame is settled; else its Counters. */
   ULong start[];
} Frame;

/* The return address of a frame that stands for several tail calls. No code is
 * there. */
enum { JOINED_CALLS = 2 };

/* How many calls the frame stands for. */
static inline ULong cg2_frame_calls(const Frame* frame)
{
   return frame->return_address == JOINED_CALLS ? frame->n_calls : 1;
}

/* The start of a frame that was counted as a call before collection was
 * switched off. No total is so large. */
#define FRAME_COUNTED (~0ULL)

/* Whether the frame is no call again when collection is switched on. */
static inline Bool cg2_frame_is_counted(const Frame* frame)
{
   return frame->start[EVENT_IR] == FRAME_COUNTED;
}

/* The bytes of a frame. */
static inline SizeT cg2_frame_size(void)
{
   return sizeof(Frame) + cg2_events.n * sizeof(ULong);
}

/* The frame that lies on `frame`. */
static inline Frame* cg2_frame_above(const Frame* frame)
{
   return (Frame*)((HChar*)frame + cg2_frame_size());
}

/* The frame that `frame` lies on. */
static inline Frame* cg2_frame_below(const Frame* frame)
{
   return (Frame*)((HChar*)frame - cg2_frame_size());
}

/* Whether the frame was made by a jump, so that it is left together with the
 * frame below. */
static inline Bool cg2_frame_is_of_tail_call(const Frame* frame)
{
   Bool has_none =
      frame->return_address == 0 || frame->return_address == JOINED_CALLS;
   return has_none && frame->arc && frame->arc->exit;
}

/* Whether the frame is of a call that returns to `address`. */
static inline Bool cg2_frame_returns_to(const Frame* frame, Addr address)
{
   const Exit* exit = frame->arc->exit;
   return exit && exit->behind == address;
}

/* The frames of a thread, innermost last. The first is no frame but the floor:
 * it matches no return, so an empty stack needs no check of its own. */
typedef struct Stack {
   Frame* top;     /* the floor when the stack is empty */
   Frame* limit;   /* the highest place that `top` may have */
   Frame* settled; /* the highest settled frame, or the floor */
   Frame* frames;  /* the floor */
   UInt base;  /* frames 1 to base belong to code that a signal interrupted */
   Addr start; /* the stack pointer at its beginning; 0: not known yet */
} Stack;

/* Frame number `i`, counted from 1; 0 is the floor. */
static inline Frame* cg2_stack_frame(const Stack* stack, UInt i)
{
   return (Frame*)((HChar*)stack->frames + i * cg2_frame_size());
}

/* The number of a frame of the stack. */
static inline UInt cg2_stack_number(const Stack* stack, const Frame* frame)
{
   return ((HChar*)frame - (HChar*)stack->frames) / cg2_frame_size();
}

/* How many frames the stack has. */
static inline UInt cg2_stack_depth(const Stack* stack)
{
   return cg2_stack_number(stack, stack->top);
}

/* Whether the code that runs has no frame: frames of code that a signal
 * interrupted may lie below. */
static inline Bool cg2_stack_is_empty(const Stack* stack)
{
   return stack->top == cg2_stack_frame(stack, stack->base);
}

/* Makes the stack empty: a floor and no room. */
void cg2_stack_init(Stack* stack);
/* Makes room for one more frame. */
void cg2_stack_grow(Stack* stack);
/* Forgets all frames and keeps their room. */
void cg2_stack_clear(Stack* stack);
/* Frees the room of all frames, and makes the stack empty. */
void cg2_stack_free(Stack* stack);

/* Whether all frames are settled. */
static inline Bool cg2_stack_is_settled(const Stack* stack)
{
   return stack->top <= stack->settled;
}

/* Settles all frames. `total` is the thread's total, which has all that the
 * thread counted until its counters were `counted`. */
void cg2_stack_settle(Stack* stack, const ULong* total, const ULong* counted);

/* Sets the step of a frame, as its arc and the frame that it lies on say. */
static inline void cg2_frame_set_step(Frame* frame)
{
   PathStep* from =
      frame->arc->caller_cells ? cg2_frame_below(frame)->step->to : NULL;
   frame->step = cg2_path_step(from, frame->arc);
   frame->step->n_open++;
}

/* Puts a frame for arc->callee on top, counts the call, and returns the frame,
 * whose start is not set yet. The stack has room for it. */
static inline Frame*
cg2_stack_add(Stack* stack, Arc* arc, Addr sp, Addr return_address)
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

/* Sets the step of a frame that was added, and counts the call there. */
static inline void cg2_stack_take_step(Frame* frame)
{
   cg2_frame_set_step(frame);
   frame->step->count++;
}

/* Pushes a settled frame for arc->callee. `total` is the thread's complete
 * total; all frames are settled. */
static inline void cg2_stack_push(
   Stack* stack, Arc* arc, Addr sp, Addr return_address, const ULong* total)
{
   Frame* frame = cg2_stack_add(stack, arc, sp, return_address);
   if (cg2_path_is_on()) cg2_stack_take_step(frame);
   cg2_cost_copy(frame->start, total);
   stack->settled = frame;
}

/* Pushes a frame for arc->callee that is not settled; without a step. */
static inline void cg2_stack_push_unsettled(
   Stack* stack, Arc* arc, Addr sp, Addr return_address, const ULong* counters)
{
   Frame* frame = cg2_stack_add(stack, arc, sp, return_address);
   cg2_cost_copy_counters(frame->start, counters);
}

/* Does what cg2_frame_charge does, for JOINED_CALLS. */
void cg2_frame_charge_joined(const Frame* frame, const ULong* total);

/* Charges the arc of a settled frame, and its step, with what its calls cost
 * until the thread's total was `total`. */
static inline void cg2_frame_charge(const Frame* frame, const ULong* total)
{
   if (__builtin_expect(frame->return_address == JOINED_CALLS, 0)) {
      cg2_frame_charge_joined(frame, total);
      return;
   }
   cg2_cost_add_difference(frame->arc->inclusive, total, frame->start);
   if (cg2_path_is_on())
      cg2_cost_add_difference(frame->step->inclusive, total, frame->start);
}

/* Pops the top frame, which is settled, and charges its arc with what the call
 * cost until the thread's total was `total`. */
static inline void cg2_stack_pop(Stack* stack, const ULong* total)
{
   Frame* frame = stack->top;
   stack->top = stack->settled = cg2_frame_below(frame);
   *frame->arc->active -= cg2_frame_calls(frame);
   cg2_frame_charge(frame, total);
   if (cg2_path_is_on()) frame->step->n_open--;
}

/* Pops the top frame, which is not settled, and charges its arc, but no step,
 * with what was counted until the counters were `counters`. */
static inline void cg2_stack_pop_unsettled(Stack* stack, const ULong* counters)
{
   Frame* frame = stack->top;
   Arc* arc = frame->arc;
   UInt* active = arc->active;
   stack->top = cg2_frame_below(frame);
   --*active;
   cg2_cost_add_counted(arc->inclusive, counters, frame->start);
}

/* Charges the arcs of frames number `first` to `last`, which are settled, with
 * what the calls cost so far, and lets the frames start at `total`. */
void cg2_stack_flush(Stack* stack, UInt first, UInt last, const ULong* total);

/* Lets all frames start at zero. */
void cg2_stack_zero(Stack* stack);
/* Counts each open call once more. */
void cg2_stack_recount(Stack* stack);

/* Takes the frames out of what Function.active counts: their thread stops to
 * run. */
void cg2_stack_deactivate(Stack* stack);
/* Adds the frames to what Function.active counts: their thread runs. */
void cg2_stack_activate(Stack* stack);

#endif
