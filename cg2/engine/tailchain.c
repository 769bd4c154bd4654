#include "engine/tailchain.h"

enum {
   FRAMES_MIN = 4096, /* A smaller stack grows. */
   /* The newest frames of a chain, which are left as they are: functions are
    * kept apart by their last callers. */
   NEWEST = 1024
};

/* The frames of a chain that may be joined, by number; and sorted, so that
 * those that are alike stand together, the newest last. */
typedef struct TailChain {
   Stack* stack;
   UInt first, last;
   Frame** sorted;
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

/* Negative, 0, positive: `a` stands before, beside, behind `b`. */
static Int compare_kinds(const Frame* a, const Frame* b)
{
   if (a->arc != b->arc) return a->arc < b->arc ? -1 : 1;
   if (step_of(a) != step_of(b)) return step_of(a) < step_of(b) ? -1 : 1;
   return (Int)cg2_frame_is_counted(a) - (Int)cg2_frame_is_counted(b);
}

static Int compare_frames(const void* a, const void* b)
{
   const Frame *x = *(Frame*const*)a, *y = *(Frame*const*)b;
   Int by_kind = compare_kinds(x, y);
   return by_kind ? by_kind : x < y ? -1 : x > y;
}

static void sort(TailChain* chain)
{
   UInt n = length(chain);
   chain->sorted = VG_(malloc)("cg2.tailchain", n * sizeof(Frame*));
   for (UInt i = 0; i < n; i++)
      chain->sorted[i] = cg2_stack_frame(chain->stack, chain->first + i);
   VG_(ssort)(chain->sorted, n, sizeof(Frame*), compare_frames);
}

/* How many sorted frames are unlike the one before. */
static UInt count_kinds(const TailChain* chain)
{
   UInt n = 1;
   for (UInt i = 1; i < length(chain); i++)
      n += compare_kinds(chain->sorted[i - 1], chain->sorted[i]) != 0;
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
   Frame* newest = NULL;
   for (UInt i = length(chain); i-- > 0;) {
      Frame* frame = chain->sorted[i];
      if (newest && compare_kinds(frame, newest) == 0)
         join(newest, frame, total);
      else
         newest = frame;
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
   sort(&chain);
   if (count_kinds(&chain) <= length(&chain) / 2) {
      join_all(&chain, total);
      close_gaps(&chain);
   }
   VG_(free)(chain.sorted);
}
