/* Random programs, and a model of what they do.
 *
 * The model knows what each step is: a call is a call because the program
 * calls, not because of what the stack pointer says. It keeps each thread's
 * open calls in a list and adds each cost to each of them, one by one. Then the
 * engine, which sees blocks, exits and stack pointers only, must have counted
 * the same.
 *
 * What programs do here: calls, also by stubs, into code without symbols and
 * into the middle of functions; returns, also such that remove arguments from
 * the stack; tail calls; jumps into the middle of
 * functions; exits that always lead to one place and exits that do not;
 * longjmp; the dynamic linker's resolver; signals, in handlers too and between
 * any two blocks, on the interrupted stack and on one of their own; siglongjmp;
 * threads that switch between any two blocks, end and begin; stacks that the
 * program switches between by itself, by return or jump, which begin, end, are
 * abandoned and used again, and go on in other threads; forks; code that looks
 * itself whether its cells count; code that is translated late, and
 * translations that go; dumps in between; counts that start from zero; costs
 * that are collected for a while, and then not.
 *
 * Where the engine can know what comes next when a block ends, it has to; where
 * it cannot, it is taken at its word that it does not (see settle()).
 *
 * A jump that leaves a call or makes one goes to another home: the engine does
 * not look at a jump inside a home. longjmp is a function of its own in libc,
 * and nobody jumps from the middle of another function to its beginning. */
#include "check.h"
#include "engine/collection.h"
#include "engine/fibers.h"
#include "engine/threads.h"
#include "guest.h"

#include <stdio.h>
#include <stdlib.h>

enum {
   N_FUNCTIONS = 20,
   N_IN_APP = 12, /* the others are in a library */
   LEVELS_MAX = 10,
   FUNCTIONS_MAX = 500, /* with those that code without symbols becomes */
   BLOCKS_MAX = 1000,
   ADDRESSES = 1 << 20,
   STUB_INSTRS = 2,
   DEPTH_WANTED = 40, /* beyond, nothing is called */
   DEPTH_MAX = 1000,
   HANDLERS_MAX = 3,
   THREADS = 3,
   THREAD_STACK = 0x100000, /* times thread: where its stack begins */
   ALT_BYTES = 0x10000,
   STACKS = 6,            /* that programs make themselves */
   STACK_BYTES = 0x40000, /* of each */
   FIRST_STACK = 0x2000000,
};

static UInt random_state;

static UInt below(UInt n)
{
   random_state ^= random_state << 13;
   random_state ^= random_state >> 17;
   random_state ^= random_state << 5;
   return (random_state >> 4) % n;
}

static Bool once_in(UInt n)
{
   return below(n) == 0;
}

/*--- The program --------------------------------------------------------*/

static Object *app, *library;
static Function* functions[N_FUNCTIONS];
static Routine resolver, restorer, switcher;
static Block *stub, *pushing_stub;
static UInt n_blocks;
static Block* blocks[BLOCKS_MAX];  /* 1 .. n_blocks */
static UShort index_at[ADDRESSES]; /* in `blocks`, by address / INSTR_BYTES */
static UInt levels;

static UInt index_of(Addr address)
{
   tl_assert(address / INSTR_BYTES < ADDRESSES);
   return index_at[address / INSTR_BYTES];
}

static Block* block_at(Addr address)
{
   UInt i = index_of(address);
   tl_assert(i > 0);
   return blocks[i];
}

static Block* entry_of(const Function* f)
{
   return block_at(f->offset);
}

static void keep(Block* block)
{
   tl_assert(n_blocks + 1 < BLOCKS_MAX && !index_of(block->address));
   blocks[++n_blocks] = block;
   index_at[block->address / INSTR_BYTES] = n_blocks;
}

static Function* random_function(void)
{
   return functions[below(N_FUNCTIONS)];
}

static Bool ends_in(const Block* block, ExitKind kind)
{
   return block->n_exits && guest_exit(block)->kind == kind;
}

/* Half of the exits lead to one place only. */
static void fix_or_not(Block* block)
{
   const Block* target = once_in(4) ? stub : entry_of(random_function());
   Bool is_jump_inside =
      ends_in(block, EXIT_JUMP) && target->home == block->home;
   if (once_in(2) && !is_jump_inside &&
       (target == stub || target->object == block->object))
      guest_fix(block, target);
}

static void add_random_block(Function* f)
{
   UInt n = 1 + below(9);
   switch (below(11)) {
   case 0:
      keep(guest_block_unnamed(f, n, EXIT_NONE));
      break;
   case 1:
      keep(guest_block_with_side(f, n, 3, EXIT_NONE));
      fix_or_not(blocks[n_blocks]);
      break;
   case 2:
      keep(guest_block(f, n, EXIT_JUMP));
      fix_or_not(blocks[n_blocks]);
      break;
   case 3:
      keep(guest_block(f, n, EXIT_RETURN));
      break;
   case 4:
      keep(guest_block(f, n, EXIT_CALL));
      fix_or_not(blocks[n_blocks]);
      keep(guest_block(f, 1, below(2) ? EXIT_NONE : EXIT_RETURN));
      break;
   case 5:
      keep(guest_block_unnamed(f, n, EXIT_CALL));
      keep(guest_block_unnamed(f, 1, EXIT_RETURN));
      break;
   case 6:
      keep(guest_block_guarded(f, n, EXIT_NONE));
      break;
   case 7:
      keep(guest_block_guarded(f, n, EXIT_JUMP));
      break;
   case 8:
      keep(guest_block_guarded(f, n, EXIT_CALL));
      keep(guest_block_guarded(f, 1, below(2) ? EXIT_JUMP : EXIT_RETURN));
      break;
   default:
      keep(guest_block(f, n, EXIT_NONE));
      break;
   }
}

static Function* new_function(Object* object)
{
   static const ExitKind entries[] = {EXIT_NONE, EXIT_NONE, EXIT_NONE,
                                      EXIT_RETURN, EXIT_CALL};
   static UInt n;
   HChar name[8];
   VG_(sprintf)(name, "f%u", n++);
   Function* f = guest_function(object, name);
   ExitKind kind = entries[below(5)];
   keep(guest_block(f, 3, kind));
   if (kind == EXIT_CALL) keep(guest_block(f, 1, EXIT_NONE));
   /* A return, so that nobody is stuck there. */
   keep(guest_block(f, 2, EXIT_RETURN));
   keep(guest_block(f, 2, EXIT_NONE));
   keep(guest_block_guarded(f, 2, EXIT_RETURN));
   keep(guest_block_guarded(f, 2, EXIT_JUMP));
   return f;
}

static void keep_routine(Routine* r)
{
   Block* all[] = {r->entry, r->call, r->back, r->work, r->jump, r->leave};
   for (UInt i = 0; i < 6; i++)
      keep(all[i]);
}

static void make_program(void)
{
   cg2_rules.standard.recursion_levels = levels;
   app = guest_object("app");
   library = guest_object("library");
   stub = guest_stub(app, STUB_INSTRS);
   pushing_stub = guest_stub(app, STUB_INSTRS);
   resolver = guest_routine(guest_object("linker"), "resolver");
   restorer = guest_routine(guest_object("libc"), "restorer");
   switcher = guest_routine(restorer.function->object, "switcher");
   keep_routine(&resolver);
   keep_routine(&restorer);
   keep_routine(&switcher);
   for (UInt i = 0; i < N_FUNCTIONS; i++)
      functions[i] = new_function(i < N_IN_APP ? app : library);
   for (UInt i = 0; i < 8 * N_FUNCTIONS; i++)
      add_random_block(functions[i % N_FUNCTIONS]);
}

/* A block of an object that is no entry and does not end as unwanted. With
 * `from`, a block that control can come to from there without an exit. */
static Block*
random_part(const Object* object, const Block* from, ExitKind unwanted)
{
   for (;;) {
      Block* b = blocks[1 + below(n_blocks)];
      Bool is_near = !from || (b->is_guarded == from->is_guarded &&
                               (b->is_guarded || b->home == from->home));
      if (b->object == object && !b->is_entry && !ends_in(b, unwanted) &&
          is_near)
         return b;
   }
}

/*--- What the model counts ----------------------------------------------*/

/* A context, by function and level; NOBODY is neither. */
typedef UInt Who;
enum { NOBODY = FUNCTIONS_MAX * LEVELS_MAX };

typedef struct Count {
   const Exit* exit;
   Who caller, callee;
   ULong calls, inclusive, skipped;
} Count;

enum { COUNTS_MAX = 1 << 17 };
static Count counts[COUNTS_MAX];
static UInt n_counts;
typedef ULong Executions[BLOCKS_MAX][2]; /* by block and segment */
static Executions* executions[NOBODY];
static ULong total, blocks_run;
static ULong not_collected; /* instructions that are in no context */

static Who who(const Function* f, UInt level)
{
   tl_assert(f->number < FUNCTIONS_MAX);
   return f->number * LEVELS_MAX + level - 1;
}

/* What it stands for in the engine. */
static Context* context_of(Who w)
{
   static Context* known[NOBODY];
   if (w == NOBODY) return NULL;
   UInt number = w / LEVELS_MAX;
   if (number == 0 || number > cg2_code.n_functions) return NULL;
   if (!known[w])
      known[w] = guest_context(cg2_code.by_number[number], w % LEVELS_MAX + 1);
   return known[w];
}

static Count* count_of(const Exit* exit, Who caller, Who callee)
{
   UWord i = ((UWord)exit >> 3) * 31 + caller * 977 + callee * 7919;
   for (;; i++) {
      Count* c = &counts[i % COUNTS_MAX];
      if (c->caller == caller && c->callee == callee && c->exit == exit &&
          (c->exit || c->caller == NOBODY))
         return c;
      if (!c->exit && c->caller != NOBODY) {
         tl_assert(++n_counts < COUNTS_MAX / 2);
         *c = (Count){.exit = exit, .caller = caller, .callee = callee};
         return c;
      }
   }
}

static void forget_counts(void)
{
   for (UInt i = 0; i < COUNTS_MAX; i++)
      counts[i].calls = counts[i].inclusive = counts[i].skipped = 0;
   for (Who w = 0; w < NOBODY; w++)
      if (executions[w]) VG_(memset)(executions[w], 0, sizeof(Executions));
   total = not_collected = blocks_run = 0;
   guest.executed = guest.blocks = 0;
}

/*--- Threads ------------------------------------------------------------*/

typedef enum Action {
   GO,      /* on in the same frame */
   START,   /* the stack's first block */
   ENTER,   /* a call: one more frame */
   LEAVE,   /* `frames` stay */
   REPLACE, /* the resolver's frame goes, another one comes in its place */
   SWITCH,  /* to another stack; what comes then is its `next` */
   GO_BACK, /* to what the handler interrupted */
   END,     /* of the thread */
} Action;

static const char* const action_names[] = {
   "going on",  "start",           "call",        "return or longjmp",
   "resolving", "changing stacks", "the handler", "the end"};

/* What a thread does next. */
typedef struct Next {
   Action action;
   Block* block;
   Exit* exit;                  /* ENTER */
   UInt frames;                 /* LEAVE */
   struct Coroutine* coroutine; /* SWITCH */
   Bool is_tail;                /* ENTER, by a jump: the frame below is gone */
   Bool by_stub, by_resolver;
   Bool is_done; /* what it does to the frames, as the block's exit told where
                    it leads */
   UInt skipped; /* so far */
   Addr sp;
} Next;

typedef struct Open {
   Count* count;
   Function* function;
   Who who;
   Addr sp, body_sp; /* of the return address; below the locals */
   Block* back;      /* where it returns to; NULL for roots and tail calls */
   Bool is_tail;
   Bool is_counted; /* as a call */
} Open;

typedef struct Handler {
   UInt base; /* frames that were interrupted */
   Next next; /* what was */
   Addr sp;
   Bool on_alt;
} Handler;

/* A stack that the program switches to; and a thread's own. */
typedef struct Coroutine {
   Addr top;  /* 0: a thread's own */
   Bool lies; /* something will go on there; then: */
   Open open[DEPTH_MAX];
   UInt depth;
   Next next;
   Bool was_off;
   Bool was_abandoned; /* at least once */
} Coroutine;

typedef struct Model {
   UInt tid;
   Coroutine own;        /* its own stack */
   Coroutine* coroutine; /* the stack that it runs on */
   Open open[DEPTH_MAX];
   UInt depth;
   Handler handlers[HANDLERS_MAX];
   UInt n_handlers;
   Next next;
   Bool is_off; /* nothing is collected */
} Model;

static Model threads[THREADS];
static Coroutine coroutines[STACKS];

static UInt base_of(const Model* t)
{
   return t->n_handlers ? t->handlers[t->n_handlers - 1].base : 0;
}

static Open* top_of(Model* t)
{
   tl_assert(t->depth > base_of(t));
   return &t->open[t->depth - 1];
}

static void begin(Model* t)
{
   UInt tid = t->tid;
   VG_(memset)(t, 0, sizeof *t);
   t->tid = tid;
   t->coroutine = &t->own;
   t->next = (Next){.action = START,
                    .block = entry_of(random_function()),
                    .sp = tid * THREAD_STACK};
}

/*--- Model: opening and closing calls -----------------------------------*/

static Who level_now(const Model* t, const Function* f)
{
   UInt active = 0;
   for (UInt i = 0; i < t->depth; i++)
      if (t->open[i].function == f) active++;
   return who(f, active < levels ? active + 1 : levels);
}

static void open_call(Model* t, const Next* n, Exit* exit, Who caller)
{
   tl_assert(t->depth < DEPTH_MAX);
   Function* f = cg2_block_called(n->block);
   Who callee = level_now(t, f);
   Open* o = &t->open[t->depth++];
   *o = (Open){.count = count_of(exit, caller, callee),
               .function = f,
               .who = callee,
               .sp = n->sp,
               .body_sp = n->sp,
               .is_tail = n->is_tail,
               .is_counted = !t->is_off};
   if (exit && exit->kind == EXIT_CALL)
      o->back = block_at(exit->return_address);
   if (n->by_resolver) o->body_sp = n->sp - 2 * WORD;
   if (t->is_off) return;
   o->count->calls++;
   o->count->skipped += n->skipped;
}

/* What went through a stub and never arrives: the caller pays, or, for a
 * handler that begins so, nobody does. */
static void lose(const Model* t, const Next* n)
{
   if (n->action == START) {
      *(t->is_off ? &not_collected : &total) -= n->skipped;
      guest.executed -= n->skipped;
   } else if (n->skipped && !t->is_off)
      count_of(n->exit, t->open[t->depth - 1].who, NOBODY)->skipped +=
         n->skipped;
}

/* Leaves all but `frames`, and the handlers above them. */
static void leave(Model* t, UInt frames)
{
   while (t->n_handlers && t->handlers[t->n_handlers - 1].base >= frames) {
      Handler* h = &t->handlers[--t->n_handlers];
      t->depth = h->base;
      lose(t, &h->next);
   }
   t->depth = frames;
}

static void replace(Model* t, const Next* n)
{
   Open resolving = *top_of(t);
   t->depth--;
   Next to = *n;
   to.is_tail = resolving.is_tail;
   open_call(t, &to, (Exit*)resolving.count->exit, resolving.count->caller);
}

/* A call counts if what is collected has any part in it. */
static void count_open(Model* t)
{
   for (UInt i = 0; i < t->depth; i++)
      if (!t->is_off && !t->open[i].is_counted) {
         t->open[i].is_counted = True;
         t->open[i].count->calls++;
      }
}

/* What comes next on it is chosen. */
static void stop(Model* t)
{
   Coroutine* c = t->coroutine;
   c->lies = c->next.action == LEAVE;
   c->was_abandoned = c->was_abandoned || !c->lies;
   c->depth = t->depth;
   c->was_off = t->is_off;
   VG_(memcpy)(c->open, t->open, t->depth * sizeof *t->open);
}

static void change_stack(Model* t, Coroutine* c)
{
   stop(t);
   t->coroutine = c;
   if (c->next.action == START) {
      t->depth = 0;
      open_call(t, &c->next, NULL, NOBODY);
      return;
   }
   t->depth = c->depth;
   VG_(memcpy)(t->open, c->open, t->depth * sizeof *t->open);
   count_open(t);
   leave(t, c->next.frames);
}

static void apply(Model* t, Next* n)
{
   if (n->is_done) return;
   n->is_done = True;
   switch (n->action) {
   case START:
      t->depth = base_of(t);
      open_call(t, n, NULL, NOBODY);
      break;
   case ENTER:
      open_call(t, n, n->exit, top_of(t)->who);
      break;
   case LEAVE:
      leave(t, n->frames);
      top_of(t)->body_sp = n->sp;
      break;
   case REPLACE:
      replace(t, n);
      break;
   case SWITCH:
      change_stack(t, n->coroutine);
      break;
   default:
      break;
   }
   n->skipped = 0;
}

static void spend(Model* t, ULong cost)
{
   *(t->is_off ? &not_collected : &total) += cost;
   if (t->is_off) return;
   for (UInt i = base_of(t); i < t->depth; i++)
      t->open[i].count->inclusive += cost;
}

static void count_run(Model* t, const Block* b, UInt n_segments)
{
   UInt i = index_of(b->address);
   Who w = top_of(t)->who;
   if (!executions[w]) executions[w] = calloc(1, sizeof(Executions));
   tl_assert(executions[w]);
   blocks_run++;
   for (UInt s = 0; s < n_segments; s++) {
      if (!t->is_off) (*executions[w])[i][s]++;
      spend(t, cg2_block_segments(b)[s]);
   }
}

/*--- Choosing what comes next -------------------------------------------*/

/* The frame that returns when the top one does: tail calls return together. */
static UInt returning(const Model* t)
{
   UInt i = t->depth - 1;
   while (t->open[i].is_tail)
      i--;
   return i;
}

/* Frames up to which a longjmp out of handler `h` may go: what was about to be
 * left when it came is dead. */
static UInt frames_alive(const Model* t, UInt h)
{
   const Next* n = &t->handlers[h].next;
   if (n->is_done) return t->handlers[h].base;
   if (n->action == LEAVE) return n->frames;
   if (n->action == SWITCH) return 0;
   if (n->action == START || n->action == END)
      return h ? t->handlers[h - 1].base : 0;
   Bool top_is_dead =
      n->action == REPLACE || (n->action == ENTER && n->is_tail);
   return t->handlers[h].base - top_is_dead;
}

/* A frame a longjmp can land in, as the number of frames that then stay; 0 if
 * there is none. A function that has tail-called another is no longer there. */
static UInt landing(const Model* t)
{
   UInt limit = t->depth - 1;
   if (limit == 0) return 0;
   UInt frames = 1 + below(limit);
   for (UInt h = 0; h < t->n_handlers; h++)
      if (frames <= t->handlers[h].base && frames > frames_alive(t, h))
         return 0;
   if (t->open[frames].is_tail) return 0;
   /* Not among the words that the stubs pushed for the resolver, nor where
      stacks are changed. */
   const Function* f = t->open[frames - 1].function;
   return f == resolver.function || f == switcher.function ? 0 : frames;
}

static Next go(Model* t, Block* block)
{
   return (Next){.action = GO, .block = block, .sp = top_of(t)->body_sp};
}

/* On in the code that runs or, by an exit, in other code of the object. */
static Next go_on(Model* t, const Block* from, const Exit* exit)
{
   static Block* const* const resolving[] = {&resolver.jump, &resolver.leave,
                                             &resolver.call};
   Function* f = top_of(t)->function;
   if (f == resolver.function) return go(t, *resolving[below(3)]);
   if (f == switcher.function)
      return go(t, once_in(2) ? switcher.jump : switcher.leave);
   Bool is_near = !exit || once_in(2);
   Bool can_begin_again =
      f->blocks && (exit || (from->home == f && !from->is_guarded));
   if (can_begin_again && once_in(30)) return go(t, entry_of(f));
   Bool is_deep = t->depth > below(DEPTH_WANTED);
   return go(t, random_part(f->object, is_near ? from : NULL,
                            is_deep ? EXIT_CALL : EXIT_RETURN));
}

static Block* random_callee(void)
{
   Function* f = random_function();
   return once_in(8) ? random_part(f->object, NULL, EXIT_CALL) : entry_of(f);
}

static Next enter(const Model* t, Exit* exit, Addr sp)
{
   Next n = {.action = ENTER,
             .exit = exit,
             .sp = sp,
             .is_tail = exit->kind == EXIT_JUMP};
   Addr fixed = guest_fixed_target(exit);
   n.by_stub = fixed ? fixed == stub->address : once_in(3);
   n.by_resolver = n.by_stub && once_in(3);
   n.block = n.by_resolver                  ? resolver.entry
             : n.by_stub                    ? entry_of(random_function())
             : fixed                        ? block_at(fixed)
             : !t->n_handlers && once_in(6) ? switcher.entry
                                            : random_callee();
   return n;
}

/* Whether a jump that goes there is a call. */
static Bool is_tail_call(Model* t, const Next* n, const Block* from)
{
   return n->by_stub || (n->block->is_entry && n->block->home != from->home &&
                         n->block->function != top_of(t)->function);
}

/* Whether a function runs a block, as cg2_context_runs() says. */
static Bool runs(const Function* f, const Block* b)
{
   return (b->function ? b->function : b->home) == f;
}

/* Whether a frame was entered with stack pointer `sp`, where that does not tell
 * whether the function goes on. */
static Bool is_level(const Open* o, Addr sp)
{
   return cg2_guest_is_open(o->sp, sp);
}

/* Whether control that goes on in the top frame, at `block`, by a computed jump
 * with stack pointer `sp`, may be taken to have left calls that were made with
 * that stack pointer. */
static Bool is_open(const Model* t, Addr sp, const Block* block)
{
   Bool is_own = runs(t->open[t->depth - 1].function, block);
   for (UInt i = t->depth; i > base_of(t) && is_level(&t->open[i - 1], sp); i--)
      if (t->open[i - 1].back == block ||
          (!is_own && i > 1 && runs(t->open[i - 2].function, block)))
         return True;
   return False;
}

/* Whether it is known that a longjmp leaves all but `frames` calls: the
 * function that goes on has moved its stack pointer, and a function that is
 * left has as well, or the block is run by the former only; and the block is
 * behind no call of those that would go on then. What handlers called does not
 * matter. */
static Bool is_known(const Model* t, UInt frames, const Block* block)
{
   const Open* to = &t->open[frames - 1];
   Bool is_lower = False, is_others = False;
   UInt depth = t->depth;
   if (GUEST_CALL_PUSHES) return True;
   for (UInt h = t->n_handlers; h > 0 && t->handlers[h - 1].base >= frames; h--)
      depth = t->handlers[h - 1].base;
   for (UInt i = frames; i < depth; i++) {
      const Open* o = &t->open[i];
      Bool is_level_or_next = !is_lower && o->sp <= to->body_sp;
      if (i > frames && o->back == block && is_level_or_next) return False;
      is_lower = is_lower || o->sp < to->body_sp;
      is_others = is_others || runs(o->function, block);
   }
   return to->sp != to->body_sp &&
          (is_lower || (runs(to->function, block) && !is_others));
}

static Next land(Model* t, UInt frames)
{
   const Open* o = &t->open[frames - 1];
   return (Next){.action = LEAVE,
                 .block = random_part(o->function->object, NULL, EXIT_CALL),
                 .frames = frames,
                 .sp = o->body_sp};
}

static Next finish_resolving(Model* t)
{
   return (Next){.action = REPLACE,
                 .block = entry_of(random_function()),
                 .sp = top_of(t)->sp};
}

/* Whether the engine looks at a jump. */
static Bool is_seen(const Block* from, const Block* to)
{
   return from->is_guarded || to->is_guarded || from->home != to->home;
}

static Next jump(Model* t, const Block* from, Exit* exit)
{
   Open* top = top_of(t);
   Bool is_fixed = guest_fixed_target(exit) != 0;
   if (top->function == resolver.function) return finish_resolving(t);
   if (is_fixed || (once_in(4) && t->depth < DEPTH_WANTED)) {
      Next n = enter(t, exit, top->sp);
      if (is_tail_call(t, &n, from)) return n;
      if (is_fixed) return go(t, n.block);
   }
   UInt frames = once_in(6) ? landing(t) : 0;
   if (frames) {
      Next n = land(t, frames);
      if (is_seen(from, n.block) && is_known(t, frames, n.block)) return n;
   }
   Next n;
   do
      n = go_on(t, from, exit);
   while (is_open(t, n.sp, n.block));
   return n;
}

/* How many bytes of arguments the function of frame `i` removes from the stack
 * of its caller when it returns. Where that leaves nothing there, and a frame
 * that was entered with the same stack pointer returns to the same place, it
 * could not be told from that. */
static Addr removed(const Model* t, UInt i)
{
   const Open *o = &t->open[i], *caller = &t->open[i - 1];
   Addr sp = cg2_guest_entry(caller->sp);
   const Function* f = caller->function;
   if (!once_in(6) || sp <= o->sp || f == resolver.function ||
       f == switcher.function)
      return 0;
   Addr bytes = WORD * below((sp - o->sp) / WORD + 1);
   for (UInt j = i - 1; j > base_of(t); j--)
      if (is_level(&t->open[j], o->sp + bytes) && t->open[j].back == o->back)
         return 0;
   return bytes;
}

static Next do_return(Model* t)
{
   UInt i = returning(t);
   const Open* o = &t->open[i];
   if (top_of(t)->function == resolver.function) return finish_resolving(t);
   if (!o->back && !t->n_handlers && t->coroutine != &t->own)
      return (Next){.action = START,
                    .block = once_in(2) ? switcher.entry : switcher.work,
                    .sp = o->sp + GUEST_CALL_PUSHES};
   if (!o->back && !t->n_handlers) return (Next){.action = END};
   if (o->back)
      return (Next){.action = LEAVE,
                    .block = o->back,
                    .frames = i,
                    .sp = o->sp + GUEST_CALL_PUSHES + removed(t, i)};
   return (Next){.action = START,
                 .block = restorer.entry,
                 .sp = o->sp + GUEST_CALL_PUSHES};
}

/*--- Changing stacks ----------------------------------------------------*/

/* The stack that a thread is on its way to; or NULL. */
static Coroutine* target(const Model* t)
{
   const Next* n = t->n_handlers ? &t->handlers[0].next : &t->next;
   return n->action == SWITCH && !n->is_done ? n->coroutine : NULL;
}

static Bool is_target(const Coroutine* c)
{
   for (UInt i = 0; i < THREADS; i++)
      if (target(&threads[i]) == c) return True;
   return False;
}

static Bool is_in_use(const Coroutine* c)
{
   for (UInt i = 0; i < THREADS; i++)
      if (threads[i].coroutine == c) return True;
   return c->lies || is_target(c);
}

/* Where a call pushes nothing: whether what goes on there does so where an
 * abandoned stack began, so that it may be taken for what lies on that. */
static Bool is_covered(const Coroutine* c)
{
   Addr sp = c->next.sp;
   for (UInt i = 0; i < cg2_fibers_count(); i++)
      if (cg2_guest_is_open(cg2_fibers_get(i)->start, sp) && sp != c->top)
         return True;
   return False;
}

/* A stack on which something can go on in this thread; or NULL. */
static Coroutine* random_stopped(Model* t)
{
   Coroutine* all[STACKS + 1];
   UInt n = 0;
   for (UInt i = 0; i < STACKS; i++)
      if (coroutines[i].lies && !is_covered(&coroutines[i]))
         all[n++] = &coroutines[i];
   if (t->own.lies) all[n++] = &t->own;
   return n ? all[below(n)] : NULL;
}

/* In the middle of a function: not of that which a thread begins with, so that
 * it cannot be taken for a longjmp, and not where a stack may be thought to lie
 * still. */
static Block* random_beginning(const Model* t, const Coroutine* c)
{
   Block* b = random_callee();
   Bool is_known = c->was_abandoned || runs(t->open[0].function, b);
   return is_known ? entry_of(random_function()) : b;
}

/* What begins there would be taken for a function that takes the place of the
 * one on top of an abandoned stack. */
static Bool is_top(Addr sp)
{
   for (UInt i = 0; i < cg2_fibers_count(); i++)
      if (cg2_fibers_get(i)->stack.top->sp == sp) return True;
   return False;
}

/* A stack on which nothing is, with something to begin there; or NULL. */
static Coroutine* random_new(const Model* t)
{
   UInt i = below(STACKS);
   Coroutine* c = &coroutines[i];
   if (is_in_use(c)) return NULL;
   c->top = FIRST_STACK + (i + 1) * STACK_BYTES - 8 * WORD * below(20);
   if (is_top(c->top)) return NULL;
   c->next =
      (Next){.action = START, .block = random_beginning(t, c), .sp = c->top};
   return c;
}

/* Leaves a function that changes stacks: its caller goes on, or another stack.
 * What a stack begins with does not return, but leaves it for ever. */
static Next leave_switcher(Model* t)
{
   Bool is_first = !t->open[returning(t)].back;
   if (is_first && t->coroutine == &t->own) return do_return(t);
   Coroutine* c = once_in(3) ? random_new(t) : NULL;
   if (!c) c = random_stopped(t);
   if (!c) return do_return(t);
   t->coroutine->next = is_first ? (Next){.action = END} : do_return(t);
   c->lies = False;
   return (Next){.action = SWITCH,
                 .block = c->next.block,
                 .coroutine = c,
                 .sp = c->next.sp};
}

static Next choose(Model* t, const Block* from, Exit* exit)
{
   if (from == restorer.entry) return (Next){.action = GO_BACK};
   Open* top = top_of(t);
   if (exit && top->function == switcher.function) return leave_switcher(t);
   switch (exit ? exit->kind : EXIT_NONE) {
   case EXIT_CALL:
      return enter(t, exit, cg2_guest_entry(top->body_sp));
   case EXIT_RETURN:
      return do_return(t);
   case EXIT_JUMP:
      return jump(t, from, exit);
   default:
      return go_on(t, from, NULL);
   }
}

/*--- Steps --------------------------------------------------------------*/

/* Where the stack pointer is when the block comes to its exit. */
static Addr sp_at_exit(Model* t, const Next* n, const Exit* exit)
{
   if (exit && exit->kind == EXIT_RETURN)
      return top_of(t)->function == resolver.function
                ? cg2_guest_entry(top_of(t)->sp)
                : t->open[returning(t)].sp;
   if (n->action == ENTER || n->action == REPLACE || n->action == START)
      return top_of(t)->body_sp;
   return n->sp;
}

static Bool is_wrong; /* and not going to get better */

/* The engine is where the model is. */
static void check_place(Model* t, const Next* n)
{
   Context* found = cg2_thread_context();
   /* If the two are the same, so are their twins. */
   if (found) found = cg2_context_twin(found, False);
   const Context* expected = context_of(top_of(t)->who);
   Bool agrees = found == expected &&
                 cg2_thread_context()->separation->is_off == t->is_off &&
                 cg2_stack_depth(&cg2_now.stack) == t->depth;
   CHECK(agrees);
   if (agrees) return;
   is_wrong = True;
   printf("   after %s: context %s, expected %s; %u frames, expected %u\n",
          action_names[n->action], found ? found->name->text : "none",
          expected ? expected->name->text : "none",
          cg2_stack_depth(&cg2_now.stack), t->depth);
}

/* The exit has told where it leads. The engine has taken it if it could know
 * whose cells count there: now, not when control gets there. */
static void settle(Model* t)
{
   Next* n = &t->next;
   if (!n->block || n->is_done || n->by_stub) return;
   if (!cg2_thread_has_arrived())
      CHECK(n->block->is_guarded || !cg2_block_translated(n->block->address));
   else {
      apply(t, n);
      check_place(t, n);
   }
}

static Addr address_of(const Next* n)
{
   return n->by_stub ? stub->address : n->block ? n->block->address : NOWHERE;
}

static void head_for_next(Model* t)
{
   guest_head_for(address_of(&t->next));
   settle(t);
}

/* A longjmp moves the stack pointer before its jump, a tail call as well; so
 * what comes next is chosen before the block has run. */
static void run(Model* t, const Next* n)
{
   Block* b = n->block;
   Bool by_side = b->n_segments == 2 && once_in(2);
   Exit* exit = by_side      ? &cg2_block_exits(b)[0]
                : b->n_exits ? guest_exit(b)
                             : NULL;
   if (exit && exit->kind == EXIT_JUMP && !by_side && b->n_segments == 2)
      exit = NULL; /* the side exit was passed */
   count_run(t, b, by_side ? 1 : b->n_segments);
   Open* top = top_of(t);
   Addr at_exit = sp_at_exit(t, n, exit);
   t->next = choose(t, b, exit);
   if (exit && exit->kind == EXIT_JUMP) at_exit = t->next.sp;
   Action action = t->next.action;
   if (exit && exit->kind == EXIT_RETURN &&
       (action == SWITCH || action == LEAVE))
      at_exit = cg2_guest_entry(t->next.sp);
   guest.sp = n->sp;
   guest_arrive(b);
   check_place(t, n);
   guest.sp = at_exit;
   if (by_side)
      guest_leave_by_side(b);
   else
      guest_leave(b);
   Bool has_entered =
      n->action == START || n->action == ENTER || n->action == REPLACE;
   if (has_entered && t->next.action == GO) {
      top->body_sp -= WORD * below(8);
      t->next.sp = top->body_sp;
   }
   head_for_next(t);
}

static void run_stub(Model* t, Next* n)
{
   guest.sp = n->sp;
   guest_run(stub);
   n->skipped += STUB_INSTRS;
   spend(t, STUB_INSTRS);
   if (n->by_resolver) {
      guest.sp -= 2 * WORD;
      guest_run(pushing_stub);
      n->skipped += STUB_INSTRS;
      spend(t, STUB_INSTRS);
   }
   n->by_stub = False;
   head_for_next(t);
}

static void go_back(Model* t)
{
   Handler* h = &t->handlers[--t->n_handlers];
   t->depth = h->base;
   t->next = h->next;
   guest_resume(h->sp);
   settle(t);
}

static void abandon(Coroutine* c)
{
   c->lies = False;
   c->was_abandoned = True;
}

/* With a thread goes the stack that it is on, and that it is on its way to. */
static void begin_again(Model* t)
{
   Coroutine* to = target(t);
   abandon(t->coroutine);
   if (to) abandon(to);
   leave(t, 0);
   begin(t);
}

static void end_thread(Model* t)
{
   lose(t, &t->next);
   cg2_threads_end(t->tid);
   begin_again(t);
}

static void switch_to(Model* t)
{
   guest_switch(t->tid, t->next.sp);
   if (guest.ip == 0)
      head_for_next(t);
   else
      settle(t);
}

static void step(Model* t)
{
   if (t->next.action == GO_BACK)
      go_back(t);
   else if (t->next.action == END)
      end_thread(t);
   else if (t->next.by_stub)
      run_stub(t, &t->next);
   else {
      Next n = t->next;
      apply(t, &n);
      run(t, &n);
   }
}

/*--- What happens between steps -----------------------------------------*/

/* What was spent in stubs when a signal came is put down when the call goes on,
 * or is left. When all ends before that, it may be lost. */
static Bool is_in_doubt(void)
{
   for (UInt i = 0; i < THREADS; i++)
      for (UInt h = 0; h < threads[i].n_handlers; h++)
         if (threads[i].handlers[h].next.skipped) return True;
   return False;
}

static Bool is_on_alt(const Model* t)
{
   for (UInt h = 0; h < t->n_handlers; h++)
      if (t->handlers[h].on_alt) return True;
   return False;
}

/* The alternate stack of a thread, below its stack or above it. */
static Addr alt_of(const Model* t)
{
   return t->tid * THREAD_STACK + (t->tid % 2 ? 0x10000 : -0x80000);
}

/* The handler that comes next pays for the stub that another one, which is
 * interrupted there, begins by. */
static UInt taken_over(Next* interrupted)
{
   UInt skipped = interrupted->action == START ? interrupted->skipped : 0;
   interrupted->skipped -= skipped;
   return skipped;
}

static void deliver_signal(Model* t)
{
   if (t->n_handlers == HANDLERS_MAX) return;
   Handler* h = &t->handlers[t->n_handlers++];
   *h = (Handler){.base = t->depth, .next = t->next};
   h->on_alt = !is_on_alt(t) && once_in(2);
   Addr sp = t->next.sp;
   if (t->next.by_resolver && !t->next.by_stub) sp -= 2 * WORD;
   if (t->next.action == GO_BACK || t->next.action == END)
      sp = t->open[t->depth - 1].sp;
   Addr start = h->on_alt ? alt_of(t) : 0;
   Addr end = h->on_alt ? start + ALT_BYTES : 0;
   h->sp = guest.sp = sp;
   t->next = (Next){.action = START,
                    .block = entry_of(random_function()),
                    .by_stub = once_in(4),
                    .skipped = taken_over(&h->next),
                    .sp = (h->on_alt ? end : sp) - 0x400};
   guest_interrupt(t->next.sp, start, end);
   head_for_next(t);
}

/* A dump puts down what was spent in stubs on the way of calls that have not
 * arrived. */
static void lose_pending(Model* t)
{
   lose(t, &t->next);
   t->next.skipped = 0;
}

/* Open calls count as called from zero on. */
static void count_from_zero(Open* open, UInt depth, Bool is_off)
{
   for (UInt i = 0; i < depth; i++) {
      open[i].is_counted = !is_off;
      if (!is_off) open[i].count->calls++;
   }
}

static void start_from_zero(Model* t)
{
   count_from_zero(t->open, t->depth, t->is_off);
   t->next.skipped = 0;
   for (UInt h = 0; h < t->n_handlers; h++)
      t->handlers[h].next.skipped = 0;
}

static Bool is_stopped(const Coroutine* c)
{
   return c->lies || (is_target(c) && c->next.action == LEAVE);
}

static void start_stopped_from_zero(void)
{
   for (UInt i = 0; i < STACKS + THREADS; i++) {
      Coroutine* c = i < STACKS ? &coroutines[i] : &threads[i - STACKS].own;
      if (is_stopped(c)) count_from_zero(c->open, c->depth, c->was_off);
   }
}

/* The engine does not know yet that nothing goes on there. It would count the
 * calls that are open. */
static void drop_abandoned(void)
{
   cg2_threads_flush();
   for (UInt i = 0; i < cg2_fibers_count(); i++) {
      Fiber* f = cg2_fibers_get(i);
      Bool is_known = f->is_running || f->is_own;
      for (UInt c = 0; c < STACKS; c++)
         is_known = is_known || (coroutines[c].top == f->start &&
                                 is_stopped(&coroutines[c]));
      if (!is_known) {
         cg2_fibers_drop(f);
         i--;
      }
   }
}

static void fork_in(Model* t)
{
   for (UInt i = 0; i < THREADS; i++)
      if (&threads[i] != t) {
         begin_again(&threads[i]);
      }
   drop_abandoned();
   cg2_threads_forked(t->tid);
   forget_counts();
   start_from_zero(t);
   start_stopped_from_zero();
}

static void zero_all(void)
{
   drop_abandoned();
   cg2_threads_zero(0);
   forget_counts();
   for (UInt i = 0; i < THREADS; i++)
      start_from_zero(&threads[i]);
   start_stopped_from_zero();
}

/* What was spent in stubs on the way is of what was before. */
static void switch_collection(Model* t)
{
   UInt depth = t->depth;
   lose_pending(t);
   for (UInt h = t->n_handlers; h > 0; h--) {
      t->depth = t->handlers[h - 1].base;
      lose(t, &t->handlers[h - 1].next);
      t->handlers[h - 1].next.skipped = 0;
   }
   t->depth = depth;
   t->is_off = !t->is_off;
   cg2_collection_switch(!t->is_off);
   count_open(t);
}

/*--- Comparing ----------------------------------------------------------*/

static void check_count(const Count* c)
{
   const Context *caller = context_of(c->caller),
                 *callee = context_of(c->callee);
   Bool exists = callee || c->callee == NOBODY; /* else never collected */
   const Arc* arc = !exists               ? NULL
                    : c->caller == NOBODY ? cg2_graph_root((Context*)callee)
                    : caller              ? guest_arc(c->exit, caller, callee)
                                          : NULL;
   CHECK_EQ(arc ? arc->count : 0, c->calls);
   CHECK_EQ(arc ? arc->inclusive[EVENT_IR] : 0, c->inclusive);
   const ULong* skipped = c->caller == NOBODY && callee ? callee->skipped
                          : arc                         ? cg2_arc_skipped(arc)
                                                        : NULL;
   CHECK_EQ(skipped ? skipped[EVENT_IR] : 0, c->skipped);
}

static void check_executions(Who w)
{
   const Context* context = context_of(w);
   for (UInt b = 1; b <= n_blocks; b++)
      for (UInt s = 0; s < blocks[b]->n_segments; s++) {
         ULong expected = executions[w] ? (*executions[w])[b][s] : 0;
         CHECK_EQ(guest_count(context, blocks[b], s), expected);
      }
}

/* No call that the model knows nothing of. */
static void check_nothing_else(void)
{
   ULong in_model = 0, in_engine = 0;
   for (UInt i = 0; i < COUNTS_MAX; i++)
      if (counts[i].caller != NOBODY) in_model += counts[i].calls;
   for (const Context* c = cg2_context_all(); c; c = c->next)
      for (const Arc* arc = c->arcs; arc; arc = arc->next_of_caller)
         if (!c->separation->is_off) in_engine += arc->count;
   CHECK_EQ(in_engine, in_model);
}

static void compare(void)
{
   for (UInt i = 0; i < THREADS; i++)
      lose_pending(&threads[i]);
   const char* fault = guest_sum_fault();
   CHECK_TEXT(fault ? fault : "", "");
   CHECK_EQ(guest_total(), total);
   CHECK_EQ(guest.executed, total + not_collected);
   CHECK_EQ(guest.blocks, blocks_run);
   for (UInt i = 0; i < COUNTS_MAX; i++)
      if (counts[i].exit || counts[i].caller == NOBODY) check_count(&counts[i]);
   for (Who w = 0; w < NOBODY; w++)
      if (executions[w] || context_of(w)) check_executions(w);
   check_nothing_else();
}

/*--- Running ------------------------------------------------------------*/

static void check_step(void)
{
   const char* fault = guest_fault();
   CHECK_TEXT(fault ? fault : "", "");
   if (fault) is_wrong = True;
}

/* CG2_TEST_TRACE=1 shows the steps. */
static void trace(UInt i, const Model* t)
{
   static Int wanted = -1;
   if (wanted < 0) wanted = getenv("CG2_TEST_TRACE") != NULL;
   if (!wanted) return;
   const Block* b = t->next.block;
   printf("%u: thread %u, %u frames, %u handlers: %s, 0x%lx of %s, sp 0x%lx"
          "%s%s%s\n",
          i, t->tid, t->depth, t->n_handlers, action_names[t->next.action],
          b ? b->address : 0, b ? b->home->name->text : "nothing", t->next.sp,
          t->next.by_stub ? ", by a stub" : "",
          t->next.by_resolver ? ", by the resolver" : "",
          t->next.is_done ? ", done" : "");
}

static void run_program(UInt seed, UInt recursion_levels, UInt n_steps)
{
   random_state = 2654435769U * seed;
   levels = recursion_levels;
   make_program();
   for (UInt i = 0; i < THREADS; i++) {
      threads[i].tid = i + 1;
      begin(&threads[i]);
   }
   Model* t = &threads[0];
   UInt n_since = 0; /* steps since all was compared */
   for (UInt i = 0; i < n_steps; i++) {
      if (once_in(20)) t = &threads[below(THREADS)];
      switch_to(t);
      if (once_in(300)) deliver_signal(t);
      if (once_in(5000) && !is_in_doubt()) end_thread(&threads[below(THREADS)]);
      if (once_in(1000)) abandon(&coroutines[STACKS / 2 + below(STACKS / 2)]);
      if (once_in(30000)) fork_in(t);
      if (once_in(20000)) zero_all();
      if (once_in(t->is_off ? 20 : 100) && cg2_threads_is_running(t->tid))
         switch_collection(t);
      if (once_in(200) && n_blocks < BLOCKS_MAX - 10)
         add_random_block(random_function());
      if (once_in(20)) guest_discard(blocks[1 + below(n_blocks)]);
      if (once_in(200)) guest_discard(stub);
      switch_to(t);
      trace(i, t);
      cg2_engine_config.is_plain = once_in(2); /* which must not matter */
      step(t);
      check_step();
      if (is_wrong) return;
      n_since++;
      if (n_since < 10000 || is_in_doubt()) continue;
      compare();
      n_since = 0;
   }
}

static void run_seed(UInt seed, UInt recursion_levels)
{
   run_program(seed, recursion_levels, check_rounds(50 * 1000));
}

static void test_1_level(void)
{
   run_seed(1, 1);
}
static void test_2_levels(void)
{
   run_seed(2, 2);
}
static void test_3_levels(void)
{
   run_seed(3, 3);
}
static void test_10_levels(void)
{
   run_seed(4, 10);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"1_level", test_1_level},
      {"2_levels", test_2_levels},
      {"3_levels", test_3_levels},
      {"10_levels", test_10_levels},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
