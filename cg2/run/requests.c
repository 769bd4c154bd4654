#include "run/requests.h"

#include "arch/guestmemory.h"
#include "code/rules.h"
#include "engine/collection.h"
#include "profile/files/dump.h"
#include "pub_tool_clreq.h"
#include "pub_tool_xarray.h"
#include "run/control.h"

#include "cg2.h"

/* Reason for a mutable file-scope object: what the process was told so far. */
static struct {
   HChar* phase;    /* the phase that the program named last, or NULL */
   XArray* refused; /* UInt: requests that are not known, each once; NULL until
                       there is one */
} state;

/*--- Texts --------------------------------------------------------------*/

enum { TEXT_MAX = 64 * 1024 };

/* A copy of the text that the program has at `address`, as far as it can be
 * read, behind `before`. The caller frees the copy. */
static HChar* copy_lines(const HChar* before, Addr address)
{
   HChar* text = cg2_guestmemory_text(address, TEXT_MAX + 1);
   const HChar* said = text ? text : "";
   SizeT n = VG_(strlen)(said);
   if (!text)
      VG_(umsg)("warning: a client request's text at 0x%lx cannot be read\n",
                address);
   else if (n > TEXT_MAX)
      VG_(umsg)("warning: a client request's text is cut to its first %d "
                "bytes\n",
                TEXT_MAX);
   if (n > TEXT_MAX) text[TEXT_MAX] = '\0';
   HChar* copy = VG_(malloc)("cg2.text", VG_(strlen)(before) + n + 1);
   VG_(sprintf)(copy, "%s%s", before, said);
   if (text) VG_(free)(text);
   return copy;
}

/* A copy as copy_lines makes it, with a blank for each end of a line. */
static HChar* copy_text(const HChar* before, Addr address)
{
   HChar* copy = copy_lines(before, address);
   for (HChar* c = copy; *c; c++)
      if (*c == '\n') *c = ' ';
   return copy;
}

/*--- Each request -------------------------------------------------------*/

static void dump_at(Addr text)
{
   HChar* trigger = copy_text("Client Request: ", text);
   cg2_dump_part(trigger, DUMP_THREAD);
   VG_(free)(trigger);
}

const HChar* cg2_requests_phase(const HChar* otherwise)
{
   return state.phase ? state.phase : otherwise;
}

static void begin_phase(Addr text)
{
   cg2_dump_part(cg2_requests_phase("Client Request"), DUMP_THREAD);
   VG_(free)(state.phase);
   state.phase = copy_text("", text);
}

/* False if the program may not write at `address`; a message says so. */
static Bool write_value(Addr address, ULong value)
{
   if (cg2_guestmemory_write(address, &value, sizeof value)) return True;
   VG_(umsg)("warning: a client request's value cannot be written to 0x%lx\n",
             address);
   return False;
}

/* Writes to the address `value` how often the event called `name` was counted
 * in the running thread since the last part. False: there is no such event, or
 * the program may not write there. */
static Bool read_event(Addr name, Addr value)
{
   HChar* wanted = copy_text("", name);
   Bool is_known = False;
   Cost now = cg2_collection_cost(&cg2_now);
   for (UInt e = 0; e < cg2_events.n; e++)
      if (VG_(strcmp)(wanted, cg2_event_name(e)) == 0)
         is_known = write_value(value, now.of[e]);
   VG_(free)(wanted);
   return is_known;
}

/* Source: Linux's limits.h: PATH_MAX. */
enum { SKIPPED_MAX = 4096 };

/* Skips an object file from now on. In messages the request is called by the
 * option that does the same. */
static void skip_object(Addr path)
{
   HChar* option = copy_lines("--obj-skip=", path);
   const HChar* pattern = VG_(strchr)(option, '=') + 1;
   SizeT n = VG_(strlen)(pattern);
   UChar first;
   if (n == 0 || n > SKIPPED_MAX) {
      if (cg2_guestmemory_read(&first, path, 1))
         VG_(umsg)("warning: a client request to skip an object %s is "
                   "ignored\n",
                   n ? "with a path of over 4096 bytes" : "without a path");
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
   if (copy[0]) cg2_dump_describe(copy);
   VG_(free)(copy);
}

/* Warns of an unknown request, once for each kind. */
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

/*--- Any request --------------------------------------------------------*/

/* Does what one of cg2's or Callgrind's requests asks for. False: the request
 * is not known. */
static Bool obey(UWord* args, UWord* answer)
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
      return cg2_control_toggle(), True;
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

Bool cg2_requests_obey(UWord* args, UWord* answer)
{
   if (!VG_IS_TOOL_USERREQ('C', 'T', args[0]) &&
       !VG_IS_TOOL_USERREQ('C', '2', args[0]))
      return False;
   if (obey(args, answer)) return True;
   refuse(args[0]);
   return False;
}
