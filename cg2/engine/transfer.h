/* What a transfer of control means.
 *
 * An exit was taken that may leave a function, and control has arrived at a
 * block. Exit, stack pointer, block and frames say what happened:
 *
 *   start    Nothing runs on this stack yet. The function is a root.
 *   call     A call; or a jump that is a call (jump.h): a tail call, whose
 *            frame lies on the jumper's and is popped together with it.
 *   replace  The dynamic linker's resolver clears its own frame off the stack,
 *            leaves the return address there, and jumps, or returns, to the
 *            function that it resolved. Any other jump or return that leaves
 *            frames and arrives at a function's first instruction does the
 *            same. The call site of the frame that was left calls the new
 *            function.
 *   resume   A return, a longjmp, the landing of an exception. The function
 *            whose frame is now on top goes on.
 *   stay     A jump to some other place. The current function goes on there:
 *            so do code without symbols and .cold halves.
 *
 * Frames are left by stack pointer: a frame whose return address lies below
 * the stack pointer is gone. Source: the System V ABI, where a return pops the
 * return address, and longjmp and unwinding set the stack pointer of the
 * function that goes on.
 *
 * Where a call pushes nothing, the function that goes on has the very stack
 * pointer that its call was made with, and so have functions that were called
 * before they moved it. Then the place where control arrives tells:
 *
 *   behind a call     Control arrives behind the call of a frame: that frame is
 *                     gone, and those on it. So it is with a lower frame, which
 *                     has removed its arguments from the stack.
 *   at a beginning    Control arrives at a function's first instruction, by a
 *                     call or by a jump that always goes there: no frame is
 *                     gone. A return may come there from a call that is the
 *                     last instruction of the function in front.
 *   elsewhere         Frames with a lower entry are gone: so are all with this
 *                     entry, as the function that goes on has moved its stack
 *                     pointer and called. Where no frame is lower, those with
 *                     this entry are gone down to the function that runs there,
 *                     if there is one.
 *   out of the first  The first function has returned, to none of these places:
 *                     all frames of the stack have this entry, and all are
 *                     gone.
 *
 * All functions here are pure: they change nothing. */
#ifndef CG2_TRANSFER_H
#define CG2_TRANSFER_H

#include "code/jump.h"
#include "engine/stack.h"

typedef enum Transfer {
   TRANSFER_START,
   TRANSFER_CALL,
   TRANSFER_REPLACE,
   TRANSFER_RESUME,
   TRANSFER_STAY,
} Transfer;

/* What is known when control has arrived at a block, and the frames that are
 * gone have been popped. */
typedef struct Arrival {
   ExitKind kind;      /* of the exit that was taken */
   Bool has_context;   /* A function is current. */
   Bool left_frames;   /* At least one frame was popped. */
   Bool left_resolver; /* A resolver's frame was popped, and the call that led
                          to the resolver goes on. */
   Jump jump;          /* to the block, by the function that is current */
} Arrival;

/* What the transfer that has arrived like this means. */
Transfer cg2_transfer_classify(const Arrival* arrival);

/* Whether control that arrives with stack pointer `sp` comes out of the
 * resolver whose frame is `top`, and the call that the resolver was entered by
 * goes on. */
Bool cg2_transfer_leaves_resolver(const Frame* top, ExitKind kind, Addr sp);

/* How many of the top frames, of those above stack->base, are gone when control
 * arrives with stack pointer `sp` through an exit of this kind. */
UInt cg2_transfer_count_left(const Stack* stack, ExitKind kind, Addr sp);

/* The same when it is known that control arrives at `block`, and that the exit
 * does not always lead there. */
UInt cg2_transfer_count_gone(const Stack* stack,
                             ExitKind kind,
                             Addr sp,
                             const Block* block);

#endif
