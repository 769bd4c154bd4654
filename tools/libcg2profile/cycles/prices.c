#include "cycles/prices.h"

#include <stdlib.h>

static uint64_t ir_of(const Prices* prices, uint32_t spot)
{
   return prices->gathering->counters[(size_t)spot * COUNTERS + COUNT_IR];
}

static uint64_t divide(unsigned __int128 a, unsigned __int128 b)
{
   unsigned __int128 price = b ? a / b : 0;
   return price <= UINT64_MAX ? price : UINT64_MAX;
}

static void price_of_visits(const Prices* prices, uint32_t spot, Price* price)
{
   const Charge* charge = &prices->charges[spot];
   unsigned __int128 by = charge->visits * (unsigned __int128)prices->width;
   by *= ir_of(prices, spot);
   for (int c = 0; c < CAUSES; c++) {
      unsigned __int128 spent = charge->spent[c];
      price->of[c] =
         divide((spent * prices->graph->spots[spot].count) << PRICE_BITS, by);
   }
}

static void price_of_sum(const PriceSum* sum, Price* price)
{
   for (int c = 0; c < CAUSES; c++)
      price->of[c] = divide(sum->of[c], sum->ir);
}

void cg2p_prices_of(const Prices* prices, uint32_t spot, Price* price)
{
   uint32_t routine = prices->graph->spots[spot].routine;
   if (prices->charges[spot].visits)
      price_of_visits(prices, spot, price);
   else if (routine != CG2P_NONE && prices->routines[routine].ir)
      price_of_sum(&prices->routines[routine], price);
   else
      price_of_sum(&prices->all, price);
}

static void add(PriceSum* sum, const Price* price, uint64_t ir)
{
   for (int c = 0; c < CAUSES; c++)
      sum->of[c] += (unsigned __int128)price->of[c] * ir;
   sum->ir += ir;
}

void cg2p_prices_find(Prices* prices,
                      Failure* failure,
                      const ControlGraph* graph,
                      const Gathering* gathering,
                      const Charge* charges,
                      uint64_t width)
{
   *prices = (Prices){.graph = graph,
                      .gathering = gathering,
                      .charges = charges,
                      .width = width};
   prices->routines = cg2p_memory_allocate(
      failure, ((size_t)graph->n_routines + 1) * sizeof *prices->routines);
   for (uint32_t i = 0; i < graph->n; i++) {
      uint64_t ir = ir_of(prices, i);
      if (charges[i].visits) {
         Price price;
         price_of_visits(prices, i, &price);
         add(&prices->all, &price, ir);
         if (graph->spots[i].routine != CG2P_NONE)
            add(&prices->routines[graph->spots[i].routine], &price, ir);
      } else if (graph->spots[i].operation)
         prices->n_unvisited += ir;
   }
}

void cg2p_prices_free(Prices* prices)
{
   free(prices->routines);
}
