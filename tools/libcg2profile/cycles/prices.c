#include "cycles/prices.h"

#include <stdlib.h>

typedef unsigned __int128 Spent;

static uint64_t ir_of(const Prices* prices, uint32_t spot)
{
   return prices->gathering->counters[(size_t)spot * COUNTERS + COUNT_IR];
}

static uint64_t divide(Spent a, Spent b)
{
   Spent price = b ? a / b : 0;
   return price <= UINT64_MAX ? price : UINT64_MAX;
}

/*--- What comes at rates ------------------------------------------------*/

/* How much happens at a spot each time, of what a cause counts: misses of
 * loads, mispredictions; cycles of code and of translation. 2^32 are one. */
static uint64_t
expected(const Rates* rates, const CoreNumbers* n, uint32_t cause)
{
   switch (cause) {
   case CAUSE_BRANCH:
      return rates->mispredicted;
   case CAUSE_LEVEL_1:
   case CAUSE_LEVEL_2:
   case CAUSE_LAST_LEVEL:
      return rates->read[cause - CAUSE_LEVEL_1];
   case CAUSE_TRANSLATION:
      return rates->translation[0] * n->memory.tlb +
             rates->translation[1] * (n->memory.tlb + n->memory.walk);
   case CAUSE_CODE:
      return rates->code[0] * n->memory.level2 +
             rates->code[1] * n->memory.level3 +
             rates->code[2] * n->memory.memory;
   default:
      return 0;
   }
}

/* How long something takes that no visited spot says it of. */
static uint64_t assumed(const CoreNumbers* n, uint32_t cause)
{
   const uint64_t of[CAUSES_APART] = {[CAUSE_BRANCH] = n->sizes.refill,
                                      [CAUSE_LEVEL_1] = n->memory.level2,
                                      [CAUSE_LEVEL_2] = n->memory.level3,
                                      [CAUSE_LAST_LEVEL] = n->memory.memory,
                                      [CAUSE_TRANSLATION] = 1,
                                      [CAUSE_CODE] = 1};
   return of[cause] * n->sizes.width;
}

/* Whether a spot was visited so rarely that it is chance what happened there:
 * it costs as often as the profile counts what it costs elsewhere. */
static bool is_rare(const Charge* charge)
{
   enum { FEW = 64 };
   return charge->visits < FEW;
}

static const Happenings* happened_at(const Prices* prices, uint32_t spot)
{
   return &prices->rated[prices->workload->rates.numbers[spot]].happened;
}

static void set_each(Prices* prices, uint32_t cause)
{
   Spent spent = 0, happened = 0;
   for (uint32_t i = 0; i < prices->graph->n; i++) {
      const Charge* charge = &prices->charges[i];
      if (!charge->visits || !is_rare(charge)) continue;
      if (!expected(cg2p_rates_at(&prices->workload->rates, i), prices->numbers,
                    cause))
         continue;
      Spent count = (Spent)prices->graph->spots[i].count << PRICE_BITS;
      spent += count * charge->spent[cause] / charge->visits;
      happened += count * happened_at(prices, i)->of[cause] / charge->visits;
   }
   happened >>= PRICE_BITS;
   prices->each[cause] = happened
                            ? divide(spent, happened)
                            : assumed(prices->numbers, cause) << PRICE_BITS;
}

/*--- Prices -------------------------------------------------------------*/

/* What a visit costs. */
static Spent of_visit(const Prices* prices, uint32_t spot, uint32_t cause)
{
   const Charge* charge = &prices->charges[spot];
   uint64_t often = expected(cg2p_rates_at(&prices->workload->rates, spot),
                             prices->numbers, cause);
   if (often && is_rare(charge))
      return (Spent)often * prices->each[cause] >> SHARE_BITS;
   return charge->visits
             ? ((Spent)charge->spent[cause] << PRICE_BITS) / charge->visits
             : 0;
}

/* What an Ir costs. */
static uint64_t of_ir(const Prices* prices, uint32_t spot, uint32_t cause)
{
   return divide(of_visit(prices, spot, cause) *
                    prices->graph->spots[spot].count,
                 (Spent)ir_of(prices, spot) * prices->numbers->sizes.width);
}

/* Whether prices of a cause come of what was counted, without a visit. */
static bool comes_at_rates(uint32_t cause)
{
   return cause == CAUSE_BRANCH || cause >= CAUSE_LEVEL_1;
}

static uint64_t price_of(const Prices* prices, uint32_t spot, uint32_t cause)
{
   uint32_t routine = prices->graph->spots[spot].routine;
   if (prices->charges[spot].visits ||
       (comes_at_rates(cause) && prices->graph->spots[spot].operation))
      return of_ir(prices, spot, cause);
   const PriceSum* sum = routine != CG2P_NONE && prices->routines[routine].ir
                            ? &prices->routines[routine]
                            : &prices->all;
   return divide(sum->of[cause], sum->ir);
}

void cg2p_prices_of(const Prices* prices, uint32_t spot, Price* price)
{
   for (int c = 0; c < CAUSES; c++)
      price->of[c] = price_of(prices, spot, c);
   price->of[CAUSE_FRONT_END] += price_of(prices, spot, CAUSE_CODE);
}

static void add(PriceSum* sum, const Prices* prices, uint32_t spot)
{
   uint64_t ir = ir_of(prices, spot);
   for (int c = 0; c < CAUSES_APART; c++)
      sum->of[c] += (Spent)of_ir(prices, spot, c) * ir;
   sum->ir += ir;
}

void cg2p_prices_find(Prices* prices, Failure* failure)
{
   const ControlGraph* graph = prices->graph;
   for (uint32_t c = 0; c < CAUSES_APART; c++)
      set_each(prices, c);
   prices->routines = cg2p_memory_allocate(
      failure, ((size_t)graph->n_routines + 1) * sizeof *prices->routines);
   for (uint32_t i = 0; i < graph->n; i++)
      if (prices->charges[i].visits) {
         add(&prices->all, prices, i);
         if (graph->spots[i].routine != CG2P_NONE)
            add(&prices->routines[graph->spots[i].routine], prices, i);
      } else if (graph->spots[i].operation)
         prices->n_unvisited += ir_of(prices, i);
}

void cg2p_prices_free(Prices* prices)
{
   free(prices->routines);
}
