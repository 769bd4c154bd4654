#include "engine/collection.h"

/* Nobody wants to know what calls cost where nothing is collected. */
void cg2_collection_flush(Thread* t)
{
   cg2_thread_charge_stubs(t);
   cg2_handlers_charge_stubs(t);
   if (t->collection.is_off) return;
   for (UInt n = 0; n <= t->n_interrupted; n++) {
      FrameLayer layer = cg2_handlers_layer(t, n);
      cg2_stack_flush(&t->stack, layer.first, layer.last, layer.total);
   }
}

Cost cg2_collection_cost(const Thread* t)
{
   const Collection* c = &t->collection;
   Cost all = c->is_off ? c->since : cg2_account_expense(&t->account);
   Cost sum = {{0}};
   cg2_cost_add_difference(sum.of, all.of, c->excluded.of);
   return sum;
}

/*--- Twins --------------------------------------------------------------*/

/* The cells of the same home in the other twin of their context. */
static const Cells* twin_of_cells(const Cells* cells, Bool is_off)
{
   if (cells == &cg2_left || cells == &cg2_in_stub) return cells;
   return cg2_context_cells(cg2_context_twin(cells->context, is_off),
                            cells->home);
}

/* Makes the frame a call of the other twin. `total` is the thread's total. */
static void switch_frame(Frame* frame, Bool is_off, const ULong* total)
{
   frame->arc = cg2_graph_twin(frame->arc, is_off);
   if (cg2_path_is_on()) {
      PathStep* before = frame->step;
      cg2_frame_set_step(frame);
      before->n_open--;
   }
   if (is_off)
      frame->start[EVENT_IR] = FRAME_COUNTED;
   else {
      if (!cg2_frame_is_counted(frame)) {
         frame->arc->count += cg2_frame_calls(frame);
         if (cg2_path_is_on()) frame->step->count += cg2_frame_calls(frame);
      }
      cg2_cost_copy(frame->start, total);
   }
}

/* Lets the code of layer `n`, which was interrupted, count in the other twin's
 * cells when it goes on. */
static void switch_interrupted(Thread* t, UInt n)
{
   Interrupted* i = &t->interrupted[n];
   i->current = twin_of_cells(i->current, t->collection.is_off);
}

void cg2_collection_switch_frames(Thread* t)
{
   Bool is_off = t->collection.is_off;
   for (UInt n = t->n_interrupted + 1; n > 0; n--) {
      FrameLayer layer = cg2_handlers_layer(t, n - 1);
      if (n <= t->n_interrupted) switch_interrupted(t, n - 1);
      for (UInt i = layer.first; i <= layer.last; i++)
         switch_frame(cg2_stack_frame(&t->stack, i), is_off, layer.total);
   }
}

void cg2_collection_switch(Bool is_on)
{
   Thread* t = &cg2_now;
   Collection* c = &t->collection;
   if (c->is_off == !is_on) return;
   cg2_collection_flush(t); /* so stubs on the way count as before */
   Cost now = cg2_account_expense(&t->account);
   if (is_on)
      cg2_cost_add_difference(c->excluded.of, now.of, c->since.of);
   else
      c->since = now;
   c->is_off = !is_on;
   cg2_collection_switch_frames(t);
   t->current = twin_of_cells(t->current, c->is_off);
   cg2_thread_refresh();
}

/*--- From zero ----------------------------------------------------------*/

void cg2_collection_zero(Thread* t)
{
   cg2_account_zero(&t->account);
   cg2_cost_clear(t->collection.since.of);
   cg2_cost_clear(t->collection.excluded.of);
   cg2_handlers_zero(t);
   cg2_stack_clear(&t->forgotten);
   cg2_stack_zero(&t->stack);
   if (!t->collection.is_off) cg2_stack_recount(&t->stack);
}
