#include "cycles/ports.h"

#include <string.h>

void cg2p_ports_forget(Ports* ports, uint64_t now)
{
   memset(ports->leaving, 0, sizeof ports->leaving);
   memset(ports->used, 0, sizeof ports->used);
   ports->waiting = 0;
   ports->now = now;
}

static void leave(Ports* ports, uint64_t time)
{
   uint16_t* leaving = &ports->leaving[time % PORT_TIMES];
   ports->waiting -= *leaving;
   *leaving = 0;
}

void cg2p_ports_advance(Ports* ports, uint64_t now)
{
   uint64_t last =
      now - ports->now < PORT_TIMES ? now : ports->now + PORT_TIMES;
   for (uint64_t time = ports->now + 1; time <= last; time++)
      leave(ports, time);
   if (now > ports->now) ports->now = now;
}

static bool is_free(const uint64_t* taken, uint64_t time, uint32_t cycles)
{
   for (uint32_t i = 0; i < cycles; i++)
      if (taken[(time + i) % PORT_TIMES] == time + i) return false;
   return true;
}

static uint64_t
begin_on(const Ports* ports, uint32_t port, uint64_t ready, uint32_t occupied)
{
   while (!is_free(ports->taken[port], ready, occupied))
      ready++;
   return ready;
}

/* The port on which it begins first. */
static uint32_t choose(const Ports* ports,
                       uint32_t set,
                       uint64_t ready,
                       uint32_t occupied,
                       uint64_t* time)
{
   uint32_t best = PORTS_MAX;
   for (uint32_t rest = set; rest; rest &= rest - 1) {
      uint32_t port = __builtin_ctz(rest);
      uint64_t at = begin_on(ports, port, ready, occupied);
      if (best == PORTS_MAX || at < *time ||
          (at == *time && ports->used[port] < ports->used[best])) {
         best = port;
         *time = at;
      }
   }
   return best;
}

uint64_t
cg2p_ports_take(Ports* ports, uint32_t set, uint64_t ready, uint32_t occupied)
{
   enum { FARTHEST = PORT_TIMES - 64 }; /* from now */
   uint64_t time = ready;
   uint32_t port = choose(ports, set, ready, occupied, &time);
   for (uint32_t i = 0; i < occupied; i++)
      ports->taken[port][(time + i) % PORT_TIMES] = time + i;
   uint64_t until = time - ports->now < FARTHEST ? time : ports->now + FARTHEST;
   ports->leaving[until % PORT_TIMES]++;
   ports->waiting++;
   ports->used[port] += occupied;
   return time;
}
