/* What an Ir of each spot costs, by cause, as the walk charged it. */
#ifndef CG2P_PRICES_H
#define CG2P_PRICES_H

#include "cycles/charges.h"
#include "cycles/work.h"

enum { PRICE_BITS = 24 }; /* of a price behind the point */

typedef struct Price {
   uint64_t of[CAUSES];
} Price;

/* Sums of what spots cost, times 2^PRICE_BITS, and of their Ir. */
typedef struct PriceSum {
   unsigned __int128 of[CAUSES_APART];
   unsigned __int128 ir;
} PriceSum;

typedef struct Prices {
   const ControlGraph* graph;
   const Gathering* gathering;
   const Workload* workload;
   const CoreNumbers* numbers;
   const Charge* charges;
   const RatedSpot* rated; /* by number of rates */
   /* What it costs when something happens once, of all that comes at rates,
    * where the walk rarely came. */
   uint64_t each[CAUSES_APART];
   PriceSum* routines; /* of spots that were visited */
   PriceSum all;
   uint64_t n_unvisited; /* Ir of spots that are known, and were not */
} Prices;

/* Sets `routines` and what follows from the rest of *prices. */
void cg2p_prices_find(Prices* prices, Failure* failure);
/* The price of a spot; of one that was not visited that of its routine, or of
 * all. */
void cg2p_prices_of(const Prices* prices, uint32_t spot, Price* price);
void cg2p_prices_free(Prices* prices);

#endif
