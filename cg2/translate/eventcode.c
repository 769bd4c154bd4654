#include "translate/eventcode.h"

#include "engine/event.h"
#include "translate/translateconfig.h"

/* Source: Callgrind counts compare-and-swap, which is what VEX makes of locked
 * instructions, and the store of a load-linked and store-conditional pair. */
static Bool is_atomic(const IRStmt* s)
{
   return s->tag == Ist_CAS || (s->tag == Ist_LLSC && s->Ist.LLSC.storedata);
}

static const struct {
   const HChar *name, *meaning;      /* as cg2_event_add has them */
   Bool (*happens)(const IRStmt* s); /* whether a statement is such an event */
} kinds[STATEMENT_EVENTS] = {
   [EVENT_BUS] = {"Ge", NULL, is_atomic},
};

void cg2_eventcode_start(void)
{
   for (UInt i = 0; i < STATEMENT_EVENTS; i++)
      if (cg2_translate_config.events.wanted[i])
         cg2_translate_config.events.numbers[i] =
            cg2_event_add_counted(kinds[i].name, kinds[i].meaning);
}

Bool cg2_eventcode_read(BlockEvents* events, const IRStmt* s, Where where)
{
   Bool is_any = False;
   for (UInt i = 0; i < STATEMENT_EVENTS; i++) {
      if (!cg2_translate_config.events.numbers[i] || !kinds[i].happens(s))
         continue;
      cg2_block_note_event(
         events,
         cg2_where_event(where, cg2_translate_config.events.numbers[i], 1));
      is_any = True;
   }
   return is_any;
}
