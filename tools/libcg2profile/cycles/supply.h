/* Where data come from: lines that are under way, what links between levels
 * carry, walks through page tables. The simulated caches said how often; this
 * says how long it takes. */
#ifndef CG2P_SUPPLY_H
#define CG2P_SUPPLY_H

#include "cycles/charges.h"
#include "cycles/storage.h"
#include "cycles/walk.h"
#include "cycles/work.h"

enum {
   SUPPLY_LINES = 1024,
   SUPPLY_SLOTS = 1024,
   SUPPLY_SETS = 1024,
   SUPPLY_SPANS = 1024
};

/* Things of which there are few, each busy until some time. */
typedef struct Slots {
   uint64_t n, until[SUPPLY_SLOTS];
} Slots;

/* A line that was asked for lately. */
typedef struct SuppliedLine {
   uint64_t key, arrives;
   uint32_t window;
   uint8_t level; /* that it came from, 1: the second */
   bool is_clean; /* and nothing was stored to it */
} SuppliedLine;

/* A set of level 1, as far as lines at a constant distance from each other are
 * concerned: of others it is not known which set they come to. */
typedef struct SuppliedSet {
   uint64_t key, until; /* when it has taken a line */
   uint32_t window;
   bool is_dirty; /* lines that it has, and that the next ones take the places
                     of, were stored to */
} SuppliedSet;

/* What a link between levels carries in each of the last and next spans of
 * SPAN cycles, by their number: loads ask in the order of the program, but not
 * of time. */
typedef struct LevelLink {
   uint64_t spans[SUPPLY_SPANS];
   uint32_t carried[SUPPLY_SPANS]; /* grains of it that are taken */
} LevelLink;

typedef struct Supply {
   const CoreNumbers* numbers;
   Slots fills, superqueue, walkers;
   LevelLink links[3];
   uint32_t window;
   SuppliedLine lines[SUPPLY_LINES];
   SuppliedSet sets[SUPPLY_SETS];
} Supply;

void cg2p_supply_begin(Supply* supply, const CoreNumbers* numbers);
void cg2p_supply_forget(Supply* supply, uint64_t now);
/* When a load's data are there whose access begins at history->until and takes
 * `hit` if level 1 has them. *rests are what is left over of the rates. */
uint64_t cg2p_supply_load(Supply* supply,
                          History* history,
                          const Rates* rates,
                          Rates* rests,
                          SymbolicValue address,
                          uint64_t hit);
/* When a store that retires at `retired` is in level 1. *cause: what kept it.
 */
uint64_t cg2p_supply_store(Supply* supply,
                           const Rates* rates,
                           Rates* rests,
                           SymbolicValue address,
                           uint64_t retired,
                           Cause* cause);
/* How long code takes to come; 0: it is there. */
uint64_t
cg2p_supply_code(const Supply* supply, const Rates* rates, Rates* rests);

#endif
