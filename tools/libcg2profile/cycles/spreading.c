#include "cycles/spreading.h"

#include <stdlib.h>
#include <string.h>

/*--- Self costs ---------------------------------------------------------*/

/* Whole cycles of a line; what is less waits for the next lines, so that sums
 * are right. */
static void
price_line(Spreading* s, uint32_t function, const Line* line, uint64_t* cycles)
{
   const uint64_t mask = ((uint64_t)1 << PRICE_BITS) - 1;
   uint32_t object = s->part->functions[function].object;
   uint32_t spot =
      cg2p_gathering_spot(s->objects, object, line->at.instr, CG2P_NONE);
   Price price;
   cg2p_prices_of(s->prices, spot, &price);
   for (int c = 0; c < CAUSES; c++) {
      unsigned __int128 sum =
         (unsigned __int128)price.of[c] * line->cost[s->ir] + s->fractions[c];
      cycles[c] = sum >> PRICE_BITS;
      s->fractions[c] = (uint64_t)sum & mask;
   }
}

static void add_self(Spreading* s)
{
   const Part* part = s->part;
   uint64_t cost[part->n_events], cycles[CAUSES];
   Line line = {.cost = cost};
   for (uint32_t f = 0; f < part->n_functions; f++) {
      if (!cg2p_part_first_run(part, f)) continue;
      LineCursor cursor = cg2p_part_lines(part, f);
      while (cg2p_lines_next(&cursor, &line)) {
         if (line.kind != CG2P_COST) continue;
         price_line(s, f, &line, cycles);
         for (int c = 0; c < CAUSES; c++)
            s->self[f][c] += cycles[c];
      }
   }
   memset(s->fractions, 0, sizeof s->fractions);
}

/*--- Arcs ---------------------------------------------------------------*/

/* Functions that call each other, and what they cost together. */
typedef struct Circle {
   uint64_t ir, of[CAUSES], rests[CAUSES];
} Circle;

static void add_function(Spreading* s,
                         const uint32_t* circles,
                         uint32_t function,
                         Circle* circle)
{
   const Groups* arcs = &s->by_caller;
   circle->ir += cg2p_part_self(s->part, function)[s->ir];
   for (int c = 0; c < CAUSES; c++)
      circle->of[c] += s->self[function][c];
   for (uint32_t k = arcs->first[function]; k < arcs->first[function + 1];
        k++) {
      uint32_t arc = arcs->items[k];
      if (circles[s->part->arcs[arc].callee] == circles[function]) continue;
      circle->ir += s->arcs[arc].ir;
      for (int c = 0; c < CAUSES; c++)
         circle->of[c] += s->arcs[arc].of[c];
   }
}

/* What an arc into a circle costs. */
static void set_arc(ArcRest* arc, Circle* circle)
{
   uint64_t ir = arc->ir < circle->ir ? arc->ir : circle->ir;
   for (int c = 0; c < CAUSES && circle->ir; c++) {
      unsigned __int128 all =
         (unsigned __int128)circle->of[c] * ir + circle->rests[c];
      arc->of[c] = all / circle->ir;
      circle->rests[c] = all % circle->ir;
   }
}

/* Callees come before their callers. */
static void set_arcs(Spreading* s, Failure* failure)
{
   const Part* part = s->part;
   uint32_t n = part->n_functions, n_arcs = part->n_arcs;
   uint32_t* callees =
      cg2p_arena_add(&s->arena, failure, (n_arcs + 1) * sizeof *callees);
   uint32_t* circles =
      cg2p_components_find(&s->arena, failure, n, part->arcs, n_arcs);
   for (uint32_t i = 0; i < n_arcs; i++)
      callees[i] = part->arcs[i].callee;
   Groups members = cg2p_components_group(&s->arena, failure, circles, n, n);
   Groups into = cg2p_components_group(&s->arena, failure, callees, n_arcs, n);
   for (uint32_t i = 0; i < n; i++) {
      Circle circle = {0};
      for (uint32_t k = members.first[i]; k < members.first[i + 1]; k++)
         add_function(s, circles, members.items[k], &circle);
      for (uint32_t k = members.first[i]; k < members.first[i + 1]; k++) {
         uint32_t callee = members.items[k];
         for (uint32_t a = into.first[callee]; a < into.first[callee + 1]; a++)
            set_arc(&s->arcs[into.items[a]], &circle);
      }
   }
}

void cg2p_spreading_begin(Spreading* s,
                          Failure* failure,
                          const Prices* prices,
                          const CycleObjects* objects,
                          const Part* part,
                          uint32_t ir)
{
   uint32_t n = part->n_functions, n_arcs = part->n_arcs;
   *s = (Spreading){.prices = prices,
                    .objects = objects,
                    .part = part,
                    .ir = ir,
                    .caller = CG2P_NONE};
   s->self = cg2p_memory_allocate(failure, ((size_t)n + 1) * sizeof *s->self);
   s->arcs =
      cg2p_memory_allocate(failure, ((size_t)n_arcs + 1) * sizeof *s->arcs);
   s->arc_to =
      cg2p_memory_allocate(failure, ((size_t)n + 1) * sizeof *s->arc_to);
   uint32_t* callers =
      cg2p_arena_add(&s->arena, failure, (n_arcs + 1) * sizeof *callers);
   for (uint32_t i = 0; i < n_arcs; i++) {
      callers[i] = part->arcs[i].caller;
      s->arcs[i].ir = cg2p_part_inclusive(part, i)[ir];
   }
   s->by_caller = cg2p_components_group(&s->arena, failure, callers, n_arcs, n);
   add_self(s);
   set_arcs(s, failure);
}

/*--- Lines --------------------------------------------------------------*/

static void begin_caller(Spreading* s, uint32_t function)
{
   const Groups* arcs = &s->by_caller;
   for (uint32_t k = arcs->first[function]; k < arcs->first[function + 1]; k++)
      s->arc_to[s->part->arcs[arcs->items[k]].callee] = arcs->items[k] + 1;
   s->caller = function;
}

/* The share of its arc's cycles that a line of calls has. */
static void share_arc(Spreading* s, const Line* line, uint64_t* cycles)
{
   ArcRest* rest = &s->arcs[s->arc_to[line->function] - 1];
   uint64_t ir = line->cost[s->ir] < rest->ir ? line->cost[s->ir] : rest->ir;
   for (int c = 0; c < CAUSES; c++) {
      cycles[c] = rest->ir ? (unsigned __int128)rest->of[c] * ir / rest->ir : 0;
      rest->of[c] -= cycles[c];
   }
   rest->ir -= ir;
}

void cg2p_spreading_line(Spreading* s,
                         uint32_t function,
                         const Line* line,
                         uint64_t* cycles)
{
   if (s->caller != function) begin_caller(s, function);
   memset(cycles, 0, CAUSES * sizeof *cycles);
   if (line->kind == CG2P_COST) price_line(s, function, line, cycles);
   if (line->kind == CG2P_CALL) share_arc(s, line, cycles);
}

void cg2p_spreading_free(Spreading* s)
{
   free(s->self);
   free(s->arcs);
   free(s->arc_to);
   cg2p_arena_free(&s->arena);
}
