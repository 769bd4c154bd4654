/* Small programs, by name, each with calls of one kind. Constructors and
 * destructors tell nothing, as each has several symbols. */
#include "traced.h"

#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

extern "C" {
KEPT int leaf(int n)
{
   return n + 1;
}

/*--- Recursion ----------------------------------------------------------*/

KEPT int ackermann(int m, int n)
{
   if (m == 0) return leaf(n);
   return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

KEPT void recursion(void)
{
   ackermann(2, 2);
}

KEPT int one(int n);

KEPT int three(int n)
{
   return n > 0 ? one(n - 1) + leaf(n) : leaf(0);
}

KEPT int two(int n)
{
   return n % 4 ? three(n - 1) : one(n - 3);
}

KEPT int one(int n)
{
   return n > 0 ? two(n - 1) + two(n / 2) : 0;
}

KEPT void circles(void)
{
   one(13);
   two(9);
}

KEPT int down(int n)
{
   return n == 0 ? leaf(n) : down(n - 1) + 1;
}

KEPT void deep(void)
{
   down(200);
   down(3);
}

static int queens[6];

KEPT int is_safe(int row)
{
   for (int i = 0; i < row; i++)
      if (queens[i] == queens[row] || abs(queens[i] - queens[row]) == row - i)
         return 0;
   return 1;
}

KEPT int place(int row)
{
   int found = row == 6;
   for (int i = 0; row < 6 && i < 6; i++) {
      queens[row] = i;
      if (is_safe(row)) found += place(row + 1);
   }
   return found;
}

KEPT void search(void)
{
   place(3);
}

/*--- Calls through pointers ---------------------------------------------*/

KEPT int rising(const void* a, const void* b)
{
   return *(const int*)a - *(const int*)b;
}

KEPT int falling(const void* a, const void* b)
{
   return leaf(rising(b, a)) - 1;
}

KEPT void callbacks(void)
{
   int numbers[] = {5, 3, 8, 1, 9, 2, 7}, wanted = 8;
   qsort(numbers, 7, sizeof *numbers, falling);
   qsort(numbers, 7, sizeof *numbers, rising);
   bsearch(&wanted, numbers, 7, sizeof *numbers, rising);
}

typedef struct State {
   struct State (*next)(int n);
} State;

State begin(int n);
State middle(int n);

KEPT State middle(int n)
{
   leaf(n);
   return (State){n % 3 ? middle : begin};
}

KEPT State begin(int n)
{
   return (State){leaf(n) % 2 ? middle : begin};
}

KEPT void machine(void)
{
   State state = {begin};
   for (int i = 0; i < 20; i++)
      state = state.next(i);
}
}

class Shape
{
 public:
   SILENT Shape() {}
   virtual int area(int n) = 0;
};

class Square : public Shape
{
 public:
   SILENT Square() {}
   KEPT int area(int n) override { return leaf(n); }
};

class Pair : public Shape
{
 public:
   SILENT Pair(Shape* a, Shape* b) : first(a), second(b) {}
   KEPT int area(int n) override
   {
      return first->area(n) + second->area(n + 1);
   }

 private:
   Shape *first, *second;
};

extern "C" KEPT void virtuals(void)
{
   Square square;
   Pair inner(&square, &square), outer(&inner, &square);
   outer.area(1);
   inner.area(2);
}

/*--- Exceptions and jumps -----------------------------------------------*/

extern "C" KEPT void clean_up(void)
{
   leaf(2);
}

class Guard
{
 public:
   SILENT ~Guard() { clean_up(); }
};

extern "C" {
KEPT void thrower(int n)
{
   Guard guard;
   if (leaf(n) > 4) throw n;
   thrower(n + 1);
}

KEPT void catcher(int n)
{
   Guard guard;
   try {
      thrower(n);
   } catch (int caught) {
      leaf(caught);
      if (n % 2) throw;
   }
   leaf(n);
}

KEPT void exceptions(void)
{
   for (int i = 0; i < 5; i++)
      try {
         catcher(i);
      } catch (int caught) {
         leaf(caught);
      }
}

static jmp_buf way_out;

KEPT void jumper(int n)
{
   if (n == 0) longjmp(way_out, 1);
   jumper(n - 1);
   leaf(n);
}

KEPT void catches_jump(int n)
{
   volatile int depth = depths[number];
   if (!setjmp(way_out)) jumper(n);
   tell_depth(depth);
   leaf(n);
}

KEPT void jumps(void)
{
   for (int i = 0; i < 6; i++)
      catches_jump(i);
   leaf(0);
}

/*--- Tail calls ---------------------------------------------------------*/

SILENT KEPT int last(int n)
{
   tell_entered("last");
   return n;
}

SILENT KEPT int middle_tail(int n)
{
   tell_entered("middle_tail");
   return last(n + 1);
}

SILENT KEPT int first_tail(int n)
{
   tell_entered("first_tail");
   return n % 2 ? middle_tail(n + 1) : last(n);
}

KEPT void tails(void)
{
   int depth = depths[number];
   for (int i = 0; i < 5; i++) {
      first_tail(i);
      tell_depth(depth);
      leaf(i);
   }
}

/*--- Other stacks -------------------------------------------------------*/

static ucontext_t contexts[STACKS];
static int resumers[STACKS];

SILENT void resume(int coroutine)
{
   int own = resumers[coroutine] = number;
   number = coroutine;
   swapcontext(&contexts[own], &contexts[coroutine]);
   number = own;
}

SILENT void yield(void)
{
   int own = number;
   swapcontext(&contexts[own], &contexts[resumers[own]]);
   number = own;
}

SILENT void make(int coroutine, void (*body)(void))
{
   enum { SIZE = 1 << 16 };
   getcontext(&contexts[coroutine]);
   contexts[coroutine].uc_stack.ss_sp = malloc(SIZE);
   contexts[coroutine].uc_stack.ss_size = SIZE;
   makecontext(&contexts[coroutine], body, 0);
}

KEPT void produce(int n)
{
   leaf(n);
   if (n) produce(n - 1);
   yield();
}

KEPT void producer(void)
{
   for (;;)
      produce(3);
}

KEPT void consumer(void)
{
   for (int i = 0;; i++) {
      leaf(i);
      resume(1);
      yield();
   }
}

KEPT void coroutines(void)
{
   make(1, producer);
   for (int i = 0; i < 9; i++) {
      leaf(i);
      resume(1);
   }
}

KEPT void asks(int n)
{
   if (n) asks(n - 1);
   resume(2);
}

KEPT void nested(void)
{
   make(1, producer);
   make(2, consumer);
   asks(4);
   resume(2);
   leaf(0);
}

KEPT void handle(int n)
{
   if (n) handle(n - 1);
   leaf(n);
}

SILENT void on_signal(int)
{
   int own = number;
   number = STACKS - 1;
   handle(2);
   number = own;
}

KEPT void interrupted(int n)
{
   raise(SIGUSR1);
   if (n) interrupted(n - 1);
   leaf(n);
}

KEPT void handlers(void)
{
   signal(SIGUSR1, on_signal);
   interrupted(3);
}

/*--- Threads, beginning and end -----------------------------------------*/

KEPT void work(int n)
{
   for (int i = 0; i < n; i++)
      place(4 + i % 2);
}

SILENT void* worker(void* argument)
{
   number = *(int*)argument;
   work(number);
   return NULL;
}

KEPT void threads(void)
{
   static int numbers[] = {1, 2, 3};
   for (int& each : numbers) {
      pthread_t thread;
      pthread_create(&thread, NULL, worker, &each);
      leaf(each);
      pthread_join(thread, NULL);
   }
}

KEPT void farewell(void)
{
   down(2);
}

KEPT void greeting(void)
{
   down(1);
}

KEPT void ends(void)
{
   atexit(farewell);
   atexit(greeting);
   leaf(0);
}
}

static const struct {
   const char* name;
   void (*run)(void);
} programs[] = {
   {"recursion", recursion}, {"circles", circles},       {"deep", deep},
   {"search", search},       {"callbacks", callbacks},   {"machine", machine},
   {"virtuals", virtuals},   {"exceptions", exceptions}, {"jumps", jumps},
   {"tails", tails},         {"coroutines", coroutines}, {"nested", nested},
   {"handlers", handlers},   {"threads", threads},       {"ends", ends}};

SILENT int main(int argc, char** argv)
{
   for (const auto& program : programs)
      if (argc > 1 && !strcmp(program.name, argv[1])) program.run();
   return 0;
}
