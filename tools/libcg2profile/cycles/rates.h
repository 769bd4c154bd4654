/* How often at each spot something goes wrong that the simulators have counted:
 * data or code that level 1 does not have, translations, mispredictions. At
 * most spots nothing does. */
#ifndef CG2P_RATES_H
#define CG2P_RATES_H

#include "cycles/controlgraph.h"

/* How large a share of its runs, less than 2^32; of levels, those that just
 * this level answers: the second, the last, memory. */
typedef struct Rates {
   uint32_t read[3], write[3];
   uint32_t read_brought[3], write_brought[3]; /* from there, in time */
   uint32_t code[3];
   uint32_t translation[2]; /* by the second TLB, by a walk */
   uint32_t mispredicted;
} Rates;

enum { RATES = sizeof(Rates) / sizeof(uint32_t) };

typedef struct RateTable {
   Rates* of; /* those of number 0 are 0 */
   size_t n, room;
   uint32_t* numbers; /* by spot; 0: nothing goes wrong there */
} RateTable;

void cg2p_rates_find(RateTable* table,
                     Failure* failure,
                     const ControlGraph* graph,
                     const Gathering* gathering);
void cg2p_rates_free(RateTable* table);

static inline const Rates* cg2p_rates_at(const RateTable* table, uint32_t spot)
{
   return &table->of[table->numbers[spot]];
}

#endif
