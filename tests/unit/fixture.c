#include "fixture.h"

#include "check.h"

Object* app;
Routine root, f, g, h;

void make_code(void)
{
   app = guest_object("app");
   root = guest_routine(app, "root");
   f = guest_routine(app, "f");
   g = guest_routine(app, "g");
   h = guest_routine(app, "h");
}

void start(void)
{
   guest_switch(1, STACK);
   guest_run(root.entry);
}

Context* at(const Routine* r, UInt level)
{
   return guest_context(r->function, level);
}

ULong self(const Routine* r)
{
   return guest_self(at(r, 1));
}

UInt depth(void)
{
   return cg2_stack_depth(&cg2_now.stack);
}

void check_all(void)
{
   const char* fault = guest_fault();
   CHECK_TEXT(fault ? fault : "", "");
   fault = guest_sum_fault();
   CHECK_TEXT(fault ? fault : "", "");
   CHECK_EQ(guest_total(), guest.executed);
}

void check_runs(const Routine* r)
{
   const Context* context = cg2_thread_context();
   CHECK(context && context->function == r->function);
}

void check_calls(const Context* caller,
                 const Context* callee,
                 ULong calls,
                 ULong inclusive)
{
   CHECK_EQ(guest_calls(caller, callee), calls);
   CHECK_EQ(guest_inclusive(caller, callee), inclusive);
}

void check_arc(const Routine* caller,
               const Routine* callee,
               ULong calls,
               ULong inclusive)
{
   check_calls(at(caller, 1), at(callee, 1), calls, inclusive);
}
