#include "run/session.h"

#include "pub_tool_clientstate.h"
#include "pub_tool_xarray.h"
#include "repeat/repeat.h"
#include "repeat/repeatconfig.h"
#include "run/control.h"
#include "run/runconfig.h"
#include "translate/translateconfig.h"

static const HChar option[] = "--inherited-state=";
static const HChar run_option[] = "--inherited-run=";
enum { STATE_TEXT = 64 };

/* How a state is said in the option. */
static void say(HChar* text, SessionState state)
{
   VG_(sprintf)(text, "%s,%s,%s", state.is_instrumented ? "on" : "off",
                state.is_inside ? "inside" : "outside",
                state.is_flipped ? "flipped" : "straight");
}

/* State number 0 to 7 of those that there are. */
static SessionState state_of(UInt number)
{
   return (SessionState){
      .is_instrumented = number & 1,
      .is_inside = number >> 1 & 1,
      .is_flipped = number >> 2 & 1,
   };
}

Bool cg2_session_take(const HChar* text)
{
   for (UInt i = 0; i < 8 && !cg2_run_config.has_inherited; i++) {
      HChar said[STATE_TEXT];
      say(said, state_of(i));
      cg2_run_config.has_inherited = VG_STREQ(text, said);
      cg2_run_config.inherited = state_of(i);
   }
   return cg2_run_config.has_inherited;
}

/* Whether collection is handed on. */
static Bool has_session(void)
{
   return cg2_run_config.scope == SCOPE_SESSION;
}

static Bool hands_on(void)
{
   return has_session() || cg2_run_config.inherits_instrumentation;
}

void cg2_session_begin(void)
{
   if (!cg2_run_config.has_inherited || !hands_on()) return;
   cg2_translate_config.is_on = cg2_run_config.inherited.is_instrumented;
   if (has_session()) cg2_control_inherit(cg2_run_config.inherited);
}

/* Gives Valgrind's options a last one, in place of that with which this program
 * was given its own state, and which begins with `name`; `arg` stays valid. */
static void replace_option(const HChar* name, HChar* arg)
{
   XArray* args = VG_(args_for_valgrind);
   for (Word i = 0; i < VG_(sizeXA)(args); i++) {
      HChar** given = VG_(indexXA)(args, i);
      if (VG_(strncmp)(*given, name, VG_(strlen)(name)) != 0) continue;
      *given = arg;
      return;
   }
   VG_(addToXA)(args, &arg);
}

/* What is repeatable goes on where it was. */
static void hand_on_run(void)
{
   HChar text[REPEAT_TEXT];
   HChar* arg = VG_(malloc)("cg2.session", sizeof run_option + REPEAT_TEXT);
   cg2_repeat_hand_on(text);
   VG_(sprintf)(arg, "%s%s", run_option, text);
   replace_option(run_option, arg);
}

void cg2_session_hand_on(void)
{
   if (cg2_repeat_config.is_on) hand_on_run();
   if (!hands_on()) return;
   HChar* arg = VG_(malloc)("cg2.session", sizeof option + STATE_TEXT);
   say(arg + VG_(sprintf)(arg, "%s", option), cg2_control_state());
   replace_option(option, arg);
}
