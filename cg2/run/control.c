#include "run/control.h"

#include "events/accesses.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_clreq.h"
#include "pub_tool_transtab.h"
#include "pub_tool_xarray.h"
#include "translate/instrument.h"

#include "cg2.h"

/* Reason for a mutable file-scope object: configuration. */
ControlConfig cg2_control_config = {.collect_at_start = True};

/* Reason for a mutable file-scope object: what the process was told so far. */
static struct {
   Toggles toggles; /* of all threads, if they are process-wide */
   HChar* phase;    /* that the program named last, or NULL */
   XArray* refused; /* UInt: requests that are not known; NULL: none yet */
} state;

/*--- Collection ---------------------------------------------------------*/

static Toggles* toggles(void)
{
   return cg2_control_config.is_process_wide ? &state.toggles
                                             : &cg2_now.toggles;
}

/* Makes the running thread collect or not, as it should by now. */
static void apply(void)
{
   const Toggles* t = toggles();
   Bool is_on = cg2_control_config.collect_at_start ^ t->is_flipped;
   cg2_thread_collect(t->n_inside ? !is_on : is_on);
}

void cg2_control_thread_runs(void)
{
   apply();
}

/*--- Functions ----------------------------------------------------------*/

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
   VG_(sprintf)(trigger, "--dump-every-bb=%llu", cg2_control_config.dump_every);
   cg2_dump_part(trigger, DUMP_ALL);
}

/*--- Instrumentation ----------------------------------------------------*/

/* Where no program has code; and behind it all there is. */
enum { FIRST_PAGE = 0x1000 };

void cg2_control_instrument(Bool is_on)
{
   if (cg2_instrument_is_on == is_on) return;
   if (!is_on) {
      cg2_thread_forget_stacks();
      state.toggles.n_inside = 0;
   } else
      cg2_accesses_clear(); /* who knows what was accessed meanwhile */
   cg2_instrument_is_on = is_on;
   VG_(discard_translations_safely)(FIRST_PAGE, ~(SizeT)FIRST_PAGE, "cg2");
}

/*--- Client requests ----------------------------------------------------*/

/* Text that the program handed over, with `before` in front. To be freed. */
static HChar* copy_lines(const HChar* before, Addr address)
{
   const HChar* text = (const HChar*)address;
   SizeT n = 0;
   while (VG_(am_is_valid_for_client)(address + n, 1, VKI_PROT_READ) && text[n])
      n++;
   SizeT n_before = VG_(strlen)(before);
   HChar* copy = VG_(malloc)("cg2.text", n_before + n + 1);
   VG_(memcpy)(copy, before, n_before);
   VG_(memcpy)(copy + n_before, text, n);
   copy[n_before + n] = '\0';
   return copy;
}

/* Likewise, as one line. */
static HChar* copy_text(const HChar* before, Addr address)
{
   HChar* copy = copy_lines(before, address);
   for (HChar* c = copy; *c; c++)
      if (*c == '\n') *c = ' ';
   return copy;
}

static void dump_at(Addr text)
{
   HChar* trigger = copy_text("Client Request: ", text);
   cg2_dump_part(trigger, DUMP_THREAD);
   VG_(free)(trigger);
}

const HChar* cg2_control_phase(const HChar* otherwise)
{
   return state.phase ? state.phase : otherwise;
}

static void begin_phase(Addr text)
{
   cg2_dump_part(cg2_control_phase("Client Request"), DUMP_THREAD);
   VG_(free)(state.phase);
   state.phase = copy_text("", text);
}

/* What the running thread counted since the last part. */
static Bool read_event(Addr name, Addr value)
{
   HChar* wanted = copy_text("", name);
   Bool is_known = False;
   Cost now = cg2_thread_cost(&cg2_now);
   for (UInt e = 0; e < cg2_event_count; e++)
      if (VG_(strcmp)(wanted, cg2_event_name(e)) == 0 &&
          VG_(am_is_valid_for_client)(value, sizeof(ULong), VKI_PROT_WRITE)) {
         *(ULong*)value = now.of[e];
         is_known = True;
      }
   VG_(free)(wanted);
   return is_known;
}

/* The option that says the same stands for it in messages. */
static void skip_object(Addr path)
{
   HChar* option = copy_lines("--obj-skip=", path);
   const HChar* pattern = VG_(strchr)(option, '=') + 1;
   if (!*pattern) {
      VG_(umsg)("warning: a client request to skip an object without a path is "
                "ignored\n");
      VG_(free)(option);
      return;
   }
   cg2_rules_add(RULE_SKIP_OBJECT, pattern, 0, option);
   cg2_code_apply_last_rule();
   cg2_block_forget_arcs();
}

static void describe(Addr text)
{
   HChar* copy = copy_lines("", text);
   cg2_dump_describe(copy);
   VG_(free)(copy);
}

static void refuse(UInt request)
{
   if (!state.refused)
      state.refused =
         VG_(newXA)(VG_(malloc), "cg2.refused", VG_(free), sizeof request);
   for (Word i = 0; i < VG_(sizeXA)(state.refused); i++)
      if (*(UInt*)VG_(indexXA)(state.refused, i) == request) return;
   VG_(addToXA)(state.refused, &request);
   VG_(umsg)("warning: client request 0x%x is not known and is ignored\n",
             request);
}

static Bool take_request(UWord* args, UWord* answer)
{
   *answer = 0;
   switch (args[0]) {
   case CG2_USERREQ_DUMP:
   case CG2_USERREQ_CALLGRIND + 0:
      return cg2_dump_part("Client Request", DUMP_THREAD), True;
   case CG2_USERREQ_ZERO:
   case CG2_USERREQ_CALLGRIND + 1:
      return cg2_dump_zero(DUMP_THREAD), True;
   case CG2_USERREQ_TOGGLE_COLLECT:
   case CG2_USERREQ_CALLGRIND + 2:
      toggles()->is_flipped = !toggles()->is_flipped;
      return apply(), True;
   case CG2_USERREQ_DUMP_AT:
   case CG2_USERREQ_CALLGRIND + 3:
      return dump_at(args[1]), True;
   case CG2_USERREQ_START_INSTRUMENTATION:
   case CG2_USERREQ_CALLGRIND + 4:
      return cg2_control_instrument(True), True;
   case CG2_USERREQ_STOP_INSTRUMENTATION:
   case CG2_USERREQ_CALLGRIND + 5:
      return cg2_control_instrument(False), True;
   case CG2_USERREQ_SKIP_OBJECT:
   case CG2_USERREQ_CALLGRIND + 6:
      return skip_object(args[1]), True;
   case CG2_USERREQ_DESCRIBE:
   case CG2_USERREQ_CALLGRIND + 7:
      return describe(args[1]), True;
   case CG2_USERREQ_PHASE:
      return begin_phase(args[1]), True;
   case CG2_USERREQ_READ_EVENT:
      *answer = read_event(args[1], args[2]);
      return True;
   }
   return False;
}

Bool cg2_control_request(UWord* args, UWord* answer)
{
   if (!VG_IS_TOOL_USERREQ('C', 'T', args[0]) &&
       !VG_IS_TOOL_USERREQ('C', '2', args[0]))
      return False;
   if (take_request(args, answer)) return True;
   refuse(args[0]);
   return False;
}
