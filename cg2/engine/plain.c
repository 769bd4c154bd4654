#include "engine/plain.h"

#include "engine/lastcalls.h"

/* What cg2_events.n is, and cg2_frame_size(). */
enum {
   PLAIN_EVENTS = 1,
   FRAME_BYTES = sizeof(Frame) + PLAIN_EVENTS * sizeof(ULong)
};

/*--- Frames -------------------------------------------------------------*/

static inline Frame* below(const Frame* frame)
{
   return (Frame*)((HChar*)frame - FRAME_BYTES);
}

/* Enters arc->callee: pushes a frame, and lets its cells count. */
static inline void
enter(Arc* arc, Addr sp, Addr return_address, Registers* regs)
{
   UInt* active = arc->active;
   Frame* frame = (Frame*)((HChar*)cg2_now.stack.top + FRAME_BYTES);
   cg2_now.stack.top = frame;
   frame->sp = sp;
   frame->return_address = return_address;
   frame->arc = arc;
   frame->start[EVENT_IR] = regs->counters.of[COUNTER_CLOCK];
   ++*active;
   arc->count++;
   cg2_probe_land(arc->cells, regs);
}

/* Pops the top frame, which is not settled, and charges its arc. */
static inline void pop(Registers* regs)
{
   const Frame* frame = cg2_now.stack.top;
   Arc* arc = frame->arc;
   UInt* active = arc->active;
   ULong ticks = regs->counters.of[COUNTER_CLOCK] - frame->start[EVENT_IR];
   cg2_now.stack.top = below(frame);
   --*active;
   arc->inclusive[EVENT_IR] += ticks / CLOCK_INSTR;
   cg2_probe_land(arc->caller_cells, regs);
}

/*--- Calls --------------------------------------------------------------*/

/* Calls `target` by `exit`, which made another call last time. */
static __attribute__((noinline)) void
call_other(Exit* exit, Addr sp, Addr target, void* guest)
{
   Arc* arc = cg2_lastcalls_take(exit, target, sp);
   if (arc)
      enter(arc, sp, exit->return_address, cg2_probe_registers(guest));
   else
      cg2_probe_call_to(exit, sp, target, guest);
}

VG_REGPARM(2) void cg2_plain_call(Exit* exit, Addr sp, void* guest)
{
   Arc* arc = exit->recent;
   if (cg2_usual_call(exit, sp))
      enter(arc, sp, exit->return_address, cg2_probe_registers(guest));
   else
      call_other(exit, sp, exit->target, guest);
}

VG_REGPARM(3)
void cg2_plain_call_to(Exit* exit, Addr sp, Addr target, void* guest)
{
   Arc* arc = exit->recent;
   if (cg2_usual_target(exit, target) && cg2_usual_call(exit, sp))
      enter(arc, sp, exit->return_address, cg2_probe_registers(guest));
   else
      call_other(exit, sp, target, guest);
}

/*--- Jumps --------------------------------------------------------------*/

VG_REGPARM(2) void cg2_plain_jump(Exit* exit, Addr sp, void* guest)
{
   Arc* arc = exit->recent;
   if (cg2_usual_tail_call(arc, sp))
      enter(arc, sp, 0, cg2_probe_registers(guest));
   else
      cg2_probe_jump(exit, sp, guest);
}

VG_REGPARM(3)
void cg2_plain_jump_to(Exit* exit, Addr sp, Addr target, void* guest)
{
   Arc* arc = exit->recent;
   if (cg2_usual_target(exit, target) && cg2_usual_tail_call(arc, sp))
      enter(arc, sp, 0, cg2_probe_registers(guest));
   else
      cg2_probe_jump_to(exit, sp, target, guest);
}

/*--- Returns ------------------------------------------------------------*/

/* Returns to `target`, not from the top frame: perhaps from a frame below tail
 * calls, whose function returns for all of them. */
static __attribute__((noinline)) void
return_other(Exit* exit, Addr sp, Addr target, void* guest)
{
   const Stack* stack = &cg2_now.stack;
   const Frame* frame = stack->top;
   while (cg2_frame_is_of_tail_call(frame))
      frame = below(frame);
   if (cg2_usual_return(frame, sp, target) && frame > stack->settled)
      while (stack->top >= frame)
         pop(cg2_probe_registers(guest));
   else
      cg2_probe_return(exit, sp, target, guest);
}

VG_REGPARM(3)
void cg2_plain_return(Exit* exit, Addr sp, Addr target, void* guest)
{
   if (cg2_usual_return(cg2_now.stack.top, sp, target) &&
       !cg2_stack_is_settled(&cg2_now.stack))
      pop(cg2_probe_registers(guest));
   else
      return_other(exit, sp, target, guest);
}

/*--- Stubs --------------------------------------------------------------*/

/* Enters arc->callee through `stub`, which is part of the call. */
static inline void
enter_by_stub(Arc* arc, const Exit* exit, const Block* stub, Registers* regs)
{
   cg2_account_charge_plain_stub(&cg2_now.account,
                                 arc->inclusive + PLAIN_EVENTS, stub);
   enter(arc, regs->sp, exit->return_address, regs);
}

/* The arc that control takes again which went to a stub by `exit`, with stack
 * pointer `sp`, and not by the usual call; or NULL. */
static inline Arc* arc_by_stub(Exit* exit, Addr sp, Addr target)
{
   Arc* arc = exit->recent;
   if (exit->kind == EXIT_CALL) return cg2_lastcalls_take(exit, target, sp);
   return exit->kind == EXIT_JUMP && cg2_usual_target(exit, target) &&
                cg2_usual_tail_call(arc, sp)
             ? arc
             : NULL;
}

/* Goes to `target` through `stub`, by a jump, or by a call that is not the
 * usual one. */
static __attribute__((noinline)) void
stub_other(Addr sp, Addr target, const Block* stub, void* guest)
{
   Registers* regs = cg2_probe_registers(guest);
   Exit* exit = regs->exit;
   Arc* arc = arc_by_stub(exit, regs->sp, target);
   if (arc)
      enter_by_stub(arc, exit, stub, regs);
   else
      cg2_probe_stub(sp, target, stub, guest);
}

VG_REGPARM(3)
void cg2_plain_stub(Addr sp, Addr target, const Block* stub, void* guest)
{
   Registers* regs = cg2_probe_registers(guest);
   Exit* exit = regs->exit;
   Arc* arc = exit->recent;
   if (cg2_usual_target(exit, target) && cg2_usual_call(exit, regs->sp))
      enter_by_stub(arc, exit, stub, regs);
   else
      stub_other(sp, target, stub, guest);
}
