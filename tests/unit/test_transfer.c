#include "check.h"
#include "engine/transfer.h"
#include "guest.h"

/*--- Classifying --------------------------------------------------------*/

/* Nothing is current: whatever comes starts a stack. */
static void test_start(void)
{
   for (UInt kind = EXIT_NONE; kind <= EXIT_RETURN; kind++)
      for (UInt flags = 0; flags < 16; flags++) {
         Arrival a = {.kind = kind,
                      .left_frames = flags & 1,
                      .jump.to_itself = flags >> 1 & 1,
                      .jump.to_entry = flags >> 2 & 1,
                      .jump.to_object = flags >> 3 & 1};
         CHECK_EQ(cg2_transfer_classify(&a), TRANSFER_START);
      }
}

/* A call is a call, wherever it goes. */
static void test_call(void)
{
   for (UInt flags = 0; flags < 16; flags++) {
      Arrival a = {.kind = EXIT_CALL,
                   .has_context = True,
                   .left_frames = flags & 1,
                   .jump.to_itself = flags >> 1 & 1,
                   .jump.to_entry = flags >> 2 & 1,
                   .jump.to_object = flags >> 3 & 1};
      CHECK_EQ(cg2_transfer_classify(&a), TRANSFER_CALL);
   }
}

/* Without a transfer nothing is called or left. */
static void test_no_transfer(void)
{
   for (UInt flags = 0; flags < 8; flags++) {
      Arrival a = {.kind = flags & 4 ? EXIT_START : EXIT_NONE,
                   .has_context = True,
                   .jump.to_itself = flags & 1,
                   .jump.to_entry = flags >> 1 & 1};
      CHECK_EQ(cg2_transfer_classify(&a), TRANSFER_STAY);
   }
}

typedef struct Row {
   const char* what;
   Bool left_frames, same_function, at_entry, elsewhere;
   Transfer expected;
} Row;

static void check_rows(ExitKind kind, const Row* rows, UInt n)
{
   for (UInt i = 0; i < n; i++) {
      Arrival a = {.kind = kind,
                   .has_context = True,
                   .left_frames = rows[i].left_frames,
                   .jump.to_itself = rows[i].same_function,
                   .jump.to_entry = rows[i].at_entry,
                   .jump.to_object = rows[i].elsewhere};
      check_equal(__FILE__, __LINE__, rows[i].what, cg2_transfer_classify(&a),
                  rows[i].expected);
   }
}

static void test_jumps(void)
{
   enum { No, Yes };
   static const Row rows[] = {
      {"inside a function", No, Yes, No, No, TRANSFER_STAY},
      {"to its own first instruction", No, Yes, Yes, No, TRANSFER_STAY},
      {"to itself by a stub", No, Yes, Yes, Yes, TRANSFER_CALL},
      {"into the middle of another", No, No, No, No, TRANSFER_STAY},
      {"a tail call", No, No, Yes, No, TRANSFER_CALL},
      {"a tail call to another object", No, No, Yes, Yes, TRANSFER_CALL},
      {"into code of another object", No, No, No, Yes, TRANSFER_CALL},
      {"longjmp", Yes, Yes, No, No, TRANSFER_RESUME},
      {"longjmp to a .cold half", Yes, No, No, No, TRANSFER_RESUME},
      {"longjmp to the first instruction", Yes, Yes, Yes, No, TRANSFER_RESUME},
      {"out of frames to a function", Yes, No, Yes, No, TRANSFER_REPLACE},
      {"resolver", Yes, No, Yes, Yes, TRANSFER_REPLACE},
   };
   check_rows(EXIT_JUMP, rows, sizeof rows / sizeof *rows);
}

static void test_returns(void)
{
   enum { No, Yes };
   static const Row rows[] = {
      {"to the caller", Yes, Yes, No, No, TRANSFER_RESUME},
      {"to a caller that runs in a .cold half", Yes, No, No, No,
       TRANSFER_RESUME},
      {"to a caller in another object", Yes, No, No, Yes, TRANSFER_RESUME},
      {"of the 32-bit resolver", Yes, No, Yes, Yes, TRANSFER_REPLACE},
      {"to a function, with a frame left", Yes, No, Yes, No, TRANSFER_REPLACE},
      {"as a jump inside a function", No, Yes, No, No, TRANSFER_STAY},
      {"as a jump to a function", No, No, Yes, No, TRANSFER_CALL},
      {"as a jump into the middle of another", No, No, No, No, TRANSFER_STAY},
   };
   check_rows(EXIT_RETURN, rows, sizeof rows / sizeof *rows);
}

/*--- Leaving ------------------------------------------------------------*/

/* A stack with frames at these addresses, the innermost last. */
static Stack stack_of(const Addr* sps, UInt n)
{
   Stack stack;
   cg2_stack_init(&stack);
   for (UInt i = 0; i < n; i++) {
      cg2_stack_grow(&stack);
      stack.top = cg2_frame_above(stack.top);
      stack.top->sp = sps[i];
   }
   return stack;
}

static UInt left_of(const Addr* sps, UInt n, UInt base, ExitKind kind, Addr sp)
{
   Stack stack = stack_of(sps, n);
   stack.base = base;
   UInt left = cg2_transfer_count_left(&stack, kind, sp);
   cg2_stack_free(&stack);
   return left;
}

static UInt left(UInt base, ExitKind kind, Addr sp)
{
   static const Addr sps[] = {900, 800, 700, 700, 600};
   return left_of(sps, 5, base, kind, sp);
}

/* A frame is gone when the stack pointer is above its return address. */
static void test_left_by_return(void)
{
   CHECK_EQ(left(0, EXIT_RETURN, 500), 0);
   CHECK_EQ(left(0, EXIT_RETURN, 600), 0);
   CHECK_EQ(left(0, EXIT_RETURN, 601), 1);
   CHECK_EQ(left(0, EXIT_RETURN, 700), 1);
   /* A tail call's frame is left together with its caller's. */
   CHECK_EQ(left(0, EXIT_RETURN, 708), 3);
   CHECK_EQ(left(0, EXIT_RETURN, 808), 4);
   CHECK_EQ(left(0, EXIT_RETURN, 5000), 5);
}

static void test_left_by_jump(void)
{
   CHECK_EQ(left(0, EXIT_JUMP, 700), 1);
   CHECK_EQ(left(0, EXIT_JUMP, 900), 4);
   CHECK_EQ(left(0, EXIT_NONE, 900), 4);
}

/* A call's return address lies where a frame of that very stack pointer had
 * its own, which is gone. */
static void test_left_by_call(void)
{
   Bool pushes = GUEST_CALL_PUSHES > 0;
   CHECK_EQ(left(0, EXIT_CALL, 592), 0);
   CHECK_EQ(left(0, EXIT_CALL, 600), pushes ? 1 : 0);
   CHECK_EQ(left(0, EXIT_CALL, 700), pushes ? 3 : 1);
   CHECK_EQ(left(0, EXIT_CALL, 701), 3);
}

/* Frames of interrupted code stay, and so does a root that cannot return. */
static void test_never_left(void)
{
   CHECK_EQ(left(2, EXIT_RETURN, 5000), 3);
   CHECK_EQ(left(5, EXIT_RETURN, 5000), 0);
   static const Addr rooted[] = {~(Addr)0, 800};
   CHECK_EQ(left_of(rooted, 2, 0, EXIT_JUMP, ~(Addr)0 - 1), 1);
   CHECK_EQ(left_of(rooted, 1, 0, EXIT_JUMP, ~(Addr)0), 0);
   CHECK_EQ(left_of(rooted, 0, 0, EXIT_JUMP, 5000), 0);
}

/*--- Leaving, where a call pushes nothing -------------------------------*/

/* a, which nobody called, has called b, b has called c, and c, before it moved
 * the stack pointer, d. Nobody has called e. */
enum { A, B, C, D, E, FUNCTIONS };

static Stack stack_of_calls(const Routine* routines)
{
   static const Addr sps[] = {~(Addr)0, 900, 800, 800};
   const Separation* apart = cg2_context_separation((Separation){.thread = 0});
   Stack stack = stack_of(sps, 4);
   for (UInt i = A; i <= D; i++) {
      const Routine* r = &routines[i];
      Context* context = cg2_context_get(r->function, 0, apart);
      cg2_stack_frame(&stack, i + 1)->arc =
         i == A
            ? cg2_graph_root(context)
            : cg2_graph_arc(guest_exit(routines[i - 1].call),
                            cg2_context_get(routines[i - 1].function, 0, apart),
                            context, r->entry);
   }
   return stack;
}

typedef struct Gone {
   const char* what;
   ExitKind kind;
   Addr sp;
   const Block* block;
   UInt base, by_sp, where_nothing_is_pushed;
} Gone;

static void check_gone(Stack* stack, const Gone* rows, UInt n)
{
   for (UInt i = 0; i < n; i++) {
      const Gone* r = &rows[i];
      stack->base = r->base;
      check_equal(__FILE__, __LINE__, r->what,
                  cg2_transfer_count_gone(stack, r->kind, r->sp, r->block),
                  GUEST_CALL_PUSHES ? r->by_sp : r->where_nothing_is_pushed);
   }
}

static void test_gone(void)
{
   static const HChar* const names[] = {"a", "b", "c", "d", "e"};
   Object* object = guest_object("gone");
   Routine r[FUNCTIONS];
   for (UInt i = A; i < FUNCTIONS; i++)
      r[i] = guest_routine(object, names[i]);
   Stack stack = stack_of_calls(r);
   const Gone rows[] = {
      {"d returns", EXIT_RETURN, 800, r[C].back, 0, 0, 1},
      {"d returns by a jump", EXIT_JUMP, 800, r[C].back, 0, 0, 1},
      {"d returns for c", EXIT_RETURN, 800, r[B].back, 0, 0, 2},
      {"c has left d and returns", EXIT_RETURN, 900, r[A].back, 0, 2, 3},
      {"c removes what b had put there", EXIT_RETURN, 900, r[B].back, 0, 2, 2},
      {"d jumps inside itself", EXIT_JUMP, 800, r[D].work, 0, 0, 0},
      {"longjmp to c", EXIT_JUMP, 800, r[C].work, 0, 0, 1},
      {"longjmp to b", EXIT_JUMP, 800, r[B].work, 0, 0, 2},
      {"longjmp to a", EXIT_JUMP, 900, r[A].work, 0, 2, 3},
      {"longjmp to a, elsewhere", EXIT_JUMP, 900, r[E].work, 0, 2, 3},
      {"an exception for b", EXIT_RETURN, 800, r[B].work, 0, 0, 2},
      {"d goes on elsewhere", EXIT_JUMP, 800, r[E].work, 0, 0, 0},
      {"a tail call of d", EXIT_JUMP, 800, r[E].entry, 0, 0, 0},
      {"a tail call of b again", EXIT_JUMP, 800, r[B].entry, 0, 0, 0},
      {"a tail call of c", EXIT_JUMP, 801, r[E].entry, 0, 2, 2},
      {"handlers that end", EXIT_RETURN, 800, r[E].entry, 2, 0, 2},
      {"a handler that jumps", EXIT_JUMP, 800, r[E].entry, 2, 0, 0},
      {"into interrupted code", EXIT_JUMP, 800, r[B].work, 2, 0, 0},
      {"a side exit", EXIT_NONE, 800, r[B].work, 0, 0, 0},
   };
   check_gone(&stack, rows, sizeof rows / sizeof *rows);
   /* The call of d is the last instruction of c, and e begins behind it. */
   guest_exit(r[C].call)->behind = r[E].entry->address;
   const Gone returns[] = {
      {"d returns to e", EXIT_RETURN, 800, r[E].entry, 0, 0, 1},
      {"d jumps to e", EXIT_JUMP, 800, r[E].entry, 0, 0, 0},
   };
   check_gone(&stack, returns, sizeof returns / sizeof *returns);
   cg2_stack_free(&stack);
}

/*--- The stack ----------------------------------------------------------*/

static Arc* new_arc(Function** callee)
{
   Object* object = guest_object("a");
   Routine caller = guest_routine(object, "caller");
   Routine r = guest_routine(object, "callee");
   *callee = r.function;
   return cg2_graph_arc(
      guest_exit(caller.call),
      cg2_context_get(caller.function, 0,
                      cg2_context_separation((Separation){.thread = 0})),
      cg2_context_get(r.function, 0,
                      cg2_context_separation((Separation){.thread = 0})),
      r.entry);
}

static Cost at(ULong n)
{
   return (Cost){.of = {[EVENT_IR] = n}};
}

static void push(Stack* stack, Arc* arc, Addr sp, ULong total)
{
   Cost now = at(total);
   cg2_stack_grow(stack);
   cg2_stack_push(stack, arc, sp, sp + 1, now.of);
}

static void pop(Stack* stack, ULong total)
{
   Cost now = at(total);
   cg2_stack_pop(stack, now.of);
}

static void test_empty(void)
{
   Stack stack;
   Long before = host.n_allocated;
   cg2_stack_init(&stack);
   CHECK_EQ(cg2_stack_depth(&stack), 0);
   CHECK_EQ(stack.base, 0);
   CHECK(stack.top == stack.limit);
   CHECK_EQ(stack.top->return_address, 0);
   CHECK_EQ(host.n_allocated, before);
   cg2_stack_free(&stack);
   CHECK_EQ(host.n_allocated, before);
}

/* A push counts a call; a pop adds what the call cost. */
static void test_push_and_pop(void)
{
   Function *f, *g;
   Arc *to_f = new_arc(&f), *to_g = new_arc(&g);
   Stack stack;
   cg2_stack_init(&stack);
   push(&stack, to_f, 900, 10);
   push(&stack, to_g, 800, 15);
   CHECK_EQ(cg2_stack_depth(&stack), 2);
   CHECK(stack.top->arc == to_g);
   CHECK_EQ(stack.top->sp, 800);
   CHECK_EQ(stack.top->return_address, 801);
   CHECK_EQ(cg2_function_active(f), 1);
   CHECK_EQ(cg2_function_active(g), 1);
   pop(&stack, 22);
   push(&stack, to_g, 800, 30);
   pop(&stack, 33);
   pop(&stack, 40);
   CHECK_EQ(cg2_stack_depth(&stack), 0);
   CHECK_EQ(to_g->count, 2);
   CHECK_EQ(to_g->inclusive[EVENT_IR], 7 + 3);
   CHECK_EQ(to_f->count, 1);
   CHECK_EQ(to_f->inclusive[EVENT_IR], 30);
   CHECK_EQ(cg2_function_active(f), 0);
   CHECK_EQ(cg2_function_active(g), 0);
}

/* All frames survive each growth of the stack. */
static void test_growth(void)
{
   enum { N = 100 * 1000 };
   Function* f;
   Arc* arc = new_arc(&f);
   Stack stack;
   Long before = host.n_allocated;
   cg2_stack_init(&stack);
   for (UInt i = 1; i <= N; i++)
      push(&stack, arc, 8 * (N - i), i);
   CHECK_EQ(cg2_function_active(f), N);
   CHECK_EQ(host.n_allocated, before + 1);
   for (UInt i = N; i >= 1; i--) {
      CHECK_EQ(stack.top->sp, 8 * (N - i));
      CHECK_EQ(stack.top->start[EVENT_IR], i);
      pop(&stack, N);
   }
   CHECK_EQ(arc->count, N);
   CHECK_EQ(arc->inclusive[EVENT_IR], (ULong)N * (N - 1) / 2);
   CHECK_EQ(cg2_function_active(f), 0);
   cg2_stack_free(&stack);
   CHECK_EQ(host.n_allocated, before);
}

/* A stack that does not run has no active frames. */
static void test_activate(void)
{
   Function *f, *g;
   Arc *to_f = new_arc(&f), *to_g = new_arc(&g);
   Stack stack;
   cg2_stack_init(&stack);
   for (UInt i = 0; i < 3; i++)
      push(&stack, to_f, 900, 0);
   push(&stack, to_g, 900, 0);
   cg2_stack_deactivate(&stack);
   CHECK_EQ(cg2_function_active(f), 0);
   CHECK_EQ(cg2_function_active(g), 0);
   cg2_stack_activate(&stack);
   CHECK_EQ(cg2_function_active(f), 3);
   CHECK_EQ(cg2_function_active(g), 1);
   CHECK_EQ(to_f->count, 3);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"start", test_start},
      {"call", test_call},
      {"no_transfer", test_no_transfer},
      {"jumps", test_jumps},
      {"returns", test_returns},
      {"left_by_return", test_left_by_return},
      {"left_by_jump", test_left_by_jump},
      {"left_by_call", test_left_by_call},
      {"never_left", test_never_left},
      {"gone", test_gone},
      {"empty", test_empty},
      {"push_and_pop", test_push_and_pop},
      {"growth", test_growth},
      {"activate", test_activate},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
