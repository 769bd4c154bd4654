#include "sim.h"

#include "probe.h"

SimConfig cg2_sim_config;

/* Source: Callgrind's names, in its order. */
static const HChar* const access_names[ACCESS_KINDS] = {NULL, "Dr", "Dw"};
static const HChar* const outcome_names[][ACCESS_KINDS] = {
   {"I1mr", "D1mr", "D1mw"},
   {"ILmr", "DLmr", "DLmw"},
   {"ILdmr", "DLdmr", "DLdmw"},
};

void cg2_sim_start(void)
{
   SimConfig* c = &cg2_sim_config;
   UInt n = c->hierarchy.writes_back ? 3 : 2;
   for (UInt kind = 0; kind < ACCESS_KINDS; kind++)
      if (access_names[kind])
         c->events[kind].access = cg2_event_add(access_names[kind], NULL);
   for (UInt i = 0; i < n; i++)
      for (UInt kind = 0; kind < ACCESS_KINDS; kind++) {
         AccessEvents* e = &c->events[kind];
         e->of[e->n++] = cg2_event_add(outcome_names[i][kind], NULL);
      }
   cg2_hierarchy_init(&c->hierarchy);
}

static void count(const Ref* ref, UInt event, UInt slot, Registers* regs)
{
   regs->total.of[event]++;
   if (ref->is_of_stub)
      cg2_now.stub_cost.of[event]++;
   else
      regs->cells[slot]++;
}

static UInt outcome_of(const Ref* ref, Addr address, ULong now)
{
   switch (ref->kind) {
   case ACCESS_FETCH:
      return cg2_hierarchy_fetch(address, ref->size, now);
   case ACCESS_READ:
      return cg2_hierarchy_read(address, ref->size, now);
   default:
      return cg2_hierarchy_write(address, ref->size, now);
   }
}

VG_REGPARM(2) void cg2_sim_access(const Ref* ref, Addr address, void* guest)
{
   const AccessEvents* events = &cg2_sim_config.events[ref->kind];
   Registers* regs = cg2_probe_registers(guest);
   UInt outcome = outcome_of(ref, address, regs->clock - ref->ticks);
   if (ref->is_guarded) count(ref, events->access, ref->counted, regs);
   for (UInt i = 0; outcome; i++, outcome >>= 1)
      if (outcome & 1) count(ref, events->of[i], ref->slot + i, regs);
}
