#include "sim.h"

#include "probe.h"

SimConfig cg2_sim_config;

/* Source: Callgrind's names, in its order. */
static const struct {
   const HChar* names[ACCESS_KINDS];
   SizeT offset; /* of their events in SimConfig */
} columns[] = {
   {{NULL, "Dr", "Dw"}, offsetof(SimConfig, accesses)},
   {{"I1mr", "D1mr", "D1mw"}, offsetof(SimConfig, first)},
   {{"ILmr", "DLmr", "DLmw"}, offsetof(SimConfig, last)},
   {{"ILdmr", "DLdmr", "DLdmw"}, offsetof(SimConfig, dirty)},
};

void cg2_sim_start(void)
{
   SimConfig* c = &cg2_sim_config;
   UInt n = c->hierarchy.writes_back ? 4 : 3;
   for (UInt i = 0; i < n; i++) {
      UInt* events = (UInt*)((HChar*)c + columns[i].offset);
      for (UInt kind = 0; kind < ACCESS_KINDS; kind++)
         if (columns[i].names[kind])
            events[kind] = cg2_event_add(columns[i].names[kind], NULL);
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

VG_REGPARM(2) void cg2_sim_access(const Ref* ref, Addr address, void* guest)
{
   const SimConfig* c = &cg2_sim_config;
   Registers* regs = cg2_probe_registers(guest);
   AccessKind kind = ref->kind;
   UInt outcome = kind == ACCESS_FETCH ? cg2_hierarchy_fetch(address, ref->size)
                  : kind == ACCESS_READ
                     ? cg2_hierarchy_read(address, ref->size)
                     : cg2_hierarchy_write(address, ref->size);
   if (ref->is_guarded) count(ref, c->accesses[kind], ref->counted, regs);
   if (!outcome) return;
   if (outcome & OUTCOME_L1_MISS) count(ref, c->first[kind], ref->first, regs);
   if (outcome & OUTCOME_LL_MISS) count(ref, c->last[kind], ref->last, regs);
   if (outcome & OUTCOME_DIRTY) count(ref, c->dirty[kind], ref->dirty, regs);
}
