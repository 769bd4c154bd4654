/* Ports, and the schedulers in front of them. A micro-operation is bound to a
 * port of its set when it is dispatched: to one in whose scheduler the fewest
 * wait, and of several to that on which it begins first. Cores whose slots take
 * ports in turn know only who waited before the cycle: every second slot of a
 * cycle takes the port for which the fewest did, the others the next one,
 * unless far more wait for that; loads go wherever they begin first. Cores that
 * spread the slots of a cycle bind each to a port that the fewest slots of the
 * cycle have taken, where the ports have different schedulers. Where a port has
 * one result a cycle, what would end with what began before it waits.
 */
#ifndef CG2P_PORTS_H
#define CG2P_PORTS_H

#include "cycles/core.h"

enum { PORT_TIMES = 4096 }; /* that are kept, in a circle */

enum { PORT_WORDS = PORT_TIMES / 64 };

/* A bit for each cycle of each port, 64 cycles in a word. */
typedef struct PortTimes {
   uint64_t words[PORT_WORDS][PORTS_MAX];
} PortTimes;

typedef struct Ports {
   const CoreSchedulers* schedulers;
   uint64_t now;                    /* when something was dispatched last */
   PortTimes busy, ends;            /* of results */
   uint32_t used[PORTS_MAX];        /* in all, to share work evenly */
   uint8_t scheduler_of[PORTS_MAX]; /* of each port */
   uint32_t waiting, waiting_in[PORTS_MAX]; /* in all, in each scheduler */
   uint32_t turns_in[PORTS_MAX];            /* the same, before this cycle */
   bool has_ends;                           /* a port has one result a cycle */
   bool spreads;                            /* the slots of a cycle */
   uint32_t taken[PORTS_MAX];               /* by the slots of this cycle */
   uint32_t in_turn, slot; /* ports that are taken in turn; the slot at hand */
   uint8_t leaving[PORT_TIMES][PORTS_MAX]; /* of schedulers, in each cycle */
} Ports;

void cg2p_ports_begin(Ports* ports, const cg2p_core* core);
void cg2p_ports_forget(Ports* ports, uint64_t now);
/* Goes on to a cycle: what has begun does not wait any more. */
void cg2p_ports_advance(Ports* ports, uint64_t now);
/* Whether a micro-operation for one port of a set finds an entry. */
bool cg2p_ports_has_room(const Ports* ports, uint32_t set);
/* A micro-operation: it takes a port of a set for some cycles. */
typedef struct PortUse {
   uint32_t set, occupied;
   uint32_t latency; /* 0: it has no result that others wait for */
} PortUse;

/* When a micro-operation begins that is ready at `ready`. */
uint64_t cg2p_ports_take(Ports* ports, PortUse use, uint64_t ready);

#endif
