#include "guest.h"

#include "arch/threadpointer.h"
#include "arch/thunk.h"
#include "base/arena.h"
#include "code/symbols.h"
#include "engine/arrival.h"
#include "engine/handlers.h"
#include "engine/plain.h"
#include "engine/threads.h"
#include "profile/callgrind/selection.h"

#include <stdlib.h>

Guest guest;

UWord cg2_callvalues_argument(UInt tid, UInt i)
{
   tl_assert(tid == cg2_now.tid);
   return guest.arguments[i];
}

Addr cg2_callvalues_sp(UInt tid)
{
   return tid == cg2_now.tid ? guest.sp : 0;
}

UWord cg2_callvalues_result(UInt tid)
{
   tl_assert(tid == cg2_now.tid);
   return guest.result;
}

const Mapping* cg2_symbols_mappings(UInt* n)
{
   *n = guest.n_mappings;
   return guest.mappings;
}

UInt cg2_symbols_epoch(void)
{
   return guest.epoch;
}

Region cg2_regions_find(Addr address)
{
   for (UInt i = 0; i < guest.n_regions; i++)
      if (address >= guest.regions[i].start && address < guest.regions[i].end)
         return guest.regions[i];
   Addr page = address & ~(Addr)4095;
   return (Region){.start = page, .end = page + 4096};
}

void cg2_regions_each_anonymous(void (*visit)(const Region* region))
{
   for (UInt i = 0; i < guest.n_regions; i++)
      if (guest.regions[i].kind == REGION_ANONYMOUS) visit(&guest.regions[i]);
}

Bool cg2_regions_is_readable(Addr start, SizeT size)
{
   return start + size > start && start > 4096;
}

Addr cg2_threadpointer_of(UInt tid)
{
   tl_assert(tid == cg2_now.tid);
   return guest.threadpointer;
}

UInt cg2_regions_thread(const Region* region)
{
   return region->start == guest.regions[guest.n_regions - 1].start
             ? guest.stack_thread
             : 0;
}

/* Each region is a unit. */
LayoutUnit cg2_units_find(Addr address)
{
   Region region = cg2_regions_find(address);
   Bool is_stack = cg2_regions_thread(&region) != 0;
   Bool is_there = region.kind != REGION_UNKNOWN;
   return (LayoutUnit){is_stack ? region.end : region.start,
                       is_there ? region.end : address + 1,
                       region.path != NULL};
}

LayoutUnit cg2_units_find_map(Addr address)
{
   return cg2_units_find(address);
}

/* Nothing executes machine code here. */
void* cg2_thunk_keep(const UChar* code, UInt size)
{
   (void)code, (void)size;
   return NULL;
}

/* The program's memory is the test's own. */
SizeT cg2_guestmemory_read(void* to, Addr from, SizeT n)
{
   VG_(memcpy)(to, (const void*)from, n);
   return n;
}

UWord cg2_callvalues_word(Addr address)
{
   return address == guest.word_at ? guest.word : 0;
}

/*--- Making code --------------------------------------------------------*/

/* No two functions share an offset, so that it can serve as address too. Stubs
 * lie below all functions. */
enum { FUNCTION_BYTES = 64 * 1024, STUB_BYTES = 64, FIRST_STUB = 4096 };
static Addr next_function = FUNCTION_BYTES;
static Addr next_stub = FIRST_STUB;
static Addr next_guarded;

Object* guest_object(const HChar* name)
{
   const Name* interned = cg2_names_intern(&cg2_code.object_names, name);
   return cg2_code_add_object(interned, 1);
}

Function* guest_function_in(Object* object,
                            const HChar* name,
                            const HChar* file,
                            UInt line)
{
   const Name* shown = cg2_names_intern(&cg2_code.function_names, name);
   Function* f = cg2_code_named_function(&(Symbol){
      .object = object,
      .offset = next_function,
      .mangled = shown,
      .shown = shown,
      .file = cg2_names_intern(&cg2_code.file_names, file),
      .line = line,
   });
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
   Addr behind =
      kind == EXIT_CALL ? block->address + (instr + 1) * INSTR_BYTES : 0;
   cg2_block_exits(block)[exit] = (Exit){.block = block,
                                         .behind = behind,
                                         .return_address = behind,
                                         .instr = instr,
                                         .kind = kind};
}

static Block* add_block(Object* object,
                        Addr offset,
                        Function* function,
                        Function* home,
                        const UShort* segments,
                        UInt n_segments,
                        ExitKind last)
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
   Block* b = cg2_block_add(&shape, function, home);
   b->address = offset;
   if (n_segments == 2) add_exit(b, 0, segments[0] - 1, EXIT_JUMP);
   if (last != EXIT_NONE) add_exit(b, n_segments - 1, n_instrs - 1, last);
   if (home) cg2_context_grow_cells(home);
   cg2_thread_refresh();
   cg2_block_add_translation(offset, b);
   return b;
}

/* Behind the last block that was made for it. */
static Addr next_offset(const Function* home)
{
   const Block* last = home->blocks;
   while (last && last->is_guarded)
      last = last->next_of_home;
   return last ? last->offset + last->n_instrs * INSTR_BYTES : home->offset;
}

static Block* add_named(Function* home,
                        const UShort* segments,
                        UInt n_segments,
                        ExitKind last)
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

Block* guest_block_with_side(Function* home,
                             UInt n_before,
                             UInt n_behind,
                             ExitKind last)
{
   UShort segments[] = {n_before, n_behind};
   return add_named(home, segments, 2, last);
}

Block* guest_block_with_targets(Function* home,
                                const UShort* segments,
                                const Int* targets,
                                UInt n,
                                Bool is_computed)
{
   UShort instrs[16];
   BlockShape shape = {.object = home->object,
                       .offset = next_offset(home),
                       .n_segments = n,
                       .n_exits = is_computed,
                       .n_targets = n,
                       .targets = targets,
                       .instrs = instrs,
                       .segments = segments};
   for (UInt s = 0; s < n; s++)
      for (UInt i = 0; i < segments[s]; i++, shape.n_instrs++)
         instrs[shape.n_instrs] = shape.n_instrs * INSTR_BYTES;
   Block* b = cg2_block_add(&shape, home, home);
   b->address = b->offset;
   b->is_entry = b->offset == home->offset;
   if (is_computed) add_exit(b, 0, shape.n_instrs - 1, EXIT_JUMP);
   cg2_context_grow_cells(home);
   return b;
}

Block* guest_block_with_events(Function* home,
                               UInt n_instrs,
                               const BlockEvent* events,
                               UInt n_events)
{
   UShort instrs[16], segment = n_instrs;
   for (UInt i = 0; i < n_instrs; i++)
      instrs[i] = i * INSTR_BYTES;
   BlockShape shape = {.object = home->object,
                       .offset = next_offset(home),
                       .n_instrs = n_instrs,
                       .n_segments = 1,
                       .n_events = n_events,
                       .events = events,
                       .instrs = instrs,
                       .segments = &segment};
   Block* b = cg2_block_add(&shape, home, home);
   b->address = b->offset;
   b->is_entry = b->offset == home->offset;
   cg2_context_grow_cells(home);
   cg2_block_add_translation(b->offset, b);
   return b;
}

Block* guest_block_unnamed(Function* home, UInt n_instrs, ExitKind last)
{
   UShort segment = n_instrs;
   return add_block(home->object, next_offset(home), NULL, home, &segment, 1,
                    last);
}

Block* guest_block_guarded(Function* home, UInt n_instrs, ExitKind last)
{
   UShort segment = n_instrs;
   if (next_guarded % FUNCTION_BYTES == 0) {
      next_guarded = next_function;
      next_function += FUNCTION_BYTES;
   }
   Block* b =
      add_block(home->object, next_guarded, NULL, home, &segment, 1, last);
   next_guarded += n_instrs * INSTR_BYTES;
   b->is_guarded = True;
   return b;
}

Block* guest_stub(Object* object, UInt n_instrs)
{
   UShort segment = n_instrs;
   tl_assert(n_instrs * INSTR_BYTES <= STUB_BYTES);
   tl_assert(next_stub < FUNCTION_BYTES);
   Block* b = add_block(object, next_stub, NULL, NULL, &segment, 1, EXIT_NONE);
   next_stub += STUB_BYTES;
   b->is_among_stubs = b->is_stub = True;
   return b;
}

/* The exits that always lead to one block. */
enum { FIXED_MAX = 100000 };
static struct {
   const Exit* exit;
   const Block* target;
} fixed[FIXED_MAX];
static UInt n_fixed;

void guest_fix(Block* block, const Block* target)
{
   Exit* exit = guest_exit(block);
   tl_assert(target->is_stub ||
             (target->object == block->object && !block->is_guarded));
   exit->target = target->address;
   cg2_exit_forget(exit);
   tl_assert(n_fixed < FIXED_MAX);
   fixed[n_fixed].exit = exit;
   fixed[n_fixed++].target = target;
}

/* NULL if it may lead anywhere. */
static const Block* fixed_block(const Exit* exit)
{
   for (UInt i = n_fixed; i > 0; i--)
      if (fixed[i - 1].exit == exit) return fixed[i - 1].target;
   return NULL;
}

Addr guest_fixed_target(const Exit* exit)
{
   const Block* target = fixed_block(exit);
   return target ? target->address : 0;
}

void guest_discard(const Block* block)
{
   cg2_block_remove_translation(block->address);
}

static UInt file_number(const HChar* file)
{
   return cg2_names_intern(&cg2_code.file_names, file)->number;
}

void cg2_symbols_resolve(Block* block)
{
   if (block->lines) return;
   block->lines = cg2_arena_new(block->n_instrs * sizeof *block->lines);
   for (UInt i = 0; i < block->n_instrs; i++)
      block->lines[i] = (SourceLine){file_number("???"), 0};
}

void guest_position(Block* block, UInt instr, const HChar* file, UInt line)
{
   cg2_symbols_resolve(block);
   block->lines[instr] = (SourceLine){file_number(file), line};
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

static struct {
   const Block *from, *to;
} redirected;

void guest_redirect(const Block* from, const Block* to)
{
   guest_discard(from);
   redirected.from = from;
   redirected.to = to;
}

/*--- Exits --------------------------------------------------------------*/

/* Where generated code keeps Registers while it runs. */
static struct {
   VexGuestArchState state;
   Registers regs;
} thread;

static void put_registers(void)
{
   tl_assert((HChar*)&thread.regs == (HChar*)&thread + CG2_REGISTERS_OFFSET);
   thread.regs = cg2_now.regs;
   VG_(memset)(&cg2_now.regs, 0xee, sizeof cg2_now.regs);
}

void guest_stop(void)
{
   cg2_thread_complete(&cg2_now.regs);
   cg2_thread_stop(guest.ip);
}

static void get_registers(void)
{
   cg2_now.regs = thread.regs;
   VG_(memset)(&thread.regs, 0xee, sizeof thread.regs);
   if (!guest.runs_on) guest_stop();
}

/* What the thread that runs is about to do when it is known where it goes. */
static struct {
   const Block* block; /* whose end was reached */
   Exit* exit;         /* NULL at a stub's end */
   Addr sp;            /* there */
   Bool begins;        /* the thread or a handler has no block yet */
} pending;

/* The probe that is written for a transfer. */
#define PROBE(name)                                                            \
   (cg2_engine_config.is_plain ? cg2_plain_##name : cg2_probe_##name)

/* Calls the probe that write_call() and write_fixed_jump() in
 * cg2/translate/writeblock.c write for the exit. */
static void take_call(Exit* exit, Addr sp, Addr target)
{
   const Block* to = fixed_block(exit);
   tl_assert(!to || to->address == target);
   if (!to)
      PROBE(call_to)(exit, sp, target, &thread);
   else if (to->is_stub) {
      thread.regs.exit = exit;
      thread.regs.sp = sp;
   } else
      PROBE(call)(exit, sp, &thread);
}

static Bool leads_to_call(const Exit* exit, const Block* to)
{
   Jump jump = cg2_jump_between(exit->block, to);
   return cg2_jump_is_call(&jump);
}

static void take_jump(Exit* exit, Addr sp, Addr target)
{
   const Block* to = fixed_block(exit);
   tl_assert(!to || to->address == target);
   if (!to)
      PROBE(jump_to)(exit, sp, target, &thread);
   else if (to->is_stub) {
      thread.regs.exit = exit;
      thread.regs.sp = sp;
   } else if (leads_to_call(exit, to))
      PROBE(jump)(exit, sp, &thread);
   else
      cg2_probe_stay(exit, sp, to->home, &thread);
}

static Bool is_in_home(const Block* block, Addr address)
{
   return !block->is_guarded && address - block->home->offset < FUNCTION_BYTES;
}

static void take_exit(const Block* block, Exit* exit, Addr sp, Addr target)
{
   switch (exit->kind) {
   case EXIT_CALL:
      take_call(exit, sp, target);
      break;
   case EXIT_RETURN:
      PROBE(return )(exit, sp, target, &thread);
      break;
   default:
      if (!is_in_home(block, target)) take_jump(exit, sp, target);
   }
}

void guest_head_for(Addr target)
{
   Exit* exit = pending.exit;
   const Block* block = pending.block;
   Bool begins = pending.begins;
   Addr sp = pending.sp;
   VG_(memset)(&pending, 0, sizeof pending);
   guest.ip = target;
   host.sp = guest.sp;
   if (begins) {
      guest_stop();
      cg2_arrival_go_on(target);
      return;
   }
   if (!block) return;
   put_registers();
   if (exit)
      take_exit(block, exit, sp, target);
   else
      PROBE(stub)(sp, target, block, &thread);
   get_registers();
}

static Bool is_about_to_leave(void)
{
   return pending.block != NULL;
}

/* Where control heads for to get there. */
static Addr address_of(const Block* block)
{
   return block == redirected.to ? redirected.from->address : block->address;
}

Addr guest_target(void)
{
   if (pending.exit) return guest_fixed_target(pending.exit);
   return pending.begins || is_about_to_leave() ? 0 : guest.ip;
}

Bool guest_can_arrive(const Block* block)
{
   Addr target = guest_target();
   if (!target || address_of(block) == target) return True;
   return !is_about_to_leave() && cg2_thread_has_arrived() && !block->is_stub &&
          (block->is_guarded || block->home == cg2_now.current->home);
}

/*--- Running it ---------------------------------------------------------*/

/* Events that guest_add_events() made. */
enum { EVENT_ALL = 1, EVENT_ODD, EVENT_SIMULATED, GUEST_EVENTS };

void guest_add_events(void)
{
   cg2_event_add_counted("All", NULL);
   cg2_event_add_counted("Odd", NULL);
   cg2_event_add("Simulated", NULL);
}

static void count_events(const Block* block, ULong n)
{
   ULong* pair = &cg2_now.regs.counters.of[COUNTER_PAIRS];
   *pair += n << EVENT_PAIR_BITS;
   if (block->n_instrs % 2 == 0) return;
   *pair += n;
   for (; n > 0; n--)
      cg2_account_count(&cg2_now.account, EVENT_SIMULATED);
}

static void count(const Block* block, UInt segment)
{
   ULong n = cg2_block_segments(block)[segment];
   guest.executed += n;
   cg2_now.regs.counters.of[COUNTER_CLOCK] += n * CLOCK_INSTR;
   if (cg2_events.n == GUEST_EVENTS) count_events(block, n);
   if (!guest.runs_on) guest_stop();
   if (!block->is_stub) cg2_now.regs.cells[block->slot + segment]++;
}

/* Does what cg2_instrument() does besides writing code. */
static void translate(Block* block)
{
   guest_stop();
   cg2_block_add_translation(block->address, block);
   if (!block->is_guarded && !block->is_stub && !cg2_thread_has_arrived())
      cg2_arrival_at(block);
}

static void begin(Block* block, Bool is_redirected)
{
   put_registers();
   if ((is_redirected || block->is_guarded) &&
       cg2_now.current->home != block->home)
      cg2_probe_enter(block, &thread);
   if (!block->is_stub) cg2_probe_check(block, &thread);
   get_registers();
}

void guest_check(const Block* block)
{
   put_registers();
   cg2_probe_check(block, &thread);
   get_registers();
}

void guest_arrive(Block* block)
{
   Bool is_redirected = block == redirected.to;
   tl_assert(guest_can_arrive(block));
   guest_head_for(address_of(block));
   if (!is_redirected && !cg2_block_translated(block->address))
      translate(block);
   begin(block, is_redirected);
   guest.blocks += !block->is_stub;
}

static void leave_by(const Block* block, Exit* exit)
{
   pending.block = block;
   pending.exit = exit;
   if (exit && exit->kind == EXIT_CALL) guest.sp -= GUEST_CALL_PUSHES;
   if (exit && exit->kind == EXIT_RETURN) guest.sp += GUEST_CALL_PUSHES;
   pending.sp = guest.sp;
}

void guest_leave(Block* block)
{
   Bool has_last = block->n_exits == block->n_segments;
   for (UInt s = 0; s < block->n_segments; s++)
      count(block, s);
   guest.ip = block->address + block->n_instrs * INSTR_BYTES;
   if (has_last)
      leave_by(block, guest_exit(block));
   else if (block->is_stub)
      leave_by(block, NULL);
}

void guest_leave_by_side(Block* block)
{
   count(block, 0);
   leave_by(block, &cg2_block_exits(block)[0]);
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

/* Lets the thread run on, as cg2/run does when the core tells. */
static void run_on(void)
{
   host.sp = guest.sp;
   pending.begins = guest.ip == 0;
   cg2_thread_go_on(guest.ip);
   if (!cg2_thread_has_arrived()) cg2_arrival_go_on(guest.ip);
}

void guest_switch(UInt tid, Addr sp)
{
   tl_assert(!is_about_to_leave());
   guest_stop();
   cg2_threads_switch(tid);
   guest.sp = sp;
   guest.ip = cg2_now.stopped_at;
   run_on();
}

void guest_interrupt(Addr sp, Addr alt_start, Addr alt_end)
{
   tl_assert(!is_about_to_leave());
   guest_stop();
   cg2_handlers_begin(guest.ip, guest.sp, alt_start, alt_end);
   guest.sp = sp;
   guest.ip = 0;
   pending.begins = True;
}

void guest_resume(Addr sp)
{
   tl_assert(!is_about_to_leave());
   guest_stop();
   cg2_handlers_return();
   guest.sp = sp;
   guest.ip = cg2_now.stopped_at;
   run_on();
}

void guest_move(Addr sp, Addr ip)
{
   guest_stop();
   guest.sp = sp;
   guest.ip = ip;
   run_on();
}

void guest_forget(void)
{
   Bool runs_on = guest.runs_on;
   guest_stop();
   cg2_threads_end(1);
   cg2_threads_forked(1);
   VG_(memset)(&guest, 0, sizeof guest);
   guest.runs_on = runs_on;
   VG_(memset)(&pending, 0, sizeof pending);
   pending.begins = True;
}

/*--- Asking for what was counted ----------------------------------------*/

Context* guest_context(const Function* function, UInt level)
{
   for (Context* c = cg2_context_all(); c; c = c->next)
      if (c->function == function && c->min_active == level - 1 &&
          !c->separation->is_off)
         return c;
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
   ULong cost = context->skipped ? context->skipped[EVENT_IR] : 0;
   for (const Cells* cells = &context->own; cells; cells = cells->next)
      for (const Block* b = cells->home->blocks; b; b = b->next_of_home)
         cost += cost_of_block(cells, b);
   for (const Arc* arc = context->arcs; arc; arc = arc->next_of_caller)
      cost += cg2_arc_skipped(arc)[EVENT_IR];
   return cost;
}

/* The sums of all arcs from one context to another. */
typedef struct ArcSum {
   ULong count, inclusive, skipped;
} ArcSum;

static ArcSum sum_of_arcs(const Context* caller, const Context* callee)
{
   ArcSum sum = {0};
   const Arc* arc = caller ? caller->arcs : NULL;
   for (; arc; arc = arc->next_of_caller)
      if (arc->callee == callee) {
         sum.count += arc->count;
         sum.inclusive += arc->inclusive[EVENT_IR];
         sum.skipped += cg2_arc_skipped(arc)[EVENT_IR];
      }
   return sum;
}

ULong guest_calls(const Context* caller, const Context* callee)
{
   return sum_of_arcs(caller, callee).count;
}

ULong guest_inclusive(const Context* caller, const Context* callee)
{
   return sum_of_arcs(caller, callee).inclusive;
}

ULong guest_skipped(const Context* caller, const Context* callee)
{
   return sum_of_arcs(caller, callee).skipped;
}

UInt guest_count_arcs(const Context* caller)
{
   UInt n = 0;
   for (const Arc* arc = caller->arcs; arc; arc = arc->next_of_caller)
      if (arc->count || !cg2_cost_is_zero(cg2_arc_skipped(arc))) n++;
   return n;
}

/*--- What always holds --------------------------------------------------*/

static const char* stack_fault(void)
{
   const Stack* stack = &cg2_now.stack;
   UInt depth = cg2_stack_depth(stack);
   Cost total = cg2_now.account.total;
   cg2_cost_add_counted(total.of, cg2_now.regs.counters.of,
                        cg2_now.account.counted.of);
   if (stack->top > stack->limit) return "the stack is fuller than full";
   if (stack->base > depth) return "interrupted frames were left";
   for (UInt i = 1; i <= depth; i++) {
      const Frame* f = cg2_stack_frame(stack, i);
      if (!f->arc || !f->arc->callee) return "a frame of nothing";
      Bool is_off = cg2_now.collection.is_off;
      if (f->arc->callee->separation->is_off != is_off)
         return "a frame of the other twin";
      Bool is_settled = f <= stack->settled;
      if (!is_off && is_settled && f->start[EVENT_IR] > total.of[EVENT_IR])
         return "a frame from the future";
      if (f->arc->active != f->arc->callee->function->active)
         return "an arc counts frames of another function";
   }
   return NULL;
}

/* What cg2_probe_check() would find, for the home that runs, whatever it is. */
static const char* cells_fault(void)
{
   const Cells* current = cg2_now.current;
   Context* context = cg2_thread_context();
   if (!cg2_thread_has_arrived()) return NULL;
   if (!context) return "a home runs in no context";
   if (!cg2_cost_is_zero(cg2_now.account.skipped.of))
      return "a stub is not paid for";
   if (current->context != context) return "the context is not the top frame's";
   if (current != cg2_context_cells(context, current->home))
      return "the context has other cells for this home";
   if (cg2_now.regs.cells != current->counts) return "the cells are others";
   if (current->n < current->home->n_slots) return "the cells are too few";
   return NULL;
}

static const char* active_fault(void)
{
   UInt n = cg2_code.n_functions;
   Int* frames = calloc(n + 1, sizeof *frames);
   for (UInt i = cg2_stack_depth(&cg2_now.stack); i > 0; i--)
      frames[cg2_stack_frame(&cg2_now.stack, i)
                ->arc->callee->function->number]++;
   const char* fault = NULL;
   for (UInt f = 1; f <= n; f++)
      if (frames[f] != (Int)cg2_function_active(cg2_code.by_number[f]))
         fault = "active is not the number of frames";
   free(frames);
   return fault;
}

const char* guest_fault(void)
{
   if (!cg2_now.regs.exit) return NULL; /* no thread runs */
   const char* fault = stack_fault();
   if (!fault) fault = cells_fault();
   return fault ? fault : active_fault();
}

/* Events that are counted alike have the same sums. */
static Bool is_odd_cost(const ULong* cost)
{
   return cg2_events.n == GUEST_EVENTS &&
          (cost[EVENT_ALL] != cost[EVENT_IR] ||
           cost[EVENT_SIMULATED] != cost[EVENT_ODD] ||
           cost[EVENT_ODD] > cost[EVENT_IR]);
}

const char* guest_sum_fault(void)
{
   guest_stop();
   cg2_threads_flush();
   if (cg2_selection_count_blocks(0) != guest.blocks)
      return "the number of blocks is not how many ran";
   ULong self = 0;
   for (const Context* c = cg2_context_all(); c; c = c->next) {
      if (!c->separation->is_off) self += guest_self(c);
      for (const Arc* arc = c->arcs; arc; arc = arc->next_of_caller)
         if (!arc->exit->block)
            return "a call from nowhere";
         else if (is_odd_cost(arc->inclusive))
            return "a call's events were not counted alike";
   }
   return self == guest_total() ? NULL : "self costs are not the total";
}

ULong guest_total(void)
{
   guest_stop();
   return cg2_threads_sums(0).total.of[EVENT_IR];
}
