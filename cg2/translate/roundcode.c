#include "translate/roundcode.h"

#include "engine/event.h"
#include "translate/translateconfig.h"

void cg2_roundcode_start(void)
{
   RoundcodeConfig* config = &cg2_translate_config.rounds;
   if (!config->is_on) return;
   config->event = cg2_event_add_counted(
      "Rep", "Rounds of repeated instructions beyond the first");
   cg2_event_derive("Ih", "Ir - Rep",
                    "Instructions as a processor counts them");
}

Bool cg2_roundcode_is_on(void)
{
   return cg2_translate_config.rounds.is_on;
}

RoundSite
cg2_roundcode_read_exit(BlockEvents* events, const IRStmt* exit, Where where)
{
   cg2_block_note_event(
      events, (BlockEvent){.instr = where.instr,
                           .event = cg2_translate_config.rounds.event});
   return (RoundSite){exit, where};
}

void cg2_roundcode_read_end(BlockEvents* events, Where where)
{
   cg2_block_note_event(
      events, cg2_where_event(where, cg2_translate_config.rounds.event, 1));
}

void cg2_roundcode_write(Emitter* e, const RoundSite* site, const Block* block)
{
   UInt event = cg2_translate_config.rounds.event;
   IRExpr* again =
      cg2_emit_widened(e, Iop_1Uto64, Iop_1Uto32, site->exit->Ist.Exit.guard);
   IRExpr* n = cg2_emit_wide(e, again);
   cg2_emit_bit(e, event, again, n);
   cg2_emit_cell(e, cg2_block_slot_of(block, site->where.instr, event), n);
}
