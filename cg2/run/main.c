/* cg2: a Valgrind tool that counts instructions per line, function and call.
 *
 * The life of the tool: `wire` is called first of all, `start` when the options
 * are read, `finish` when the program has ended. What comes in between is in
 * cg2_instrument, which sees each new block of code, and in run/hooks.h. */

#include "code/nearest.h"
#include "code/rules.h"
#include "data/heap/allocators.h"
#include "engine/arrival.h"
#include "engine/probe.h"
#include "engine/thread.h"
#include "events/accesses.h"
#include "profile/files/dump.h"
#include "profile/files/perfmap.h"
#include "pub_tool_options.h"
#include "pub_tool_tooliface.h"
#include "repeat/repeat.h"
#include "repeat/repeatconfig.h"
#include "run/control.h"
#include "run/guise.h"
#include "run/hooks.h"
#include "run/inlined.h"
#include "run/options.h"
#include "run/requests.h"
#include "run/session.h"
#include "run/setup.h"
#include "run/summary.h"
#include "translate/instrument.h"

static void describe(void)
{
   VG_(details_name)("cg2");
   VG_(details_version)(CG2_VERSION);
   VG_(details_description)("a call-graph generating profiler");
   VG_(details_copyright_author)(
      "Copyright (C) 2026, and GNU GPL'd, by the cg2 authors.");
   VG_(details_bug_reports_to)("the cg2 authors");
   VG_(details_avg_translation_sizeB)(350);
}

/* Has VEX hand over each basic block as it is, with the stack pointer up to
 * date at each access to memory. */
static void set_valgrind_defaults(void)
{
   VG_(clo_vex_control).iropt_unroll_thresh = 0;
   VG_(clo_vex_control).guest_chase = False;
   VG_(clo_vex_control).iropt_register_updates_default =
      VG_(clo_px_file_backed) = VexRegUpdSpAtMemAccess;
}

static void entering(const Function* function, const Exit* exit)
{
   if (function->rules->allocator) cg2_allocators_entering(function, exit);
   cg2_control_entering(function);
}

static void left(const Function* function)
{
   if (function->rules->allocator) cg2_allocators_left(function);
   cg2_control_left(function);
}

/* Has the engine tell `control` when a watched function is entered or left, and
 * when as many blocks have run as --dump-every-bb says. */
static void connect_control(void)
{
   cg2_engine_config.left = left;
   cg2_engine_config.entering = entering;
   cg2_engine_config.found = cg2_control_found;
   cg2_engine_config.due = cg2_control_due;
   cg2_engine_config.dump_every = cg2_run_config.dump_every;
   cg2_thread_set_until_dump(cg2_run_config.dump_every);
}

static void start(void)
{
   cg2_session_begin();
   cg2_setup_start();
   connect_control();
   cg2_dump_begin_process();
   if (cg2_repeat_config.is_on) cg2_repeat_start();
   cg2_perfmap_begin_process();
   cg2_guise_greet();
   if (VG_(clo_verbosity) > 1 && cg2_rules_any()) cg2_inlined_read();
}

static void print_near(const Name* const near[], UInt n)
{
   for (UInt i = 0; i < n; i++)
      VG_(umsg)("%s %s", i ? "," : "; near to it:", near[i]->text);
}

static void print_inlined(const InlinedPlace* places, UInt n)
{
   for (UInt i = 0; i < n && i < INLINED_PLACES_MAX; i++)
      VG_(umsg)("%s %s", i ? "," : "; it was inlined in", places[i].text);
   if (n > INLINED_PLACES_MAX) VG_(umsg)(" and elsewhere");
}

static void print_function_unmatched(const HChar* pattern)
{
   InlinedPlace places[INLINED_PLACES_MAX];
   const Name* near[NEAREST_MAX];
   UInt n = cg2_inlined_find(pattern, places);
   VG_(umsg)(": no function of this name was seen");
   if (n)
      print_inlined(places, n);
   else
      print_near(near, cg2_nearest_find(pattern, near));
   if (!cg2_inlined_is_read()) VG_(umsg)("; if it was inlined, -v says where");
}

static void print_object_unmatched(const HChar* pattern)
{
   const Name* near[NEAREST_MAX];
   VG_(umsg)(": no object file of this name was seen");
   print_near(near, cg2_nearest_find_object(pattern, near));
}

/* Names an option that had no effect, with what may have been meant. */
static void
print_unmatched(const HChar* option, const HChar* pattern, Bool is_of_object)
{
   VG_(umsg)("%s", option);
   if (is_of_object)
      print_object_unmatched(pattern);
   else
      print_function_unmatched(pattern);
   VG_(umsg)("\n");
}

/* Writes the last part of the profile. Valgrind hands over 0 whatever the exit
 * status of the program is. */
static void finish(Int exit_status)
{
   (void)exit_status;
   Cost total;
   cg2_accesses_finish();
   Bool is_written =
      cg2_dump_last(cg2_requests_phase("Program termination"), &total);
   if (VG_(clo_verbosity) > 0) cg2_rules_unmatched(print_unmatched);
   if (VG_(clo_verbosity) > 0) cg2_summary_print(total.of);
   if (!is_written) VG_(exit)(1);
   if (VG_(clo_verbosity) > 0) cg2_summary_print_profile();
}

static void wire(void)
{
   describe();
   cg2_guise_take();
   set_valgrind_defaults();
   VG_(basic_tool_funcs)(start, cg2_instrument, finish);
   VG_(needs_command_line_options)(cg2_options_take, cg2_options_print,
                                   cg2_options_print_debugging);
   cg2_hooks_install();
}

VG_DETERMINE_INTERFACE_VERSION(wire)
