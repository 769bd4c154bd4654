#include "cycles/ports.h"

#include <string.h>

void cg2p_ports_forget(Ports* ports, uint64_t now)
{
   memset(ports->leaving, 0, sizeof ports->leaving);
   memset(ports->waiting, 0, sizeof ports->waiting);
   memset(ports->used, 0, sizeof ports->used);
   memset(ports->all_leaving, 0, sizeof ports->all_leaving);
   ports->all_waiting = 0;
   ports->now = now;
}

static void leave(Ports* ports, uint64_t time)
{
   uint32_t at = time % PORT_TIMES;
   if (!ports->all_leaving[at]) return;
   ports->all_waiting -= ports->all_leaving[at];
   ports->all_leaving[at] = 0;
   for (int p = 0; p < PORTS_MAX; p++) {
      ports->waiting[p] -= ports->leaving[p][at];
      ports->leaving[p][at] = 0;
   }
}

void cg2p_ports_advance(Ports* ports, uint64_t now)
{
   uint64_t last =
      now - ports->now < PORT_TIMES ? now : ports->now + PORT_TIMES;
   for (uint64_t time = ports->now + 1; time <= last; time++)
      leave(ports, time);
   if (now > ports->now) ports->now = now;
}

static uint32_t choose(const Ports* ports, uint32_t set)
{
   uint32_t best = __builtin_ctz(set);
   for (uint32_t rest = set & (set - 1); rest; rest &= rest - 1) {
      uint32_t port = __builtin_ctz(rest);
      if (ports->waiting[port] < ports->waiting[best] ||
          (ports->waiting[port] == ports->waiting[best] &&
           ports->used[port] < ports->used[best]))
         best = port;
   }
   return best;
}

static bool is_free(const uint64_t* taken, uint64_t time, uint32_t cycles)
{
   for (uint32_t i = 0; i < cycles; i++)
      if (taken[(time + i) % PORT_TIMES] == time + i) return false;
   return true;
}

uint64_t
cg2p_ports_take(Ports* ports, uint32_t set, uint64_t ready, uint32_t occupied)
{
   enum { FARTHEST = PORT_TIMES - 64 }; /* from now */
   uint32_t port = choose(ports, set);
   uint64_t time = ready;
   while (!is_free(ports->taken[port], time, occupied))
      time++;
   for (uint32_t i = 0; i < occupied; i++)
      ports->taken[port][(time + i) % PORT_TIMES] = time + i;
   uint64_t until = time - ports->now < FARTHEST ? time : ports->now + FARTHEST;
   ports->leaving[port][until % PORT_TIMES]++;
   ports->all_leaving[until % PORT_TIMES]++;
   ports->waiting[port]++;
   ports->all_waiting++;
   ports->used[port] += occupied;
   return time;
}
