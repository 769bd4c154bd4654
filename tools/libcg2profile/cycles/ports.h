/* Ports, and the schedulers in front of them. A micro-operation is bound to a
 * port of its set when it is dispatched: to the one for which the fewest wait,
 * whether or not it will be free first. It begins when that is free. */
#ifndef CG2P_PORTS_H
#define CG2P_PORTS_H

#include "cycles/core.h"

enum { PORT_TIMES = 4096 }; /* that are kept, in a circle */

/* The ports that are busy in a cycle. */
typedef struct PortTime {
   uint32_t time, ports;
} PortTime;

typedef struct Ports {
   uint64_t now; /* when something was dispatched last */
   PortTime busy[PORT_TIMES];
   uint32_t used[PORTS_MAX];                /* in all, to share work evenly */
   uint32_t waiting, waiting_for[PORTS_MAX];
   uint8_t leaving[PORT_TIMES][PORTS_MAX];  /* how many begin in a cycle */
} Ports;

void cg2p_ports_forget(Ports* ports, uint64_t now);
/* Goes on to a cycle: what has begun does not wait any more. */
void cg2p_ports_advance(Ports* ports, uint64_t now);
/* When a micro-operation begins that is ready at `ready`, and takes its port,
 * one of a set, for some cycles. */
uint64_t
cg2p_ports_take(Ports* ports, uint32_t set, uint64_t ready, uint32_t occupied);

#endif
