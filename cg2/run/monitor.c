#include "run/monitor.h"

#include "engine/collection.h"
#include "engine/threads.h"
#include "profile/callgrind/selection.h"
#include "profile/files/dump.h"
#include "profile/files/outfile.h"
#include "profile/files/perfmap.h"
#include "profile/hottest/ranking.h"
#include "pub_tool_gdbserver.h"
#include "run/control.h"
#include "run/guise.h"
#include "translate/translateconfig.h"

/* Prints to the vgdb or gdb that asked. */
#define reply VG_(gdb_printf)

static void print_help(void)
{
   reply("\n%s monitor commands:\n"
         "  dump [<dump_hint>]\n"
         "        dump counters\n"
         "  zero\n"
         "        zero counters\n"
         "  status\n"
         "        print status\n"
         "  top [<functions> [<event>]]\n"
         "        print the hottest functions since the last top; top 0 "
         "forgets it\n"
         "  instrumentation [on|off]\n"
         "        get/set (if on/off given) instrumentation state\n"
         "\n",
         cg2_guise_name());
}

/*--- Status -------------------------------------------------------------*/

static void print_cost(const ULong* cost)
{
   for (UInt e = 0; e < cg2_events.n; e++)
      reply(" %llu", cost[e]);
   reply("\n");
}

/* Prints an active function, number `i` of a thread. */
static void print_active(UInt tid, UInt i, const Context* context)
{
   reply("function-%u-%u: %s\n", tid, i, context->name->text);
   reply("object-%u-%u: %s\n", tid, i, context->function->object->name->text);
}

/* Prints one call on the stack as a call by its caller: how often it was made,
 * and what it cost so far. `now` is the total of the thread. */
static void print_frame(UInt tid, UInt i, const Frame* frame, const ULong* now)
{
   const Context* caller = cg2_arc_caller(frame->arc);
   if (!caller) return;
   Cost inclusive;
   cg2_cost_copy(inclusive.of, frame->arc->inclusive);
   cg2_cost_add_times(inclusive.of, now, frame->start, cg2_frame_calls(frame));
   print_active(tid, i, caller);
   reply("calls-%u-%u: %llu\n", tid, i, frame->arc->count);
   reply("events-%u-%u:", tid, i);
   print_cost(inclusive.of);
}

/* How many frames of a stack have a caller. */
static UInt count_calls(const Stack* stack)
{
   UInt n = 0;
   for (UInt i = 1; i <= cg2_stack_depth(stack); i++)
      n += cg2_arc_caller(cg2_stack_frame(stack, i)->arc) != NULL;
   return n;
}

/* Prints the calls on the stack of a thread, outermost first, and at last the
 * function that runs. */
static void print_stack(UInt tid, const Thread* t)
{
   UInt depth = cg2_stack_depth(&t->stack), n = 0;
   reply("frames-%u: %u\n", tid, count_calls(&t->stack));
   for (UInt i = 1; i <= depth; i++) {
      const Frame* frame = cg2_stack_frame(&t->stack, i);
      if (cg2_arc_caller(frame->arc))
         print_frame(tid, n++, frame, t->account.total.of);
   }
   if (depth) print_active(tid, n, t->stack.top->arc->callee);
}

static void print_thread(UInt tid, const Thread* t)
{
   Cost own = cg2_collection_cost(t);
   reply("events-%u:", tid);
   print_cost(own.of);
   reply("collection-%u: %s\n", tid, t->collection.is_off ? "off" : "on");
   print_stack(tid, t);
}

static void print_threads(void)
{
   reply("threads:");
   for (UInt tid = 1; tid <= cg2_threads_last(); tid++)
      if (cg2_threads_get(tid)) reply(" %u", tid);
   reply("\ncurrent-tid: %u\n", cg2_threads_running());
   for (UInt tid = 1; tid <= cg2_threads_last(); tid++) {
      const Thread* t = cg2_threads_get(tid);
      if (t) print_thread(tid, t);
   }
}

/* Prints how much the profile holds so far. */
static void print_sizes(void)
{
   ThreadSums sums = cg2_threads_sums(0);
   reply("executed-bbs: %llu\n", cg2_selection_count_blocks(0) + sums.n_skips);
   reply("executed-calls: %llu\n", cg2_graph_count_calls());
   reply("distinct-bbs: %lu\n", cg2_blocks.all.n_nodes);
   reply("distinct-calls: %lu\n", cg2_graph_count_arcs());
   reply("distinct-functions: %u\n", cg2_context_count_functions());
   reply("distinct-contexts: %u\n", cg2_context_count());
}

static void print_events(void)
{
   reply("events:");
   for (UInt e = 0; e < cg2_events.n; e++)
      reply(" %s", cg2_event_name(e));
   reply("\n");
}

static void print_internals(void)
{
   if (!cg2_translate_config.is_on) {
      reply("instrumentation: off\n");
      return;
   }
   cg2_threads_flush();
   reply("instrumentation: on\n");
   print_sizes();
   print_events();
   reply("part: %u\n", cg2_dump_count());
   print_threads();
}

static void print_status(void)
{
   if (!cg2_translate_config.is_on) {
      reply("No status available as instrumentation is switched off\n");
      return;
   }
   UInt n = 0;
   for (UInt tid = 1; tid <= cg2_threads_last(); tid++)
      n += cg2_threads_get(tid) != NULL;
   reply("%u thread(s) running.\n", n);
}

/*--- Hottest functions ----------------------------------------------------*/

static void print_key_cost(const HChar* key, UInt i, const ULong* cost)
{
   reply("%s-%u:", key, i);
   print_cost(cost);
}

static void print_function(UInt i, const RankedFunction* f)
{
   print_key_cost("self", i, f->self);
   print_key_cost("added", i, f->added);
   print_key_cost("inclusive", i, f->inclusive);
   reply("object-%u: %s\n", i, f->context->function->object->name->text);
   reply("function-%u: %s\n", i, f->context->name->text);
}

/* Prints `n` functions at most. */
static void print_ranking(const Ranking* r, UInt n)
{
   reply("instrumentation: %s\n", cg2_translate_config.is_on ? "on" : "off");
   print_events();
   reply("total:");
   print_cost(cg2_threads_sums(0).total.of);
   reply("added:");
   print_cost(r->added.of);
   if (r->has_before) reply("milliseconds: %u\n", r->milliseconds);
   reply("functions: %u\n", r->n);
   for (UInt i = 0; i < n && i < r->n; i++)
      print_function(i, &r->functions[i]);
}

static void print_hottest(UInt n, UInt event)
{
   cg2_threads_flush();
   cg2_perfmap_name_functions(False);
   Ranking ranking = cg2_ranking_make(event, VG_(read_millisecond_timer)());
   print_ranking(&ranking, n);
   cg2_ranking_free(&ranking);
}

/*--- Commands -----------------------------------------------------------*/

/* Writes a part, and says where. The text of the command becomes the part's
 * reason. */
static void obey_dump(const HChar* command)
{
   UInt n = cg2_profile_config.is_combined
               ? 0
               : cg2_outfile_count(&cg2_outfiles.profile);
   if (!cg2_dump_part(command, DUMP_ALL)) {
      reply("the part could not be written\n");
      return;
   }
   if (!cg2_outfile_is_announced(&cg2_outfiles.profile)) return;
   for (; n < cg2_outfile_count(&cg2_outfiles.profile); n++)
      reply("profile: %s\n", cg2_outfile_path(&cg2_outfiles.profile, n));
}

/* Each of the following obeys one command; `words` is the text behind its name,
 * or NULL. */

static void obey_status(const HChar* words)
{
   if (!words)
      print_status();
   else if (VG_STREQ(words, "internal"))
      print_internals();
   else
      reply("status %s: expected status or status internal\n", words);
}

static void obey_zero(const HChar* words)
{
   if (words)
      reply("zero %s: expected zero alone\n", words);
   else
      cg2_dump_zero(DUMP_ALL);
}

/* The event of this name; cg2_events.n: none. */
static UInt find_event(const HChar* name)
{
   UInt e = 0;
   while (e < cg2_events.n && !VG_STREQ(cg2_event_name(e), name))
      e++;
   return e;
}

static void obey_top(const HChar* words)
{
   enum { DEFAULT = 20 };
   const HChar* text = words ? words : "";
   HChar* event_name;
   Long n = VG_(strtoll10)(text, &event_name);
   Bool has_number = event_name != text;
   while (*event_name == ' ')
      event_name++;
   UInt event = *event_name ? find_event(event_name) : EVENT_IR;
   if (n < 0 || n > 1000000 || (*text && !has_number))
      reply("top %s: expected a number of functions, and an event\n", text);
   else if (event == cg2_events.n)
      reply("top %s: there is no event %s\n", text, event_name);
   else if (has_number && n == 0)
      cg2_ranking_forget();
   else
      print_hottest(has_number ? n : DEFAULT, event);
}

static void obey_instrumentation(const HChar* words)
{
   if (!words)
      reply("instrumentation: %s\n", cg2_translate_config.is_on ? "on" : "off");
   else if (VG_STREQ(words, "on"))
      cg2_control_instrument(True);
   else if (VG_STREQ(words, "off"))
      cg2_control_instrument(False);
   else
      reply("instrumentation %s: expected on or off\n", words);
}

/* In the order of COMMANDS; keyword_id has further answers. */
typedef enum Command {
   COMMAND_AMBIGUOUS = -2, /* more than one begins like this, which was said */
   COMMAND_UNKNOWN,
   COMMAND_HELP,
   COMMAND_DUMP,
   COMMAND_ZERO,
   COMMAND_STATUS,
   COMMAND_INSTRUMENTATION,
   COMMAND_TOP
} Command;

static const HChar COMMANDS[] = "help dump zero status instrumentation top";

/* `words` is the text behind the first word of `command`, or NULL. */
static void obey(Command n, const HChar* command, const HChar* words)
{
   switch (n) {
   case COMMAND_HELP:
      return print_help();
   case COMMAND_DUMP:
      return obey_dump(command);
   case COMMAND_ZERO:
      return obey_zero(words);
   case COMMAND_STATUS:
      return obey_status(words);
   case COMMAND_INSTRUMENTATION:
      return obey_instrumentation(words);
   case COMMAND_TOP:
      return obey_top(words);
   case COMMAND_AMBIGUOUS:
   case COMMAND_UNKNOWN:
      return;
   }
}

Bool cg2_monitor_command(const HChar* command)
{
   HChar* text = VG_(strdup)("cg2.monitor", command);
   HChar* rest;
   HChar* first = VG_(strtok_r)(text, " ", &rest);
   HChar* words = first ? VG_(strtok_r)(NULL, "", &rest) : NULL;
   Command n =
      first ? VG_(keyword_id)(COMMANDS, first, kwd_report_duplicated_matches)
            : COMMAND_UNKNOWN;
   obey(n, command, words);
   VG_(free)(text);
   return n != COMMAND_UNKNOWN;
}
