#include "run/monitor.h"

#include "pub_tool_gdbserver.h"
#include "run/control.h"
#include "translate/instrument.h"

/* All replies go to who asked. */
#define reply VG_(gdb_printf)

static void print_help(void)
{
   reply("\ncg2 monitor commands:\n"
         "  dump [<dump_hint>]\n"
         "        dump counters\n"
         "  zero\n"
         "        zero counters\n"
         "  status\n"
         "        print status\n"
         "  instrumentation [on|off]\n"
         "        get/set (if on/off given) instrumentation state\n"
         "\n");
}

/*--- Status -------------------------------------------------------------*/

static void print_cost(const ULong* cost)
{
   for (UInt e = 0; e < cg2_event_count; e++)
      reply(" %llu", cost[e]);
   reply("\n");
}

static void print_frame(UInt tid, UInt i, const Frame* frame, const ULong* now)
{
   const Context* caller = cg2_arc_caller(frame->arc);
   if (!caller) return;
   Cost inclusive;
   cg2_cost_copy(inclusive.of, frame->arc->inclusive);
   cg2_cost_add_difference(inclusive.of, now, frame->start);
   reply("function-%u-%u: %s\n", tid, i, caller->name->text);
   reply("calls-%u-%u: %llu\n", tid, i, frame->arc->count);
   reply("events-%u-%u:", tid, i);
   print_cost(inclusive.of);
}

/* A frame is shown as a call by its caller; the innermost function is the last
 * line. */
static void print_thread(UInt tid, const Thread* t)
{
   UInt depth = cg2_stack_depth(&t->stack), n_calls = 0;
   for (UInt i = 1; i <= depth; i++)
      n_calls += cg2_arc_caller(cg2_stack_frame(&t->stack, i)->arc) != NULL;
   Cost own = cg2_thread_cost(t);
   reply("events-%u:", tid);
   print_cost(own.of);
   reply("collection-%u: %s\n", tid, t->collection.is_off ? "off" : "on");
   reply("frames-%u: %u\n", tid, n_calls);
   UInt n = 0;
   for (UInt i = 1; i <= depth; i++)
      if (cg2_arc_caller(cg2_stack_frame(&t->stack, i)->arc))
         print_frame(tid, n++, cg2_stack_frame(&t->stack, i),
                     t->account.total.of);
   if (depth)
      reply("function-%u-%u: %s\n", tid, n,
            t->stack.top->arc->callee->name->text);
}

static void print_threads(void)
{
   reply("threads:");
   for (UInt tid = 1; tid <= cg2_thread_last(); tid++)
      if (cg2_thread_get(tid)) reply(" %u", tid);
   reply("\ncurrent-tid: %u\n", cg2_thread_running());
   for (UInt tid = 1; tid <= cg2_thread_last(); tid++) {
      const Thread* t = cg2_thread_get(tid);
      if (t) print_thread(tid, t);
   }
}

static void print_internals(void)
{
   if (!cg2_instrument_is_on) {
      reply("instrumentation: off\n");
      return;
   }
   cg2_thread_flush();
   ThreadSums sums = cg2_thread_sums(0);
   reply("instrumentation: on\n");
   reply("executed-bbs: %llu\n", cg2_view_count_blocks(0) + sums.n_skips);
   reply("executed-calls: %llu\n", cg2_graph_count_calls());
   reply("distinct-bbs: %lu\n", cg2_blocks.all.n_nodes);
   reply("distinct-calls: %lu\n", cg2_graph_count_arcs());
   reply("distinct-functions: %u\n", cg2_context_count_functions());
   reply("distinct-contexts: %u\n", cg2_context_count());
   reply("events:");
   for (UInt e = 0; e < cg2_event_count; e++)
      reply(" %s", cg2_event_name(e));
   reply("\npart: %u\n", cg2_dump_count());
   print_threads();
}

static void print_status(void)
{
   if (!cg2_instrument_is_on) {
      reply("No status available as instrumentation is switched off\n");
      return;
   }
   UInt n = 0;
   for (UInt tid = 1; tid <= cg2_thread_last(); tid++)
      n += cg2_thread_get(tid) != NULL;
   reply("%u thread(s) running.\n", n);
}

/* `words` are what stands behind a command, or NULL. */

static void take_status(const HChar* words)
{
   if (!words)
      print_status();
   else if (VG_STREQ(words, "internal"))
      print_internals();
   else
      reply("status %s: expected status or status internal\n", words);
}

/*--- Commands -----------------------------------------------------------*/

static void take_zero(const HChar* words)
{
   if (words)
      reply("zero %s: expected zero alone\n", words);
   else
      cg2_dump_zero(DUMP_ALL);
}

static void take_instrumentation(const HChar* words)
{
   if (!words)
      reply("instrumentation: %s\n", cg2_instrument_is_on ? "on" : "off");
   else if (VG_STREQ(words, "on"))
      cg2_control_instrument(True);
   else if (VG_STREQ(words, "off"))
      cg2_control_instrument(False);
   else
      reply("instrumentation %s: expected on or off\n", words);
}

Bool cg2_monitor_command(const HChar* command)
{
   HChar* words = VG_(strdup)("cg2.monitor", command);
   HChar* rest;
   HChar* first = VG_(strtok_r)(words, " ", &rest);
   HChar* others = first ? VG_(strtok_r)(NULL, "", &rest) : NULL;
   Int n = first ? VG_(keyword_id)("help dump zero status instrumentation",
                                   first, kwd_report_duplicated_matches)
                 : -1;
   switch (n) {
   case 0:
      print_help();
      break;
   case 1:
      if (!cg2_dump_part(command, DUMP_ALL))
         reply("the part could not be written\n");
      break;
   case 2:
      take_zero(others);
      break;
   case 3:
      take_status(others);
      break;
   case 4:
      take_instrumentation(others);
      break;
   }
   VG_(free)(words);
   return n !=
          -1; /* -2: more than one command begins like this, which was said */
}
