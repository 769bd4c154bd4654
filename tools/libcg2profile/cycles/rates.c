#include "cycles/rates.h"

#include <stdlib.h>
#include <string.h>

static uint32_t rate(uint64_t n, uint64_t all)
{
   Share share = cg2p_controlgraph_share(n, all);
   return share < SHARE_WHOLE ? share : UINT32_MAX;
}

static uint64_t less(uint64_t a, uint64_t b)
{
   return a > b ? a - b : 0;
}

/* The shares that each of three levels answers, of counts that miss each. */
static void set_levels(uint32_t* levels, const uint64_t* missed, uint64_t count)
{
   levels[0] = rate(less(missed[0], missed[1]), count);
   levels[1] = rate(less(missed[1], missed[2]), count);
   levels[2] = rate(missed[2], count);
}

static void set_rates(Rates* rates, const uint64_t* counters, uint64_t count)
{
   set_levels(rates->read, counters + COUNT_READ, count);
   set_levels(rates->write, counters + COUNT_WRITE, count);
   set_levels(rates->code, counters + COUNT_CODE, count);
   for (int i = 0; i < 3; i++) {
      rates->read_brought[i] = rate(counters[COUNT_READ_BROUGHT + i], count);
      rates->write_brought[i] = rate(counters[COUNT_WRITE_BROUGHT + i], count);
   }
   const uint64_t* translated = counters + COUNT_TRANSLATION;
   rates->translation[0] = rate(less(translated[0], translated[1]), count);
   rates->translation[1] = rate(translated[1], count);
   rates->mispredicted =
      rate(counters[COUNT_CONDITIONAL_MISSED] +
              counters[COUNT_COMPUTED_MISSED] + counters[COUNT_RETURN_MISSED],
           count);
}

/* Adds rates, unless all are 0; their number. */
static uint32_t add(RateTable* table, Failure* failure, const Rates* rates)
{
   static const Rates none;
   if (table->n && !memcmp(rates, &none, sizeof none)) return 0;
   table->of = cg2p_memory_grow(failure, table->of, &table->room, table->n + 1,
                                sizeof *table->of);
   table->of[table->n] = *rates;
   return table->n++;
}

void cg2p_rates_find(RateTable* table,
                     Failure* failure,
                     const ControlGraph* graph,
                     const Gathering* gathering)
{
   size_t n = (size_t)graph->n + 1;
   Rates rates = {.mispredicted = 0};
   table->numbers = cg2p_memory_allocate(failure, n * sizeof *table->numbers);
   add(table, failure, &rates);
   for (uint32_t i = 0; i < graph->n; i++) {
      const uint64_t* counters = gathering->counters + (size_t)i * COUNTERS;
      set_rates(&rates, counters, graph->spots[i].count);
      table->numbers[i] = add(table, failure, &rates);
   }
}

void cg2p_rates_free(RateTable* table)
{
   free(table->of);
   free(table->numbers);
}
