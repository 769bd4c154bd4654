#include "run/control.h"

#include "engine/collection.h"
#include "engine/threads.h"
#include "events/accesses.h"
#include "profile/files/dump.h"
#include "pub_tool_transtab.h"
#include "run/freshmemory.h"
#include "translate/translateconfig.h"

/* Reason for a mutable file-scope object: what the process was told so far. */
static struct {
   Toggles common;    /* what all threads toggled, if collection is switched for
                         the whole process */
   Bool began_inside; /* The program that was replaced was in a function that
                         toggles collection. */
} told;

/*--- Collection ---------------------------------------------------------*/

/* The toggles that the running thread obeys. */
static Toggles* toggles(void)
{
   Bool is_of_thread = cg2_run_config.scope == SCOPE_THREAD;
   return is_of_thread ? &cg2_now.toggles : &told.common;
}

static Bool is_inside(void)
{
   return told.began_inside || toggles()->n_inside > 0;
}

/* Makes the running thread collect or not, as its toggles say. */
static void apply(void)
{
   Bool is_on = cg2_run_config.collect_at_start ^ toggles()->is_flipped;
   cg2_collection_switch(is_inside() ? !is_on : is_on);
}

void cg2_control_thread_runs(void)
{
   apply();
}

void cg2_control_toggle(void)
{
   toggles()->is_flipped = !toggles()->is_flipped;
   apply();
}

SessionState cg2_control_state(void)
{
   return (SessionState){.is_instrumented = cg2_translate_config.is_on,
                         .is_inside = is_inside(),
                         .is_flipped = toggles()->is_flipped};
}

void cg2_control_inherit(SessionState state)
{
   told.began_inside = state.is_inside;
   told.common.is_flipped = state.is_flipped;
}

/*--- Watched functions --------------------------------------------------*/

/* Writes a part because of an option about `function`. */
static void dump_for(const HChar* option, const Function* function)
{
   SizeT size = VG_(strlen)(option) + VG_(strlen)(function->name->text) + 2;
   HChar* trigger = VG_(malloc)("cg2.trigger", size);
   VG_(sprintf)(trigger, "%s=%s", option, function->name->text);
   cg2_dump_part(trigger, DUMP_THREAD);
   VG_(free)(trigger);
}

void cg2_control_entering(const Function* function)
{
   const Rules* rules = function->rules;
   if (rules->dump_before) dump_for("--dump-before", function);
   if (rules->zero_before) cg2_dump_zero(DUMP_THREAD);
   if (rules->toggles_collect) {
      toggles()->n_inside++;
      apply();
   }
}

void cg2_control_left(const Function* function)
{
   const Rules* rules = function->rules;
   if (rules->toggles_collect && toggles()->n_inside) {
      toggles()->n_inside--;
      apply();
   }
   if (rules->dump_after) dump_for("--dump-after", function);
}

void cg2_control_found(const Function* function)
{
   if (!function->rules->toggles_collect) return;
   toggles()->n_inside++;
   apply();
}

void cg2_control_due(void)
{
   HChar trigger[48];
   VG_(sprintf)(trigger, "--dump-every-bb=%llu", cg2_run_config.dump_every);
   cg2_dump_part(trigger, DUMP_ALL);
}

/*--- Instrumentation ----------------------------------------------------*/

/* No program has code in the first page; all code lies behind it. */
enum { FIRST_PAGE = 0x1000 };

void cg2_control_instrument(Bool is_on)
{
   if (cg2_translate_config.is_on == is_on) return;
   cg2_translate_config.is_on = is_on;
   if (is_on) {
      /* Nobody knows what was accessed meanwhile. */
      cg2_accesses_clear();
      cg2_freshmemory_touch_all();
   } else {
      cg2_threads_forget_stacks();
      told.common.n_inside = 0;
   }
   VG_(discard_translations_safely)(FIRST_PAGE, ~(SizeT)FIRST_PAGE, "cg2");
}
