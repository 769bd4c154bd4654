#include "engine/unknown.h"

#include "engine/collection.h"

/* Keeps the frames of a thread whose stack will not be known. */
static void keep_frames(Thread* t)
{
   cg2_stack_free(&t->forgotten);
   if (t->collection.is_off) return; /* the arcs are in no profile */
   t->forgotten = t->stack;
   cg2_stack_init(&t->stack);
}

void cg2_unknown_forget(Thread* t)
{
   cg2_collection_flush(t);
   t->fiber = t->first = NULL;
   if (t == &cg2_now) cg2_stack_deactivate(&t->stack);
   if (!t->is_unknown) keep_frames(t);
   cg2_stack_clear(&t->stack);
   t->n_interrupted = 0;
   t->toggles.n_inside = 0;
   t->current = &cg2_left;
   t->regs.exit = &cg2_thread_exits.none;
   t->is_unknown = True;
}

Arc* cg2_unknown_arc(const Function* callee, Addr sp)
{
   const Stack* stack = &cg2_now.forgotten;
   if (cg2_now.collection.is_off) return NULL;
   for (UInt i = 1; i <= cg2_stack_depth(stack); i++) {
      const Frame* frame = cg2_stack_frame(stack, i);
      if (frame->sp == sp && frame->arc->callee->function == callee &&
          cg2_arc_caller(frame->arc) == cg2_thread_context())
         return frame->arc;
   }
   return NULL;
}
