/* Stacks that the program switches between: fibers MODE

   pairs     two coroutines on the heap, by swapcontext: main resumes each of
             them 10 times, which calls deep each time, and yields; both end
   direct    the same two resume each other, and main only the first
   local     the stacks are arrays in main's frame
   static    the stacks are static
   reused    20 coroutines, one after the other, on one stack; each calls leaf
   left      5 coroutines that are never resumed, on one stack
   nested    a coroutine that makes another one, of the same function
   unwound   a coroutine that calls longjmp inside itself, and main does too
   threads   two threads, each with two coroutines as in pairs
   moved     a coroutine that main's thread starts and another thread ends
   jumps     two coroutines as in pairs, by a routine that changes stacks by a
             jump, and begins them in the middle of another (not in 32-bit code) */

#include "counted.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { TURNS = 10, BYTES = 64 * 1024, SMALL = 16 * 1024 };

static volatile long state;

typedef struct Fiber {
   ucontext_t own, resumer;
   struct Fiber* other;
   void* stack;
   int turns;
} Fiber;

COUNTED void leaf(void)
{
   state++;
}

COUNTED void deep(int n)
{
   if (n > 1) deep(n - 1);
   leaf();
}

COUNTED void yield(Fiber* f)
{
   swapcontext(&f->own, &f->resumer);
}

COUNTED void resume(Fiber* f)
{
   swapcontext(&f->resumer, &f->own);
}

static Fiber* from_halves(unsigned high, unsigned low)
{
   return (Fiber*)(uintptr_t)((uint64_t)high << 32 | low);
}

/* Calls deep, and lets its resumer run, each time. */
COUNTED void first_body(unsigned high, unsigned low)
{
   Fiber* f = from_halves(high, low);
   for (int i = 0; i < f->turns; i++) {
      deep(3);
      yield(f);
   }
}

COUNTED void second_body(unsigned high, unsigned low)
{
   Fiber* f = from_halves(high, low);
   for (int i = 0; i < f->turns; i++) {
      deep(2);
      yield(f);
   }
}

/* Goes to the other one instead. */
COUNTED void direct_body(unsigned high, unsigned low)
{
   Fiber* f = from_halves(high, low);
   for (int i = 0; i < f->turns; i++) {
      deep(2);
      swapcontext(&f->own, &f->other->own);
   }
}

COUNTED void short_body(unsigned high, unsigned low)
{
   (void)high, (void)low;
   leaf();
}

typedef void Body(unsigned, unsigned);

static void prepare(Fiber* f, Body* body, int turns, void* stack, size_t bytes)
{
   memset(f, 0, sizeof *f);
   f->turns = turns;
   f->stack = stack;
   getcontext(&f->own);
   f->own.uc_stack.ss_sp = stack;
   f->own.uc_stack.ss_size = bytes;
   f->own.uc_link = &f->resumer;
   uint64_t address = (uintptr_t)f;
   makecontext(&f->own, (void (*)(void))body, 2, (unsigned)(address >> 32),
               (unsigned)address);
}

COUNTED void pairs_on(void* one, void* two, size_t bytes)
{
   Fiber first, second;
   prepare(&first, first_body, TURNS, one, bytes);
   prepare(&second, second_body, TURNS, two, bytes);
   for (int i = 0; i <= TURNS; i++) {
      resume(&first);
      resume(&second);
   }
}

static void pairs(void)
{
   void *one = malloc(BYTES), *two = malloc(BYTES);
   pairs_on(one, two, BYTES);
   free(one);
   free(two);
}

static void direct(void)
{
   Fiber first, second;
   prepare(&first, direct_body, TURNS, malloc(BYTES), BYTES);
   prepare(&second, direct_body, TURNS, malloc(BYTES), BYTES);
   first.other = &second;
   second.other = &first;
   resume(&first); /* which ends first, and goes on here */
   free(first.stack);
   free(second.stack);
}

COUNTED void local(void)
{
   char one[SMALL], two[SMALL];
   pairs_on(one, two, SMALL);
}

static void statics(void)
{
   static char one[SMALL], two[SMALL];
   pairs_on(one, two, SMALL);
}

static void reused(void)
{
   void* stack = malloc(BYTES);
   for (int i = 0; i < 20; i++) {
      Fiber f;
      prepare(&f, short_body, 0, stack, BYTES - 64 * i);
      resume(&f);
   }
   free(stack);
}

static void left(void)
{
   void* stack = malloc(BYTES);
   for (int i = 0; i < 5; i++) {
      Fiber f;
      prepare(&f, first_body, TURNS, stack, BYTES);
      resume(&f);
   }
   free(stack);
}

COUNTED void nested_body(unsigned high, unsigned low)
{
   Fiber* f = from_halves(high, low);
   leaf();
   if (f->turns > 1) {
      Fiber inner;
      void* stack = malloc(BYTES);
      prepare(&inner, nested_body, f->turns - 1, stack, BYTES);
      resume(&inner);
      yield(f);
      resume(&inner);
      free(stack);
   } else
      yield(f);
   leaf();
}

static void nested(void)
{
   Fiber f;
   prepare(&f, nested_body, 4, malloc(BYTES), BYTES);
   resume(&f);
   resume(&f);
   free(f.stack);
}

COUNTED void thrower(jmp_buf where, int n)
{
   if (n > 1) thrower(where, n - 1);
   leaf();
   longjmp(where, 1);
}

COUNTED void catcher(void)
{
   jmp_buf where;
   if (!setjmp(where)) thrower(where, 3);
   leaf();
}

COUNTED void unwound_body(unsigned high, unsigned low)
{
   Fiber* f = from_halves(high, low);
   catcher();
   yield(f);
   catcher();
}

static void unwound(void)
{
   Fiber f;
   prepare(&f, unwound_body, 0, malloc(BYTES), BYTES);
   catcher();
   resume(&f);
   catcher();
   resume(&f);
   free(f.stack);
}

COUNTED void* in_thread(void* nothing)
{
   pairs();
   return nothing;
}

static void threads(void)
{
   pthread_t one, two;
   pthread_create(&one, 0, in_thread, 0);
   pthread_create(&two, 0, in_thread, 0);
   pthread_join(one, 0);
   pthread_join(two, 0);
}

COUNTED void* finisher(void* fiber)
{
   resume(fiber);
   return 0;
}

static void moved(void)
{
   Fiber f;
   pthread_t thread;
   prepare(&f, first_body, 1, malloc(BYTES), BYTES);
   resume(&f);
   pthread_create(&thread, 0, finisher, &f);
   pthread_join(thread, 0);
   free(f.stack);
}

#if defined(__x86_64__) || defined(__aarch64__)
/* switch_to(save, to): stores where this stack goes on in *save, and goes on
   where `to` says. prepare_stack(top, body, argument): the same of a stack that
   will call body(argument). */
#ifdef __aarch64__
__asm__(".text\n"
        ".globl switch_to\n.type switch_to, @function\n"
        "switch_to:\n"
        "   stp x19, x20, [sp, #-32]!\n"
        "   stp x29, x30, [sp, #16]\n"
        "   mov x9, sp\n"
        "   str x9, [x0]\n"
        "   mov sp, x1\n"
        "   ldp x29, x8, [sp, #16]\n"
        "   ldp x19, x20, [sp], #32\n"
        "   br x8\n"
        ".size switch_to, . - switch_to\n"
        ".globl prepare_stack\n.type prepare_stack, @function\n"
        "prepare_stack:\n"
        "   adr x9, trampoline\n"
        "   stp x1, x2, [x0, #-32]!\n" /* to x19 and x20 */
        "   stp xzr, x9, [x0, #16]\n"
        "   ret\n"
        "trampoline:\n"
        "   mov x0, x20\n"
        "   br x19\n"
        ".size prepare_stack, . - prepare_stack\n");
enum { RETURN = 0 }; /* what a call pushes */
#else
__asm__(".text\n"
        ".globl switch_to\n.type switch_to, @function\n"
        "switch_to:\n"
        "   push %rbx\n   push %rbp\n   push %r12\n"
        "   mov %rsp, (%rdi)\n"
        "   mov %rsi, %rsp\n"
        "   pop %r12\n   pop %rbp\n   pop %rbx\n"
        "   pop %r8\n"
        "   jmp *%r8\n"
        ".size switch_to, . - switch_to\n"
        ".globl prepare_stack\n.type prepare_stack, @function\n"
        "prepare_stack:\n"
        "   lea trampoline(%rip), %rax\n"
        "   mov %rax, -8(%rdi)\n"
        "   mov %rsi, -16(%rdi)\n" /* to rbx */
        "   mov %rdx, -24(%rdi)\n" /* to rbp */
        "   lea -32(%rdi), %rax\n"
        "   ret\n"
        "trampoline:\n"
        "   mov %rbp, %rdi\n"
        "   jmp *%rbx\n"
        ".size prepare_stack, . - prepare_stack\n");
enum { RETURN = 8 };
#endif
void switch_to(void** save, void* to);
void* prepare_stack(void* top, void (*body)(void*), void* argument);

typedef struct Jumper {
   void *own, *resumer;
} Jumper;

COUNTED void jumping_body(void* argument)
{
   Jumper* j = argument;
   for (;;) {
      deep(3);
      switch_to(&j->own, j->resumer);
   }
}

COUNTED void jumps(void)
{
   static char stacks[2][SMALL] __attribute__((aligned(16)));
   Jumper j[2];
   for (int i = 0; i < 2; i++)
      j[i].own = prepare_stack(stacks[i] + SMALL - RETURN, jumping_body, &j[i]);
   for (int i = 0; i < 2 * TURNS; i++)
      switch_to(&j[i % 2].resumer, j[i % 2].own);
}
#else
static void jumps(void)
{
}
#endif

int main(int n, char** args)
{
   static const struct {
      const char* name;
      void (*run)(void);
   } modes[] = {{"pairs", pairs},     {"direct", direct}, {"local", local},
                {"static", statics},  {"reused", reused}, {"left", left},
                {"nested", nested},   {"unwound", unwound},
                {"threads", threads}, {"moved", moved},   {"jumps", jumps}};
   for (unsigned i = 0; n == 2 && i < sizeof modes / sizeof *modes; i++)
      if (strcmp(args[1], modes[i].name) == 0) {
         modes[i].run();
         return 0;
      }
   return 2;
}
