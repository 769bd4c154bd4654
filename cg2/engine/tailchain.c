#include "engine/tailchain.h"

enum {
   FRAMES_MIN = 4096, /* A smaller stack grows. */
   /* The newest frames of a chain, which are left as they are: functions are
    * kept apart by their last callers. */
   NEWEST = 1024
};

/* The frames of a chain that may be joined, by number; and those that others
 * were joined to, or may be, by hash. */
typedef struct TailChain {
   Stack* stack;
   UInt first, last;
   Frame** newest;
   UInt n_places; /* of `newest`; a power of two */
} TailChain;

/* The chain on top: tail calls that are left together. */
static TailChain chain_on_top(Stack* stack)
{
   const Frame* top = stack->top;
   UInt depth = cg2_stack_depth(stack), first = depth + 1;
   while (first > stack->base + 1) {
      const Frame* frame = cg2_stack_frame(stack, first - 1);
      if (!cg2_frame_is_of_tail_call(frame) || frame->sp != top->sp) break;
      first--;
   }
   UInt last = depth > NEWEST ? depth - NEWEST : 0;
   return (TailChain){.stack = stack, .first = first, .last = last};
}

static UInt length(const TailChain* chain)
{
   return chain->last < chain->first ? 0 : chain->last - chain->first + 1;
}

/*--- Which frames are alike ---------------------------------------------*/

/* The frame's step; NULL if paths are not kept. */
static const PathStep* step_of(const Frame* frame)
{
   return cg2_path_is_on() ? frame->step : NULL;
}

static Bool are_alike(const Frame* a, const Frame* b)
{
   return a->arc == b->arc && step_of(a) == step_of(b) &&
          cg2_frame_is_counted(a) == cg2_frame_is_counted(b);
}

/* The place of the newest frame that is like `frame`, or that is still free. */
static Frame** place_of(const TailChain* chain, const Frame* frame)
{
   ULong hash = cg2_hash_word(0, (UWord)frame->arc);
   hash = cg2_hash_word(hash, (UWord)step_of(frame));
   UInt i = hash & (chain->n_places - 1);
   while (chain->newest[i] && !are_alike(chain->newest[i], frame))
      i = (i + 1) & (chain->n_places - 1);
   return &chain->newest[i];
}

/* Finds the newest frame of each arc. Returns how many there are. */
static UInt find_newest(TailChain* chain)
{
   UInt n = 0;
   chain->n_places = 1;
   while (chain->n_places < 2 * length(chain))
      chain->n_places *= 2;
   chain->newest =
      VG_(calloc)("cg2.tailchain", chain->n_places, sizeof(Frame*));
   for (UInt i = chain->last; i >= chain->first; i--) {
      Frame* frame = cg2_stack_frame(chain->stack, i);
      Frame** place = place_of(chain, frame);
      if (*place) continue;
      *place = frame;
      n++;
   }
   return n;
}

/*--- Joining ------------------------------------------------------------*/

/* Lets `newest` stand for the calls of `frame` as well, which goes. */
static void join(Frame* newest, Frame* frame, const ULong* total)
{
   ULong n = cg2_frame_calls(newest) + cg2_frame_calls(frame);
   if (!cg2_frame_is_counted(frame)) {
      cg2_frame_charge(newest, total);
      cg2_frame_charge(frame, total);
      cg2_cost_copy(newest->start, total);
   }
   newest->return_address = JOINED_CALLS;
   newest->n_calls = n;
   if (cg2_path_is_on()) frame->step->n_open--;
   frame->arc = NULL;
}

static void join_all(const TailChain* chain, const ULong* total)
{
   for (UInt i = chain->last; i >= chain->first; i--) {
      Frame* frame = cg2_stack_frame(chain->stack, i);
      Frame* newest = *place_of(chain, frame);
      if (newest != frame) join(newest, frame, total);
   }
}

/* Takes the frames that were joined to others off the stack. */
static void close_gaps(const TailChain* chain)
{
   Stack* stack = chain->stack;
   Frame* to = cg2_stack_frame(stack, chain->first);
   for (Frame* frame = to; frame <= stack->top;
        frame = cg2_frame_above(frame)) {
      if (!frame->arc) continue;
      if (to != frame) VG_(memcpy)(to, frame, cg2_frame_size());
      to = cg2_frame_above(to);
   }
   stack->top = stack->settled = cg2_frame_below(to);
}

void cg2_tailchain_join(Stack* stack, const ULong* total)
{
   UInt depth = cg2_stack_depth(stack);
   if (stack->top < stack->limit || depth < FRAMES_MIN) return;
   TailChain chain = chain_on_top(stack);
   if (length(&chain) < depth / 4) return;
   tl_assert(cg2_stack_is_settled(stack));
   if (find_newest(&chain) <= length(&chain) / 2) {
      join_all(&chain, total);
      close_gaps(&chain);
   }
   VG_(free)(chain.newest);
}
