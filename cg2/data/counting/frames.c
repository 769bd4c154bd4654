#include "data/counting/frames.h"
#include "base/search.h"

enum { RED_ZONE = 128 };

/* By number of the function. Reason for a mutable file-scope object: the
 * objects of frames. */
static struct {
   DataObject** of;
   UInt n;
} objects;

DataObject* cg2_frames_object(const Function* function)
{
   UInt number = function->number;
   if (number >= objects.n) {
      UInt n = 2 * number + 64;
      objects.of =
         VG_(realloc)("cg2.frames", objects.of, n * sizeof *objects.of);
      VG_(memset)(objects.of + objects.n, 0,
                  (n - objects.n) * sizeof *objects.of);
      objects.n = n;
   }
   if (!objects.of[number])
      objects.of[number] =
         cg2_dataobject_new(DATA_STACK, function->name->text, function->object);
   return objects.of[number];
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
