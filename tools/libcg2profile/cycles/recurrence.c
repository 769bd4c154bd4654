#include "cycles/recurrence.h"

#include <stdlib.h>
enum { ITERATIONS = 32, NO_EVENT = -1 };

typedef struct DataFlow {
   const LoopPath* path;
   const ControlGraph* graph;
   const Workload* workload;
   const CoreNumbers* numbers;
   Recurrence* memory;
   int32_t writers[CG2P_REGISTERS]; /* events */
   bool loads[CG2P_REGISTERS];      /* they are loads */
   int32_t n;
} DataFlow;

/* What an event waits for: the last of some. */
static void
wait_for(const DataFlow* flow, RecurrenceEvent* event, int32_t other)
{
   if (other == NO_EVENT || flow->memory->events[other].at <= event->at) return;
   event->at = flow->memory->events[other].at;
   event->from = other;
}

static int32_t writer_of(const DataFlow* flow, uint8_t number)
{
   return number < CG2P_REGISTERS ? flow->writers[number] : NO_EVENT;
}

/* Waits for the load; its value. */
static SymbolicValue load(DataFlow* flow,
                          RecurrenceEvent* event,
                          uint32_t spot,
                          SymbolicValue address)
{
   const cg2p_operation* o = flow->graph->spots[spot].operation;
   const CoreNumbers* n = flow->numbers;
   bool mixed;
   Record* store = cg2p_storage_find(&flow->memory->storage, address,
                                     o->access.size, &mixed);
   if (!store || cg2p_laststores_know(flow->memory->stores, flow->graph, spot,
                                      store->spot)) {
      mixed = false;
      store = cg2p_laststores_usual(flow->memory->stores, flow->graph,
                                    flow->memory->window, spot, &mixed);
   }
   const Work* work = &flow->workload->of[spot];
   uint8_t base = o->access.base;
   bool is_chase = base < CG2P_REGISTERS && flow->loads[base];
   uint64_t hit =
      event->at + (is_chase ? work->chase_latency : work->load_latency);
   event->at = hit;
   if (store) {
      bool is_fast = cg2p_laststores_is_fast(flow->memory->stores, flow->graph,
                                             spot, store, &n->forwarding);
      uint64_t late = mixed     ? n->forwarding.failed
                      : is_fast ? n->forwarding.fast
                                : n->forwarding.latency;
      if (o->is_vector) late += n->forwarding.vector;
      if (store->ready + late > hit || is_fast) {
         event->at = store->ready + late;
         event->from = (int32_t)store->released;
      }
   }
   return cg2p_storage_load(&flow->memory->storage, address, o->access.size,
                            store, mixed);
}

static void write_registers(DataFlow* flow,
                            uint32_t spot,
                            SymbolicValue address,
                            SymbolicValue loaded)
{
   const cg2p_operation* o = flow->graph->spots[spot].operation;
   int32_t source = writer_of(flow, o->rule_source);
   bool has_access = o->access.loads || o->access.stores;
   const Work* work = &flow->workload->of[spot];
   bool keeps = work->kind == WORK_MOVES && o->reads[0] < CG2P_REGISTERS;
   bool is_load = keeps ? flow->loads[o->reads[0]] : work->is_load;
   for (int i = 0; i < o->n_writes; i++)
      if (o->writes[i] < CG2P_REGISTERS) {
         flow->writers[o->writes[i]] = flow->n;
         flow->loads[o->writes[i]] = is_load;
      }
   if (o->rule == CG2P_VALUE_ADD && has_access &&
       o->rule_destination < CG2P_REGISTERS) {
      flow->writers[o->rule_destination] = source;
      flow->loads[o->rule_destination] = false;
   }
   cg2p_storage_write(&flow->memory->storage, o, spot, address, loaded);
}

static void store(DataFlow* flow,
                  uint32_t spot,
                  const cg2p_access* access,
                  SymbolicValue loaded)
{
   const cg2p_operation* o = flow->graph->spots[spot].operation;
   if (!access->stores || !access->size) return;
   SymbolicValue to = cg2p_storage_address(&flow->memory->storage, access);
   SymbolicValue value =
      cg2p_storage_stored(&flow->memory->storage, o, spot, loaded);
   Record* record =
      cg2p_storage_store(&flow->memory->storage, to, access->size, value);
   record->ready = flow->memory->events[flow->n].at;
   record->released = flow->n;
   record->spot = spot;
   record->base = access->base;
   record->is_plain = access->index == CG2P_NO_REGISTER;
   cg2p_laststores_add(flow->memory->stores, flow->memory->window, spot,
                       record);
}

static void add_event(DataFlow* flow, uint32_t spot)
{
   const cg2p_operation* o = flow->graph->spots[spot].operation;
   const Work* work = &flow->workload->of[spot];
   RecurrenceEvent* event = &flow->memory->events[flow->n];
   *event = (RecurrenceEvent){0, NO_EVENT};
   for (int i = 0; i < o->n_address; i++)
      wait_for(flow, event, writer_of(flow, o->address[i]));
   SymbolicValue address =
      cg2p_storage_address(&flow->memory->storage, &o->access);
   SymbolicValue loaded = {0, 0};
   if (o->access.loads && o->access.size)
      loaded = load(flow, event, spot, address);
   for (int i = 0; i < o->n_reads; i++)
      wait_for(flow, event, writer_of(flow, o->reads[i]));
   event->at += work->kind == WORK_EXECUTES ? work->latency : 0;
   if (work->kind == WORK_IS_FREE) *event = (RecurrenceEvent){0, NO_EVENT};
   store(flow, spot, &o->access, loaded);
   store(flow, spot, &o->access2, loaded);
   write_registers(flow, spot, address, loaded);
   flow->n++;
}

/* The last event of an iteration to be done. */
static int32_t last_of(const DataFlow* flow, int32_t iteration)
{
   int32_t first = iteration * (int32_t)flow->path->n, last = first;
   for (int32_t i = first; i < first + (int32_t)flow->path->n; i++)
      if (flow->memory->events[i].at > flow->memory->events[last].at) last = i;
   return last;
}

/* Follows the chain back until it comes to a spot again: what lies between is
 * what goes around. */
static void trace(const DataFlow* flow, LoopChain* chain)
{
   int32_t seen[LOOP_MAX], n = flow->path->n;
   for (int32_t i = 0; i < n; i++)
      seen[i] = NO_EVENT;
   int32_t at = last_of(flow, ITERATIONS - 1);
   while (at != NO_EVENT && seen[at % n] == NO_EVENT) {
      seen[at % n] = at;
      at = flow->memory->events[at].from;
   }
   if (at == NO_EVENT) return;
   int32_t end = seen[at % n];
   uint64_t cycles = flow->memory->events[end].at - flow->memory->events[at].at;
   chain->cycles = (double)cycles * n / (end - at);
   for (int32_t e = end; e != at; e = flow->memory->events[e].from)
      chain->n++;
   uint32_t place = chain->n;
   for (int32_t e = end; e != at; e = flow->memory->events[e].from)
      chain->spots[--place] = flow->path->spots[e % n];
}

void cg2p_recurrence_find(LoopChain* chain,
                          Recurrence* memory,
                          Failure* failure,
                          const LoopPath* path,
                          const ControlGraph* graph,
                          const Workload* workload,
                          const CoreNumbers* numbers)
{
   DataFlow flow = {.memory = memory,
                    .path = path,
                    .graph = graph,
                    .workload = workload,
                    .numbers = numbers};
   size_t n = (size_t)path->n * ITERATIONS;
   cg2p_storage_begin(&memory->storage, failure, n);
   cg2p_storage_forget(&memory->storage);
   memory->window--;
   memory->events = cg2p_memory_allocate(failure, n * sizeof *memory->events);
   for (int i = 0; i < CG2P_REGISTERS; i++)
      flow.writers[i] = NO_EVENT;
   for (size_t i = 0; i < n; i++)
      add_event(&flow, path->spots[i % path->n]);
   chain->cycles = 0;
   chain->n = 0;
   trace(&flow, chain);
   cg2p_recurrence_free(memory);
}

void cg2p_recurrence_free(Recurrence* memory)
{
   cg2p_storage_free(&memory->storage);
   free(memory->events);
   memory->storage = (Storage){.records = NULL};
   memory->events = NULL;
}
