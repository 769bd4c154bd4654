#include "guest.h"

#include "arena.h"
#include "view.h"

#include <stdlib.h>

Guest guest;

/*--- Making code --------------------------------------------------------*/

/* No two functions share an offset, so that it can serve as address too. */
enum { FUNCTION_BYTES = 64 * 1024 };
static Addr next_function = FUNCTION_BYTES;

Object* guest_object(const HChar* name)
{
   const Name* interned = cg2_names_intern(&cg2_code.object_names, name);
   return cg2_code_add_object(interned, 1);
}

Function* guest_function_in(Object* object, const HChar* name,
                            const HChar* file, UInt line)
{
   if (!cg2_code.recursion_levels) cg2_code.recursion_levels = 2;
   Function* f = cg2_code_named_function(
      object, next_function, cg2_names_intern(&cg2_code.function_names, name),
      cg2_names_intern(&cg2_code.file_names, file), line);
   tl_assert(f->offset == next_function);
   next_function += FUNCTION_BYTES;
   return f;
}

Function* guest_function(Object* object, const HChar* name)
{
   return guest_function_in(object, name, "guest.c", 1);
}

static void add_exit(Block* block, UInt exit, UInt instr, ExitKind kind)
{
   cg2_block_exits(block)[exit] =
      (Exit){.block = block,
             .return_address = block->address + (instr + 1) * INSTR_BYTES,
             .instr = instr,
             .kind = kind};
}

static Block* add_block(Object* object, Addr offset, Function* function,
                        Function* home, const UShort* segments,
                        UInt n_segments, ExitKind last)
{
   static UShort instrs[1 << 16];
   UInt n_instrs = 0;
   for (UInt s = 0; s < n_segments; s++)
      n_instrs += segments[s];
   for (UInt i = 0; i < n_instrs; i++)
      instrs[i] = i * INSTR_BYTES;
   BlockShape shape = {.object = object,
                       .offset = offset,
                       .n_instrs = n_instrs,
                       .n_segments = n_segments,
                       .n_exits = n_segments - 1 + (last != EXIT_NONE),
                       .instrs = instrs,
                       .segments = segments};
   Block* b = cg2_code_add_block(&shape, function, home);
   b->address = offset;
   if (n_segments == 2) add_exit(b, 0, segments[0] - 1, EXIT_JUMP);
   if (last != EXIT_NONE) add_exit(b, n_segments - 1, n_instrs - 1, last);
   if (home) cg2_context_grow_cells(home);
   cg2_thread_refresh();
   return b;
}

/* Behind the last block that was made for it. */
static Addr next_offset(const Function* home)
{
   const Block* last = home->blocks;
   return last ? last->offset + last->n_instrs * INSTR_BYTES : home->offset;
}

static Block* add_named(Function* home, const UShort* segments,
                        UInt n_segments, ExitKind last)
{
   Addr offset = next_offset(home);
   Block* b =
      add_block(home->object, offset, home, home, segments, n_segments, last);
   b->is_entry = offset == home->offset;
   return b;
}

Block* guest_block(Function* home, UInt n_instrs, ExitKind last)
{
   UShort segment = n_instrs;
   return add_named(home, &segment, 1, last);
}

Block* guest_block_with_side(Function* home, UInt n_before, UInt n_behind,
                             ExitKind last)
{
   UShort segments[] = {n_before, n_behind};
   return add_named(home, segments, 2, last);
}

Block* guest_block_unnamed(Function* home, UInt n_instrs, ExitKind last)
{
   UShort segment = n_instrs;
   return add_block(home->object, next_offset(home), NULL, home, &segment, 1,
                    last);
}

Block* guest_stub(Object* object, UInt n_instrs)
{
   UShort segment = n_instrs;
   Block* b = add_block(object, next_function, NULL, NULL, &segment, 1,
                        EXIT_NONE);
   next_function += FUNCTION_BYTES;
   b->is_stub = True;
   return b;
}

static UInt file_number(const HChar* file)
{
   return cg2_names_intern(&cg2_code.file_names, file)->number;
}

void guest_position(Block* block, UInt instr, const HChar* file, UInt line)
{
   if (!block->positions) {
      block->positions =
         cg2_arena_new(block->n_instrs * sizeof *block->positions);
      for (UInt i = 0; i < block->n_instrs; i++)
         block->positions[i] = (Position){file_number("???"), 0};
   }
   block->positions[instr] = (Position){file_number(file), line};
}

Routine guest_routine(Object* object, const HChar* name)
{
   Function* f = guest_function(object, name);
   Routine r = {.function = f};
   r.entry = guest_block(f, 3, EXIT_NONE);
   r.call = guest_block(f, 2, EXIT_CALL);
   r.back = guest_block(f, 4, EXIT_NONE);
   r.work = guest_block_with_side(f, 5, 7, EXIT_NONE);
   r.jump = guest_block(f, 1, EXIT_JUMP);
   r.leave = guest_block(f, 1, EXIT_RETURN);
   return r;
}

/*--- Running it ---------------------------------------------------------*/

static void count(const Block* block, UInt segment)
{
   ULong n = cg2_block_segments(block)[segment];
   guest.executed += n;
   if (block->is_stub) {
#ifndef STUB_LATE
      cg2_now.total.of[EVENT_IR] += n;
#endif
      cg2_now.skipped.of[EVENT_IR] += n;
   } else {
      cg2_now.total.of[EVENT_IR] += n;
      cg2_now.cells[block->slot + segment]++;
   }
}

static void take(const Block* block, UInt exit)
{
   Exit* e = &cg2_block_exits(block)[exit];
   if (e->kind == EXIT_CALL) guest.sp -= WORD;
   if (e->kind == EXIT_RETURN) guest.sp += WORD;
   cg2_now.exit = e;
   cg2_now.sp = guest.sp;
   if (e->kind != EXIT_JUMP) cg2_now.home_number = HOME_LEFT;
}

void guest_arrive(Block* block)
{
   host.sp = guest.sp;
   if (block->is_stub) return;
   guest.blocks++;
   if (cg2_now.home_number != block->home_number) cg2_probe_enter(block);
}

void guest_leave(Block* block)
{
   UInt exit = 0;
   for (UInt s = 0; s < block->n_segments; s++) {
      count(block, s);
      if (s + 1 < block->n_segments) take(block, exit++);
   }
   if (block->is_stub) {
      cg2_now.stub_sp = guest.sp;
      cg2_now.home_number = HOME_IN_STUB;
   }
   if (exit < block->n_exits) take(block, exit);
}

void guest_leave_by_side(Block* block)
{
   count(block, 0);
   take(block, 0);
}

void guest_run(Block* block)
{
   guest_arrive(block);
   guest_leave(block);
}

void guest_run_side(Block* block)
{
   guest_arrive(block);
   guest_leave_by_side(block);
}

void guest_call(const Routine* from, const Routine* to)
{
   guest_run(from->call);
   guest_run(to->entry);
}

void guest_return(const Routine* from, const Routine* to)
{
   guest_run(from->leave);
   guest_run(to->back);
}

void guest_switch(UInt tid, Addr sp)
{
   cg2_thread_switch(tid);
   guest.sp = host.sp = sp;
}

void guest_forget(void)
{
   cg2_thread_end(1);
   cg2_thread_forked(1);
   guest.executed = guest.blocks = 0;
}

/*--- Asking for what was counted ----------------------------------------*/

Context* guest_context(const Function* function, UInt level)
{
   for (Context* c = function->contexts; c; c = c->next_of_function)
      if (c->min_active == level - 1) return c;
   return NULL;
}

Arc* guest_arc(const Exit* exit, const Context* caller, const Context* callee)
{
   for (Arc* arc = caller->arcs; arc; arc = arc->next_of_caller)
      if (arc->exit == exit && arc->callee == callee) return arc;
   return NULL;
}

Exit* guest_exit(const Block* block)
{
   return &cg2_block_exits(block)[block->n_exits - 1];
}

ULong guest_count(const Context* context, const Block* block, UInt segment)
{
   for (const Cells* cells = context ? &context->own : NULL; cells;
        cells = cells->next)
      if (cells->home == block->home)
         return cells->counts[block->slot + segment];
   return 0;
}

static ULong cost_of_block(const Cells* cells, const Block* block)
{
   ULong cost = 0;
   for (UInt s = 0; s < block->n_segments; s++)
      cost += cells->counts[block->slot + s] * cg2_block_segments(block)[s];
   return cost;
}

ULong guest_self(const Context* context)
{
   if (!context) return 0;
   ULong cost = context->skipped.of[EVENT_IR];
   for (const Cells* cells = &context->own; cells; cells = cells->next)
      for (const Block* b = cells->home->blocks; b; b = b->next_of_home)
         cost += cost_of_block(cells, b);
   for (const Arc* arc = context->arcs; arc; arc = arc->next_of_caller)
      cost += arc->skipped.of[EVENT_IR];
   return cost;
}

/* Of all arcs from one context to another. */
static Arc sum_of_arcs(const Context* caller, const Context* callee)
{
   Arc sum = {0};
   const Arc* arc = caller ? caller->arcs : NULL;
   for (; arc; arc = arc->next_of_caller)
      if (arc->callee == callee) {
         sum.count += arc->count;
         cg2_cost_add(&sum.inclusive, &arc->inclusive);
         cg2_cost_add(&sum.skipped, &arc->skipped);
      }
   return sum;
}

ULong guest_calls(const Context* caller, const Context* callee)
{
   return sum_of_arcs(caller, callee).count;
}

ULong guest_inclusive(const Context* caller, const Context* callee)
{
   return sum_of_arcs(caller, callee).inclusive.of[EVENT_IR];
}

ULong guest_skipped(const Context* caller, const Context* callee)
{
   return sum_of_arcs(caller, callee).skipped.of[EVENT_IR];
}

UInt guest_count_arcs(const Context* caller)
{
   UInt n = 0;
   for (const Arc* arc = caller->arcs; arc; arc = arc->next_of_caller)
      if (arc->count || !cg2_cost_is_zero(&arc->skipped)) n++;
   return n;
}

/*--- What always holds --------------------------------------------------*/

static Bool is_in_home(void)
{
   return cg2_now.home_number != HOME_LEFT &&
          cg2_now.home_number != HOME_IN_STUB;
}

static const char* stack_fault(void)
{
   const Stack* stack = &cg2_now.stack;
   UInt depth = cg2_stack_depth(stack);
   if (stack->top > stack->limit) return "the stack is fuller than full";
   if (stack->base > depth) return "interrupted frames were left";
   for (UInt i = 1; i <= depth; i++) {
      const Frame* f = &stack->frames[i];
      if (!f->arc || !f->arc->callee) return "a frame of nothing";
      if (f->start.of[EVENT_IR] > cg2_now.total.of[EVENT_IR])
         return "a frame from the future";
      if (f->arc->active != &f->arc->callee->function->active)
         return "an arc counts frames of another function";
   }
   return NULL;
}

static const char* context_fault(void)
{
   const Stack* stack = &cg2_now.stack;
   const Context* top = cg2_stack_depth(stack) > stack->base
                           ? stack->top->arc->callee
                           : NULL;
   if (!is_in_home()) return NULL;
   if (cg2_now.context != top) return "the context is not the top frame's";
   if (!top) return "a home runs in no context";
   Function* home = cg2_home_of_number(cg2_now.home_number);
   const Cells* cells = cg2_context_cells(cg2_now.context, home);
   if (cg2_now.cells != cells->counts) return "the cells are others";
   if (cells->n < home->n_slots) return "the cells are too few";
   return NULL;
}

static const char* active_fault(void)
{
   UInt n = cg2_code.n_functions;
   Int* frames = calloc(n + 1, sizeof *frames);
   for (UInt i = cg2_stack_depth(&cg2_now.stack); i > 0; i--)
      frames[cg2_now.stack.frames[i].arc->callee->function->number]++;
   const char* fault = NULL;
   for (UInt f = 1; f <= n; f++)
      if (frames[f] != (Int)cg2_code.by_number[f]->active)
         fault = "active is not the number of frames";
   free(frames);
   return fault;
}

const char* guest_fault(void)
{
   if (!cg2_now.exit) return NULL; /* no thread runs */
   const char* fault = stack_fault();
   if (!fault) fault = context_fault();
   return fault ? fault : active_fault();
}

const char* guest_sum_fault(void)
{
   cg2_thread_flush();
   if (cg2_view_count_blocks() != guest.blocks)
      return "the number of blocks is not how many ran";
   ULong self = 0;
   for (UInt f = 1; f <= cg2_code.n_functions; f++)
      for (const Context* c = cg2_code.by_number[f]->contexts; c;
           c = c->next_of_function)
         self += guest_self(c);
   return self == guest_total() ? NULL : "self costs are not the total";
}

ULong guest_total(void)
{
   return cg2_thread_sums().total.of[EVENT_IR];
}
