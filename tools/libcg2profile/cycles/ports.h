/* Ports, and the scheduler in front of them. A micro-operation begins on the
 * port of its set that is free first. */
#ifndef CG2P_PORTS_H
#define CG2P_PORTS_H

#include "cycles/core.h"

enum { PORT_TIMES = 4096 }; /* that are kept, in a circle */

typedef struct Ports {
   uint64_t now; /* when something was dispatched last */
   uint64_t taken[PORTS_MAX][PORT_TIMES]; /* the cycle in which it is busy */
   uint32_t used[PORTS_MAX];              /* in all, to share work evenly */
   uint16_t leaving[PORT_TIMES];          /* how many begin in a cycle */
   uint32_t waiting;
} Ports;

void cg2p_ports_forget(Ports* ports, uint64_t now);
/* Goes on to a cycle: what has begun does not wait any more. */
void cg2p_ports_advance(Ports* ports, uint64_t now);
/* When a micro-operation begins that is ready at `ready`, and takes its port,
 * one of a set, for some cycles. */
uint64_t
cg2p_ports_take(Ports* ports, uint32_t set, uint64_t ready, uint32_t occupied);

#endif
