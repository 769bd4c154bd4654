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

static const HChar* const use_names[USE_EVENTS] = {"AcCost1", "SpLoss1",
                                                   "AcCost2", "SpLoss2"};

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

/*--- Cache use ----------------------------------------------------------*/

/* A Loader is a place in the profile: of some Cells, the slot of the first
 * event of use. Lines that nobody's stub loads have this one. Never charged. */
static Cells nobody;

static void charge(Loader loader, UInt level, ULong access_cost, ULong lost)
{
   const Cells* cells = loader.place;
   UInt first = 2 * (level - 1);
   const UInt* events = &cg2_sim_config.use_events[first];
   if (cells == &nobody) return;
   cells->counts[loader.slot + first] += access_cost;
   cells->counts[loader.slot + first + 1] += lost;
   cg2_thread_charge(cells->context, events[0], access_cost);
   cg2_thread_charge(cells->context, events[1], lost);
}

void cg2_sim_start_use(void)
{
   SimConfig* c = &cg2_sim_config;
   for (UInt i = 0; i < USE_EVENTS; i++)
      c->use_events[i] = cg2_event_add(use_names[i], NULL);
   cg2_cacheuse_init(&c->hierarchy, charge);
}

/* What a stub loads is the call's that it is part of. */
static Loader caller_of_stub(const Exit* exit)
{
   Context* context = cg2_thread_context();
   const Block* block = exit->block;
   if (!context || !block) return (Loader){&nobody, 0};
   UInt slot =
      cg2_block_slot_of(block, exit->instr, cg2_sim_config.use_events[0]);
   return (Loader){cg2_context_cells(context, block->home), slot};
}

static Loader loader_of(const Ref* ref, const Registers* regs)
{
   if (ref->is_of_stub) return caller_of_stub(regs->exit);
   return (Loader){(Cells*)cg2_now.current, ref->use_slot};
}

/*--- Accesses -----------------------------------------------------------*/

static UInt use(const Ref* ref, Addr address, const Registers* regs)
{
   Loader loader = loader_of(ref, regs);
   return ref->kind == ACCESS_FETCH
             ? cg2_cacheuse_fetch(address, ref->size, loader)
             : cg2_cacheuse_data(address, ref->size, loader);
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
   UInt outcome = cg2_sim_config.looks_at_use
                     ? use(ref, address, regs)
                     : outcome_of(ref, address, regs->clock - ref->ticks);
   if (ref->is_guarded) count(ref, events->access, ref->counted, regs);
   for (UInt i = 0; outcome; i++, outcome >>= 1)
      if (outcome & 1) count(ref, events->of[i], ref->slot + i, regs);
}

/*--- Beginning and end --------------------------------------------------*/

void cg2_sim_clear(void)
{
   if (!cg2_sim_config.is_on) return;
   if (cg2_sim_config.looks_at_use)
      cg2_cacheuse_clear();
   else
      cg2_hierarchy_clear();
}

void cg2_sim_finish(void)
{
   if (cg2_sim_config.is_on && cg2_sim_config.looks_at_use)
      cg2_cacheuse_flush();
}
