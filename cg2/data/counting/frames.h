/* Frames: the memory of a stack, as parts of the functions that are active.
 *
 * A frame reaches from the address of its return address down to that of the
 * function that it calls; the topmost one to the end of the red zone. What a
 * function passes to another on the stack is in its own frame. Source: the
 * System V ABIs of the processors. */
#ifndef CG2_FRAMES_H
#define CG2_FRAMES_H

#include "data/memory/dataobject.h"
#include "engine/thread.h"

/* The object of the frames of a function. */
DataObject* cg2_frames_object(const Function* function);

/* Whether an address is on the stack of `thread`, whose stack pointer is `sp`,
 * and in which piece. The offset is the distance from the return address. */
Bool cg2_frames_find(const Thread* thread,
                     Addr sp,
                     Addr address,
                     DataPiece* piece);

#endif
