/* The checks of what always holds see what is wrong; the stand-in is unkind. */
#include "check.h"
#include "guest.h"

#include <string.h>

static Routine f, g;

static void begin(void)
{
   Object* app = guest_object("app");
   f = guest_routine(app, "f");
   g = guest_routine(app, "g");
   guest_switch(1, 0x1000);
   guest_run(f.entry);
   guest_call(&f, &g);
   CHECK(!guest_fault());
   CHECK(!guest_sum_fault());
}

static void check_fault(const char* expected)
{
   const char* fault = guest_fault();
   CHECK_TEXT(fault ? fault : "", expected);
}

static void check_sum_fault(const char* expected)
{
   const char* fault = guest_sum_fault();
   CHECK_TEXT(fault ? fault : "", expected);
}

static void test_stack(void)
{
   begin();
   cg2_now.stack.base = 3;
   check_fault("interrupted frames were left");
   cg2_now.stack.base = 0;
   cg2_now.stack.top->start[EVENT_IR] = 1000;
   check_fault("a frame from the future");
}

static void test_cells(void)
{
   begin();
   const Cells* right = cg2_now.current;
   Context* other = guest_context(f.function, 1);
   cg2_now.current = &other->own;
   check_fault("the context is not the top frame's");
   cg2_now.current = right;
   check_fault("");
   cg2_now.regs.cells = other->own.counts;
   check_fault("the cells are others");
   cg2_now.regs.cells = right->counts;
   g.function->n_slots = right->n + 1;
   check_fault("the cells are too few");
   Cells copy = *right;
   cg2_now.current = &copy;
   check_fault("the context has other cells for this home");
}

static void test_on_its_way(void)
{
   begin();
   Block* stub = guest_stub(f.function->object, 2);
   guest_run(g.call);
   guest_run(stub);
   guest_discard(g.work);
   guest_head_for(g.work->address);
   check_fault("");
   cg2_now.current = &guest_context(g.function, 1)->own;
   check_fault("a stub is not paid for");
   cg2_now.stack.base = cg2_stack_depth(&cg2_now.stack);
   check_fault("a home runs in no context");
}

static void test_active(void)
{
   begin();
   ++*g.function->active;
   check_fault("active is not the number of frames");
   --*g.function->active;
   *f.function->active = 0;
   check_fault("active is not the number of frames");
}

static void test_sums(void)
{
   begin();
   cg2_now.account.total.of[EVENT_IR]++;
   check_sum_fault("self costs are not the total");
   cg2_now.account.total.of[EVENT_IR]--;
   check_sum_fault("");
   guest_context(f.function, 1)->own.counts[f.work->slot + 1]++;
   check_sum_fault("self costs are not the total");
   cg2_now.account.total.of[EVENT_IR] += 7;
   check_sum_fault("");
   guest.blocks++;
   check_sum_fault("the number of blocks is not how many ran");
}

/*--- The stand-in -------------------------------------------------------*/

static void test_memory(void)
{
   UChar* p = VG_(malloc)("a", 100);
   CHECK(p[0] && p[99]);
   p[50] = 7;
   UChar* moved = VG_(realloc)("a", p, 100);
   CHECK(moved != p);
   CHECK_EQ(moved[50], 7);
   UChar* zero = VG_(calloc)("a", 10, 10);
   CHECK(!zero[0] && !zero[99]);
   VG_(free)(moved);
   VG_(free)(zero);
   CHECK_EQ(host.n_allocated, 0);
   CHECK_ASSERTS(VG_(free)(NULL));
   CHECK_ASSERTS(VG_(calloc)("a", ~0UL, 16));
   CHECK_ASSERTS(tl_assert(1 > 2));
}

static Int compare_tens(const void* a, const void* b)
{
   return *(const Int*)a / 10 - *(const Int*)b / 10;
}

/* Sorted, and equals in different orders. */
static void test_sort(void)
{
   UInt n_orders = 0;
   Int last = -1;
   for (host.order = 0; host.order < 20; host.order++) {
      Int numbers[] = {31, 20, 32, 21, 10, 33};
      VG_(ssort)(numbers, 6, sizeof *numbers, compare_tens);
      CHECK_EQ(numbers[0], 10);
      CHECK_EQ(numbers[1] + numbers[2], 41);
      CHECK_EQ(numbers[3] + numbers[4] + numbers[5], 96);
      if (numbers[3] != last) n_orders++;
      last = numbers[3];
   }
   CHECK(n_orders > 3);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"stack", test_stack},
      {"cells", test_cells},
      {"on_its_way", test_on_its_way},
      {"active", test_active},
      {"sums", test_sums},
      {"memory", test_memory},
      {"sort", test_sort},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
