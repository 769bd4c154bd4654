#include "cycles/pipeline.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 64 }; /* of the cache of who runs this */

static uint64_t later(uint64_t a, uint64_t b)
{
   return a > b ? a : b;
}

/* What the spot at hand reads and writes, and when. */
typedef struct StepMemory {
   uint64_t address_ready, loaded_at;
   SymbolicValue address, loaded;
   Record *store, *store2;
} StepMemory;

/* The spot at hand. */
typedef struct PipelineStep {
   uint32_t number;
   const cg2p_operation* o;
   const Work* work;
   const Rates* rates;
   Rates* rests;
   Happenings* happened;
   uint32_t slots;                      /* from dispatch on */
   bool is_eliminated, is_synchronized; /* the stack pointer is, before */
   uint64_t dispatched, result, hidden;
   StepMemory memory;
} PipelineStep;

/*--- Buffers ------------------------------------------------------------*/

/* When entry number n - size leaves, in whose place the next one goes. */
static uint64_t room_at(const Buffer* buffer, uint64_t size, Cause* cause)
{
   if (buffer->n < size) return 0;
   uint64_t at = (buffer->n - size) % BUFFER_SLOTS;
   *cause = buffer->causes[at];
   return buffer->leaves[at];
}

static void enter(Buffer* buffer, uint64_t leaves, Cause cause)
{
   buffer->leaves[buffer->n % BUFFER_SLOTS] = leaves;
   buffer->causes[buffer->n++ % BUFFER_SLOTS] = cause;
}

/*--- Fetching -----------------------------------------------------------*/

static void fetch_anew(Pipeline* p, uint64_t at)
{
   p->fetching.at = at;
   p->fetching.slots = p->fetching.lines = p->fetching.jumps = 0;
   p->fetching.cause = CAUSE_FRONT_END;
}

/* Predicting comes to a new line: one a cycle, or where a jump has led it, and
 * no more lines before fetching than it can keep. */
static void predict_line(Pipeline* p)
{
   uint64_t ahead = p->core->numbers.fetching.ahead;
   bool is_led =
      p->core->numbers.fetching.decoupled && p->fetching.goes_elsewhere;
   p->fetching.predicted_at += !is_led;
   if (ahead && p->fetching.n_lines >= ahead)
      p->fetching.predicted_at =
         later(p->fetching.predicted_at,
               p->fetching.lines_at[(p->fetching.n_lines - ahead) % AHEAD_MAX]);
   if (!ahead) p->fetching.predicted_at = p->fetching.at;
   if (is_led && p->fetching.predicted_at > p->fetching.at)
      fetch_anew(p, p->fetching.predicted_at);
}

/* Waits for a line of code that takes so long from when it was asked for. */
static void wait_for_code(Pipeline* p, uint64_t late)
{
   const CoreNumbers* n = &p->core->numbers;
   uint64_t least = p->fetching.predicted_at * CORE_GRAINS;
   p->fetching.code_link =
      later(p->fetching.code_link, least) + n->fetching.code;
   uint64_t arrives = later(p->fetching.predicted_at + late,
                            p->fetching.code_link / CORE_GRAINS);
   if (arrives <= p->fetching.at) return;
   fetch_anew(p, arrives);
   p->fetching.cause = CAUSE_CODE;
}

/* Decodes what is not there decoded. */
static void choose_decoding(Pipeline* p, const PipelineStep* s)
{
   const CoreDecoding* n = &p->core->numbers.decoding;
   if (!n->sets) return;
   bool stays = n->stays && p->fetching.decodes && !p->fetching.goes_elsewhere;
   bool is_there = cg2p_recent_meet(&p->fetching.decoded, s->work->place.line,
                                    s->work->place.ways);
   p->fetching.decodes = stays || !is_there;
}

/* A line is not kept whose jump touches the border, nor the other half of its
 * 64 bytes. */
static void lose_line(Pipeline* p, const PipelineStep* s)
{
   Recent* decoded = &p->fetching.decoded;
   if (!decoded->sets) return;
   cg2p_recent_lose(decoded, s->work->place.line);
   cg2p_recent_lose(decoded, s->work->place.line ^ 1);
}

static void fetch_code(Pipeline* p, const PipelineStep* s)
{
   uint64_t late = cg2p_supply_code(&p->supply, s->rates, s->rests);
   bool is_new =
      s->work->place.begins_line || p->fetching.goes_elsewhere || late;
   p->history.happened.of[CAUSE_CODE] = late;
   if (is_new) {
      choose_decoding(p, s);
      predict_line(p);
      p->fetching.is_cold = late > 0;
   }
   if (s->work->place.touches_border) lose_line(p, s);
   if (late) wait_for_code(p, late);
   if (is_new)
      p->fetching.lines_at[p->fetching.n_lines++ % AHEAD_MAX] = p->fetching.at;
}

/* Finds the ends of instructions in the bytes that are decoded at once, of so
 * many a cycle. One whose opcode lies in the bytes before counts there, too.
 *
 * Source: Abel and Reineke, Facile, 2023: predecoding. */
static void decode(Pipeline* p, const PipelineStep* s)
{
   const WorkPlace* place = &s->work->place;
   FetchStage* f = &p->fetching;
   bool is_full = f->slots + 1 > p->core->numbers.decoding.width;
   if (!f->slots && place->is_split)
      fetch_anew(p, f->at + 1);
   else if (f->slots && (is_full || place->begins_decoding))
      fetch_anew(p, f->at + 1 + (is_full && place->is_split));
   f->slots++;
}

static void fetch_decoded(Pipeline* p, const PipelineStep* s)
{
   const CoreNumbers* n = &p->core->numbers;
   bool is_full = p->fetching.slots + s->work->slots > n->sizes.fetch ||
                  p->fetching.lines >= later(n->fetching.lines, 1);
   if (is_full && p->fetching.slots) fetch_anew(p, p->fetching.at + 1);
   p->fetching.slots += s->work->slots;
}

/* The program and its libraries lie far from each other, and a computed jump
 * between them takes longer. */
static void come_from_away(Pipeline* p, const PipelineStep* s)
{
   const CoreFetching* n = &p->core->numbers.fetching;
   const GraphSpot* spots = p->graph->spots;
   uint32_t from = p->fetching.last.computed;
   if (!n->away || from == CG2P_NONE) return;
   if (spots[from].is_library == spots[s->number].is_library) return;
   if (n->decoupled)
      p->fetching.predicted_at += n->away;
   else
      fetch_anew(p, p->fetching.at + n->away);
}

static void fetch(Pipeline* p, const PipelineStep* s)
{
   const CoreNumbers* n = &p->core->numbers;
   Cause cause;
   cg2p_charges_begin(&p->history, 0);
   come_from_away(p, s);
   fetch_code(p, s);
   if (s->work->place.crosses && n->fetching.cross && p->fetching.slots)
      fetch_anew(p, p->fetching.at + 1);
   p->fetching.lines +=
      s->work->place.begins_line && !p->fetching.goes_elsewhere;
   if (p->fetching.decodes)
      decode(p, s);
   else
      fetch_decoded(p, s);
   uint64_t room = room_at(&p->buffers.queue, n->sizes.queue, &cause);
   if (room > p->fetching.at) {
      fetch_anew(p, room);
      p->fetching.slots = s->work->slots;
   }
}

/*--- Dispatching --------------------------------------------------------*/

static void dispatch_from(Pipeline* p, uint64_t at, Cause cause)
{
   if (at <= p->dispatching.at) return;
   p->dispatching.at = at;
   p->dispatching.slots = 0;
   p->dispatching.cause = cause;
}

static void wait_for_buffers(Pipeline* p, const PipelineStep* s)
{
   const CoreNumbers* n = &p->core->numbers;
   Cause cause = CAUSE_PORT;
   if (s->slots) {
      uint64_t size = n->sizes.reorder - s->slots + 1;
      dispatch_from(p, room_at(&p->buffers.reorder, size, &cause), cause);
   }
   if (s->o->access.loads || s->o->access2.loads)
      dispatch_from(p, room_at(&p->buffers.loads, n->sizes.loads, &cause),
                    cause);
   if (s->o->access.stores || s->o->access2.stores) {
      uint64_t before = p->dispatching.at;
      dispatch_from(p, room_at(&p->buffers.stores, n->sizes.stores, &cause),
                    cause);
      p->history.held = p->dispatching.at - before;
      p->history.held_by = cause;
   }
}

/* Whether all that it does finds an entry of a scheduler. */
static bool has_room(const Pipeline* p, const PipelineStep* s)
{
   const CorePorts* access = &p->core->access;
   const cg2p_operation* o = s->o;
   if (p->ports.waiting >= p->core->numbers.sizes.scheduler) return false;
   bool is_move = s->work->kind == WORK_MOVES;
   for (uint32_t u = 0; u < s->work->n_uses && !is_move; u++)
      if (!cg2p_ports_has_room(&p->ports, s->work->uses[u].ports)) return false;
   if (o->access.loads && !cg2p_ports_has_room(&p->ports, access->load))
      return false;
   bool stores = o->access.stores || o->access2.stores;
   return !stores || cg2p_ports_has_room(&p->ports, access->store_address);
}

static void wait_for_scheduler(Pipeline* p, const PipelineStep* s)
{
   cg2p_ports_advance(&p->ports, p->dispatching.at);
   while (!has_room(p, s)) {
      dispatch_from(p, p->dispatching.at + 1, CAUSE_PORT);
      cg2p_ports_advance(&p->ports, p->dispatching.at);
   }
}

/* A micro-operation more tells others of what pushes and pops have done to the
 * stack pointer. */
static void follow_stack(Pipeline* p, PipelineStep* s)
{
   s->is_synchronized =
      s->work->stack == STACK_IS_USED && p->dispatching.has_moved;
   if (s->work->stack == STACK_MOVES) p->dispatching.has_moved = true;
   if (s->work->stack == STACK_IS_USED) p->dispatching.has_moved = false;
   s->slots = s->work->slots + s->work->more + s->is_synchronized +
              p->graph->spots[s->number].stub;
}

static void follow_move(Pipeline* p, PipelineStep* s)
{
   Aliases* aliases = &p->dispatching.aliases;
   s->is_eliminated =
      s->work->kind == WORK_MOVES &&
      cg2p_aliases_eliminate(aliases, s->o, p->dispatching.at,
                             p->core->numbers.eliminated.counters);
   if (!s->is_eliminated) cg2p_aliases_write(aliases, s->o);
}

static void dispatch(Pipeline* p, PipelineStep* s)
{
   const CoreNumbers* n = &p->core->numbers;
   follow_stack(p, s);
   uint64_t late = p->fetching.decodes ? n->decoding.late : 0;
   dispatch_from(p, p->fetching.at + 1 + late, p->fetching.cause);
   wait_for_buffers(p, s);
   uint64_t together = s->slots - s->is_synchronized;
   if (p->dispatching.slots && p->dispatching.slots + together > n->sizes.width)
      dispatch_from(p, p->dispatching.at + 1, CAUSE_FRONT_END);
   wait_for_scheduler(p, s);
   p->ports.slot = p->dispatching.slots;
   p->dispatching.slots += s->slots;
   while (p->dispatching.slots > n->sizes.width) {
      uint64_t left = p->dispatching.slots - n->sizes.width;
      dispatch_from(p, p->dispatching.at + 1, CAUSE_FRONT_END);
      p->dispatching.slots = left;
   }
   for (uint32_t i = 0; i < s->work->slots; i++)
      enter(&p->buffers.queue, p->dispatching.at, CAUSE_FRONT_END);
   s->dispatched = p->dispatching.at;
   follow_move(p, s);
   cg2p_charges_extend(&p->history, s->dispatched + 1, p->dispatching.cause);
}

/*--- Loading ------------------------------------------------------------*/

static uint64_t ready_of(const Pipeline* p, uint8_t number)
{
   return number < CG2P_REGISTERS ? p->executing.ready[number] : 0;
}

/* How long a load takes that level 1 answers. */
static uint64_t hit_of(const Pipeline* p, const PipelineStep* s)
{
   uint8_t base = s->o->access.base;
   bool is_chase = base < CG2P_REGISTERS && p->executing.loads[base];
   return is_chase ? s->work->chase_latency : s->work->load_latency;
}

/* The data of a store that is not in the cache yet. */
static uint64_t
forward(Pipeline* p, const PipelineStep* s, const Record* store, bool mixed)
{
   const CoreNumbers* n = &p->core->numbers;
   History* h = &p->history;
   uint64_t begun = h->until;
   if (mixed) {
      if (store->released > begun)
         cg2p_charges_extend(h, store->released + n->forwarding.failed,
                             CAUSE_FORWARDING);
      return h->until;
   }
   if (cg2p_laststores_is_fast(&p->executing.stores, p->graph, s->number, store,
                               &n->forwarding)) {
      uint64_t known =
         later(store->ready + n->forwarding.fast, s->dispatched + 1);
      h->until = h->n = 0;
      cg2p_charges_extend(h, s->dispatched + 1, p->dispatching.cause);
      cg2p_charges_extend(h, known, CAUSE_FORWARDING);
      return known;
   }
   uint64_t more = s->o->is_vector ? n->forwarding.vector : 0;
   cg2p_charges_extend(h, begun + hit_of(p, s), CAUSE_CHAIN);
   cg2p_charges_extend(h, store->ready + n->forwarding.latency + more,
                       CAUSE_FORWARDING);
   return h->until;
}

/* The store that a load reads from, by the code or as a run recorded it. */
static Record* find_store(Pipeline* p, const PipelineStep* s, bool* mixed)
{
   LastStores* last = &p->executing.stores;
   Record* store = cg2p_storage_find(&p->storage, s->memory.address,
                                     s->o->access.size, mixed);
   if (store && !cg2p_laststores_know(last, p->graph, s->number, store->spot))
      return store;
   *mixed = false;
   return cg2p_laststores_draw(last, p->graph, p->storage.window, s->number,
                               mixed);
}

static void load(Pipeline* p, PipelineStep* s)
{
   const cg2p_access* access = &s->o->access;
   History* h = &p->history;
   uint32_t set =
      s->o->is_vector ? p->core->access.vector_load : p->core->access.load;
   uint64_t start =
      cg2p_ports_take(&p->ports, (PortUse){set, 1, 0}, s->memory.address_ready);
   bool mixed;
   Record* store = find_store(p, s, &mixed);
   s->memory.loaded = cg2p_storage_load(&p->storage, s->memory.address,
                                        access->size, store, mixed);
   cg2p_charges_extend(h, s->memory.address_ready, CAUSE_CHAIN);
   cg2p_charges_extend(h, start, CAUSE_PORT);
   /* A return is predicted with its address, whether that is in the cache or
    * still on its way there. */
   bool returns = s->o->step.kind == CG2P_RETURNS;
   s->memory.loaded_at =
      store && (returns || store->released > start)
         ? forward(p, s, store, mixed)
         : cg2p_supply_load(&p->supply, h, s->rates, s->rests,
                            s->memory.address, hit_of(p, s));
}

/*--- Executing ----------------------------------------------------------*/

/* When what it reads is there. */
static uint64_t reads_ready(const Pipeline* p, PipelineStep* s)
{
   uint64_t ready = s->dispatched + 1;
   for (int i = 0; i < s->o->n_reads; i++) {
      uint8_t number = s->o->reads[i];
      uint64_t at = ready_of(p, number);
      bool is_sooner = s->o->adds_floats && number < CG2P_REGISTERS &&
                       p->executing.adds_floats[number];
      at = is_sooner ? at - p->core->numbers.floats : at;
      if (at < ready) continue;
      ready = at;
      s->hidden = number < CG2P_REGISTERS ? p->executing.hidden[number] : 0;
   }
   return ready;
}

/* Takes ports; when the first micro-operation begins. */
static uint64_t take_ports(Pipeline* p, const PipelineStep* s, uint64_t ready)
{
   const Work* work = s->work;
   uint32_t latency = work->n_uses == 1 ? work->latency : 0;
   uint64_t start = ready;
   for (uint32_t u = 0; u < work->n_uses; u++) {
      const CoreUse* use = &work->uses[u];
      for (uint32_t i = 0; i < use->count; i++) {
         uint64_t begins = cg2p_ports_take(
            &p->ports, (PortUse){use->ports, use->occupied, latency}, ready);
         if (u == 0) start = later(start, begins);
      }
   }
   return start;
}

/* What hides behind the divider until then is no chain. */
static void extend_hidden(History* h, uint64_t until, uint64_t hidden)
{
   cg2p_charges_extend(h, hidden < until ? hidden : until, CAUSE_DIVIDER);
   cg2p_charges_extend(h, until, CAUSE_CHAIN);
}

static void execute_on_ports(Pipeline* p, PipelineStep* s, uint64_t ready)
{
   const Work* work = s->work;
   History* h = &p->history;
   bool waits = work->divider && p->executing.divider > ready;
   if (waits) {
      ready = p->executing.divider;
      cg2p_charges_extend(h, ready, CAUSE_DIVIDER);
   }
   uint64_t start = take_ports(p, s, ready);
   cg2p_charges_extend(h, start, CAUSE_PORT);
   s->result = start + work->latency;
   if (work->divider) {
      p->executing.divider = start + work->divider;
      s->hidden = s->result + (waits ? work->divider : 0);
   }
   extend_hidden(h, s->result, s->hidden);
}

/* The stack pointer's micro-operation, which takes a port as any sum. */
static void synchronize(Pipeline* p, const PipelineStep* s)
{
   const CoreOp* sum = &p->core->ops.standard;
   for (uint32_t u = 0; u < sum->n_uses; u++)
      cg2p_ports_take(
         &p->ports, (PortUse){p->core->uses.of[sum->first_use + u].ports, 1, 1},
         s->dispatched + 1);
}

/* Rounds are dispatched one after the other, and before all that comes behind
 * them. */
static void repeat(Pipeline* p, const PipelineStep* s)
{
   History* h = &p->history;
   cg2p_charges_extend(h, h->until + s->work->repeats, CAUSE_PORT);
   dispatch_from(p, h->until, CAUSE_PORT);
}

static void execute(Pipeline* p, PipelineStep* s)
{
   History* h = &p->history;
   uint64_t ready = reads_ready(p, s);
   bool is_late = later(ready, s->memory.address_ready) > s->dispatched + 1;
   h->waits = is_late && s->o->step.kind != CG2P_RETURNS;
   if (s->o->access.loads && s->memory.loaded_at > ready) {
      ready = s->memory.loaded_at;
      s->hidden = 0;
   }
   if (s->work->kind == WORK_IS_FREE)
      s->result = s->dispatched;
   else if (s->is_eliminated)
      s->result = later(ready_of(p, s->o->reads[0]), s->dispatched);
   else {
      extend_hidden(h, ready, s->hidden);
      execute_on_ports(p, s, ready);
   }
   if (s->work->repeats) repeat(p, s);
}

/*--- Storing ------------------------------------------------------------*/

static Record*
store(Pipeline* p, const PipelineStep* s, const cg2p_access* access)
{
   const CorePorts* ports = &p->core->access;
   uint32_t set = s->o->is_vector ? ports->vector_store : ports->store_data;
   bool has_index = access->index != CG2P_NO_REGISTER;
   uint32_t address_set = has_index ? ports->indexed : ports->store_address;
   uint64_t address = cg2p_ports_take(&p->ports, (PortUse){address_set, 1, 0},
                                      s->memory.address_ready);
   uint64_t data = cg2p_ports_take(&p->ports, (PortUse){set, 1, 0},
                                   later(s->result, s->dispatched + 1));
   SymbolicValue to = cg2p_storage_address(&p->storage, access);
   SymbolicValue value =
      cg2p_storage_stored(&p->storage, s->o, s->number, s->memory.loaded);
   Record* record = cg2p_storage_store(&p->storage, to, access->size, value);
   record->ready = data;
   record->released = UINT64_MAX / 2;
   record->spot = s->number;
   record->base = access->base;
   record->is_plain = access->index == CG2P_NO_REGISTER;
   cg2p_laststores_add(&p->executing.stores, p->storage.window, s->number,
                       record);
   cg2p_charges_extend(
      &p->history, later(s->memory.address_ready, s->result) + 1, CAUSE_CHAIN);
   cg2p_charges_extend(&p->history, later(address, data) + 1, CAUSE_PORT);
   return record;
}

/* When a store that has retired is in the cache, in order: two to one line in a
 * cycle. */
static void release(Pipeline* p, const PipelineStep* s, Record* record)
{
   Cause cause;
   uint64_t done = cg2p_supply_store(&p->supply, s->rates, s->rests,
                                     record->address, p->retiring.at, &cause);
   bool is_same =
      !p->retiring.is_paired &&
      record->address.root == p->retiring.last_stored.root &&
      record->address.offset >> 6 == p->retiring.last_stored.offset >> 6;
   p->retiring.stored_at = later(done, p->retiring.stored_at + !is_same);
   p->retiring.is_paired = is_same;
   p->retiring.last_stored = record->address;
   record->released = p->retiring.stored_at;
   enter(&p->buffers.stores, p->retiring.stored_at, cause);
}

/*--- Writing registers --------------------------------------------------*/

static void write_registers(Pipeline* p, const PipelineStep* s)
{
   const cg2p_operation* o = s->o;
   uint64_t source = ready_of(p, o->rule_source);
   bool keeps = s->work->kind == WORK_MOVES; /* eliminated or not */
   bool adds = keeps && o->reads[0] < CG2P_REGISTERS
                  ? p->executing.adds_floats[o->reads[0]]
                  : o->adds_floats;
   bool loads = keeps && o->reads[0] < CG2P_REGISTERS
                   ? p->executing.loads[o->reads[0]]
                   : s->work->is_load;
   for (int i = 0; i < o->n_writes; i++)
      if (o->writes[i] < CG2P_REGISTERS) {
         p->executing.ready[o->writes[i]] = s->result;
         p->executing.hidden[o->writes[i]] = s->hidden;
         p->executing.adds_floats[o->writes[i]] = adds;
         p->executing.loads[o->writes[i]] = loads;
      }
   bool has_access = o->access.loads || o->access.stores;
   if (o->rule == CG2P_VALUE_ADD && has_access &&
       o->rule_destination < CG2P_REGISTERS) {
      p->executing.ready[o->rule_destination] =
         later(source, s->dispatched) + p->executing.has_slow_sums;
      p->executing.hidden[o->rule_destination] = 0;
      p->executing.loads[o->rule_destination] = false;
   }
   cg2p_storage_write(&p->storage, o, s->number, s->memory.address,
                      s->memory.loaded);
}

/*--- Retiring -----------------------------------------------------------*/

static void retire(Pipeline* p, PipelineStep* s)
{
   const CoreNumbers* n = &p->core->numbers;
   uint64_t done = later(p->history.until, s->dispatched + 1) + 1;
   if (done > p->retiring.at) {
      p->retiring.at = done;
      p->retiring.slots = 0;
   }
   p->retiring.slots += s->slots;
   while (p->retiring.slots > n->sizes.retire) {
      p->retiring.at++;
      p->retiring.slots -= n->sizes.retire;
   }
   uint64_t slots = s->slots, due = p->retiring.charged_to + slots;
   uint64_t at = p->retiring.at * n->sizes.width;
   uint64_t lost = at > due ? at - due : 0;
   p->retiring.charged_to = due + lost;
   if (p->is_charged) {
      cg2p_charges_add(&p->charges[s->number],
                       &p->charges[p->fetching.last.missed], &p->history,
                       n->sizes.width, slots, lost);
      cg2p_charges_add_happened(s->happened, &p->history.happened);
   }
   for (uint32_t i = 0; i < s->slots; i++)
      enter(&p->buffers.reorder, p->retiring.at, CAUSE_CHAIN);
   if (s->o->access.loads || s->o->access2.loads)
      enter(&p->buffers.loads, p->retiring.at, CAUSE_CHAIN);
   if (s->memory.store) release(p, s, s->memory.store);
   if (s->memory.store2) release(p, s, s->memory.store2);
}

/*--- Going on -----------------------------------------------------------*/

/* Whether a branch is none of the last ones whose targets are known at once. */
static bool is_beyond(Pipeline* p, const PipelineStep* s)
{
   Recent* branches = &p->fetching.branches;
   return branches->sets && !cg2p_recent_meet(branches, s->number + 1, 1);
}

/* Bubbles behind a jump, or a call, to a target that is computed. */
static uint64_t bubbles_of_computed(const Pipeline* p, const PipelineStep* s)
{
   const CoreFetching* n = &p->core->numbers.fetching;
   WayRange ways = p->graph->spots[s->number].ways;
   return n->indirect + (ways.end - ways.first > 1 ? n->several : 0);
}

/* Bubbles behind the jump to a computed target that a stub ends with. Where
 * predicting is before fetching, such a jump, which has one target, has none.
 */
static uint64_t bubbles_of_stub(const CoreNumbers* n)
{
   return n->fetching.taken +
          (n->fetching.decoupled ? 0 : n->fetching.indirect);
}

/* Goes to the target of a jump: in the same cycle, if nothing delays it but
 * that it is taken, and others may be. Nothing predicts beyond one in code that
 * has just come. */
static void jump(Pipeline* p, uint64_t late)
{
   const CoreFetching* n = &p->core->numbers.fetching;
   p->fetching.jumps++;
   if (!late || (late <= n->taken && p->fetching.jumps < n->jumps)) return;
   if (n->decoupled) {
      if (p->fetching.is_cold)
         p->fetching.predicted_at =
            later(p->fetching.predicted_at, p->fetching.at);
      p->fetching.predicted_at += late;
      late = n->taken;
   }
   fetch_anew(p, p->fetching.at + late);
}

static void redirect(Pipeline* p, const PipelineStep* s, bool taken)
{
   const CoreNumbers* n = &p->core->numbers;
   uint32_t kind = s->o->step.kind;
   bool is_missed =
      s->rates->mispredicted &&
      cg2p_walk_happens(&s->rests->mispredicted, s->rates->mispredicted);
   bool has_stub = p->graph->spots[s->number].stub;
   uint64_t late = n->fetching.taken;
   if (kind == CG2P_RETURNS) late += n->fetching.returns;
   bool is_computed =
      kind == CG2P_JUMPS_COMPUTED || kind == CG2P_CALLS_COMPUTED;
   if (is_computed) late += bubbles_of_computed(p, s);
   if (p->fetching.is_cold) late += n->fetching.far;
   if (taken && is_beyond(p, s)) late += n->fetching.beyond;
   p->fetching.last.computed = CG2P_NONE;
   if (is_missed) {
      p->fetching.last.missed = s->number;
      if (p->is_charged) s->happened->of[CAUSE_BRANCH]++;
      uint64_t again =
         later(s->result, s->memory.loaded_at) + 1 + n->sizes.refill;
      if (again > p->fetching.at) {
         fetch_anew(p, again);
         p->fetching.cause = CAUSE_BRANCH;
      }
   } else if (taken) {
      jump(p, late);
      if (has_stub) jump(p, bubbles_of_stub(n));
      if (is_computed || has_stub) p->fetching.last.computed = s->number;
   }
   p->fetching.goes_elsewhere = taken;
   /* The first level of known branches is smaller than that of code. */
   if (is_missed || (taken && p->fetching.is_cold))
      p->fetching.predicted_at =
         later(p->fetching.predicted_at, p->fetching.at);
}

void cg2p_pipeline_expect(const Pipeline* p, uint32_t number)
{
   const char* o = (const char*)p->graph->spots[number].operation;
   __builtin_prefetch(o);
   __builtin_prefetch(o + LINE);
   __builtin_prefetch(&p->workload->of[number]);
   __builtin_prefetch(&p->workload->rates.numbers[number]);
   __builtin_prefetch(&p->charges[number], 1);
}

/* Sets what the stages read that none of them has set before. */
static void begin_step(const Pipeline* p, PipelineStep* s, uint32_t number)
{
   uint32_t rates = p->workload->rates.numbers[number];
   s->number = number;
   s->o = p->graph->spots[number].operation;
   s->work = &p->workload->of[number];
   s->rates = &p->workload->rates.of[rates];
   s->rests = &p->rated[rates].rests;
   s->happened = &p->rated[rates].happened;
   s->hidden = 0;
   s->memory.loaded_at = 0;
   s->memory.loaded = (SymbolicValue){0, 0};
   s->memory.store = s->memory.store2 = NULL;
}

void cg2p_pipeline_step(Pipeline* p, uint32_t number, bool taken)
{
   PipelineStep s;
   begin_step(p, &s, number);
   fetch(p, &s);
   dispatch(p, &s);
   s.memory.address_ready = s.dispatched + 1;
   if (s.is_synchronized) synchronize(p, &s);
   for (int i = 0; i < s.o->n_address; i++)
      s.memory.address_ready =
         later(s.memory.address_ready, ready_of(p, s.o->address[i]));
   s.memory.address = cg2p_storage_address(&p->storage, &s.o->access);
   if (s.o->access.loads && s.o->access.size) load(p, &s);
   execute(p, &s);
   if (s.o->access.stores && s.o->access.size)
      s.memory.store = store(p, &s, &s.o->access);
   if (s.o->access2.stores && s.o->access2.size)
      s.memory.store2 = store(p, &s, &s.o->access2);
   write_registers(p, &s);
   retire(p, &s);
   redirect(p, &s, taken);
}

/*--- Windows ------------------------------------------------------------*/

static void draw_rests(Rates* rests, Random* random)
{
   uint32_t* of = (uint32_t*)rests;
   for (int i = 0; i < RATES; i++)
      of[i] = cg2p_walk_random(random);
}

void cg2p_pipeline_begin(Pipeline* p,
                         Failure* failure,
                         const cg2p_core* core,
                         const ControlGraph* graph,
                         const Workload* workload,
                         const Forwards* forwards,
                         uint32_t length,
                         uint64_t seed)
{
   size_t n = (size_t)graph->n + 1, n_rates = workload->rates.n;
   Random random;
   p->core = core;
   p->graph = graph;
   p->workload = workload;
   cg2p_laststores_begin(&p->executing.stores, failure, forwards, seed);
   p->executing.has_slow_sums = strcmp(core->title.code, "x86-64") != 0;
   p->charges = cg2p_memory_allocate(failure, n * sizeof *p->charges);
   p->rated = cg2p_memory_allocate(failure, n_rates * sizeof *p->rated);
   cg2p_walk_seed(&random, ~seed);
   for (size_t i = 0; i < n_rates; i++)
      draw_rests(&p->rated[i].rests, &random);
   cg2p_storage_begin(&p->storage, failure, length);
   cg2p_supply_begin(&p->supply, &core->numbers);
   cg2p_recent_begin(&p->fetching.decoded, failure, core->numbers.decoding.sets,
                     core->numbers.decoding.ways);
   cg2p_recent_begin(&p->fetching.branches, failure,
                     core->numbers.fetching.near / NEAR_WAYS, NEAR_WAYS);
   cg2p_ports_begin(&p->ports, core);
}

void cg2p_pipeline_forget(Pipeline* p)
{
   enum { BETWEEN = 10000 }; /* cycles between windows */
   uint64_t now = p->retiring.at + BETWEEN;
   p->is_charged = false;
   cg2p_storage_forget(&p->storage);
   cg2p_supply_forget(&p->supply, now);
   cg2p_ports_forget(&p->ports, now);
   cg2p_aliases_forget(&p->dispatching.aliases, now);
   p->dispatching.has_moved = false;
   p->fetching.predicted_at = now;
   p->fetching.code_link = now * CORE_GRAINS;
   p->fetching.n_lines = 0;
   p->fetching.goes_elsewhere = p->fetching.is_cold = false;
   p->fetching.last.computed = CG2P_NONE;
   p->fetching.at = p->dispatching.at = p->retiring.at = p->retiring.stored_at =
      now;
   p->fetching.slots = p->dispatching.slots = p->retiring.slots = 0;
   p->fetching.cause = p->dispatching.cause = CAUSE_FRONT_END;
   p->buffers.queue.n = p->buffers.reorder.n = p->buffers.loads.n =
      p->buffers.stores.n = 0;
   p->executing.divider = now;
   p->retiring.charged_to = now * p->core->numbers.sizes.width;
   p->retiring.is_paired = false;
   p->retiring.last_stored = (SymbolicValue){1, 0};
   for (int i = 0; i < CG2P_REGISTERS; i++) {
      p->executing.ready[i] = now;
      p->executing.hidden[i] = 0;
      p->executing.adds_floats[i] = p->executing.loads[i] = false;
   }
}

void cg2p_pipeline_free(Pipeline* p)
{
   free(p->charges);
   free(p->rated);
   cg2p_laststores_free(&p->executing.stores);
   cg2p_storage_free(&p->storage);
   cg2p_recent_free(&p->fetching.decoded);
   cg2p_recent_free(&p->fetching.branches);
}
