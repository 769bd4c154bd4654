#include "data/counting/frames.h"
#include "base/search.h"

enum { RED_ZONE = 128 };

DataObject* cg2_frames_object(const Function* function)
{
   return cg2_dataobject_of(OBJECTS_OF_FUNCTIONS, function->number, DATA_STACK,
                            function->name->text, function->object);
}

/* Where the return address of a frame is; of a root that never returns, the
 * start of the stack. */
static Addr origin_of(const Stack* stack, UInt i)
{
   const Frame* frame = cg2_stack_frame(stack, i);
   return frame->sp == ~(Addr)0 ? stack->start : frame->sp;
}

/* The innermost of frames number `first` to `last` whose return address is at
 * `address` or above; 0: there is none. */
static UInt frame_at(const Stack* stack, UInt first, UInt last, Addr address)
{
   UInt behind = cg2_search_first(
      i, first, last + 1, address <= origin_of(stack, i) + sizeof(UWord) - 1);
   return behind > first ? behind - 1 : 0;
}

Bool cg2_frames_find(const Thread* thread,
                     Addr sp,
                     Addr address,
                     DataPiece* piece)
{
   const Stack* stack = &thread->stack;
   UInt depth = cg2_stack_depth(stack);
   if (address < sp - RED_ZONE) return False;
   UInt i = frame_at(stack, stack->base + 1, depth, address);
   if (!i) i = frame_at(stack, 1, stack->base, address);
   if (!i) return False;
   *piece = (DataPiece){
      .start =
         i == depth ? sp - RED_ZONE : origin_of(stack, i + 1) + sizeof(UWord),
      .end = origin_of(stack, i) + sizeof(UWord),
      .origin = origin_of(stack, i),
      .object =
         cg2_frames_object(cg2_stack_frame(stack, i)->arc->callee->function)};
   return True;
}
