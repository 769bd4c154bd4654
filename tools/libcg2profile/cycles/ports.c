#include "cycles/ports.h"

#include <string.h>

void cg2p_ports_begin(Ports* ports, const cg2p_core* core)
{
   ports->schedulers = &core->schedulers;
   ports->has_ends = core->numbers.sizes.results;
   ports->spreads = core->numbers.sizes.spread;
   ports->in_turn = core->numbers.sizes.turns ? ~core->access.load : 0;
   for (size_t i = 0; i < core->schedulers.n; i++)
      for (uint32_t rest = core->schedulers.of[i].ports; rest; rest &= rest - 1)
         ports->scheduler_of[__builtin_ctz(rest)] = i;
}

void cg2p_ports_forget(Ports* ports, uint64_t now)
{
   memset(&ports->busy, 0, sizeof ports->busy);
   memset(&ports->ends, 0, sizeof ports->ends);
   memset(ports->used, 0, sizeof ports->used);
   memset(ports->waiting_in, 0, sizeof ports->waiting_in);
   memset(ports->turns_in, 0, sizeof ports->turns_in);
   memset(ports->taken, 0, sizeof ports->taken);
   memset(ports->leaving, 0, sizeof ports->leaving);
   ports->waiting = 0;
   ports->now = now;
}

static uint32_t waiting_for(const Ports* ports, uint32_t port)
{
   return ports->waiting_in[ports->scheduler_of[port]];
}

bool cg2p_ports_has_room(const Ports* ports, uint32_t set)
{
   for (uint32_t rest = set; rest; rest &= rest - 1) {
      uint32_t port = __builtin_ctz(rest);
      uint32_t scheduler = ports->scheduler_of[port];
      if (ports->waiting_in[scheduler] <
          ports->schedulers->of[scheduler].entries)
         return true;
   }
   return !set;
}

/*--- Times --------------------------------------------------------------*/

/* The first cycle that is so far away that it is not kept. */
static uint64_t too_far(const Ports* ports)
{
   return (ports->now / 64 + PORT_WORDS - 2) * 64;
}

/* The 64 cycles of a port from one on, in a word. */
static uint64_t times_from(const PortTimes* times, uint32_t port, uint64_t time)
{
   uint64_t word = time / 64, shift = time % 64;
   uint64_t bits = times->words[word % PORT_WORDS][port] >> shift;
   if (shift)
      bits |= times->words[(word + 1) % PORT_WORDS][port] << (64 - shift);
   return bits;
}

static void mark(PortTimes* times, uint32_t port, uint64_t time)
{
   times->words[time / 64 % PORT_WORDS][port] |= (uint64_t)1 << time % 64;
}

/* Forgets the words that have passed. */
static void pass(Ports* ports, uint64_t now)
{
   uint64_t first = ports->now / 64, end = now / 64;
   if (end - first > PORT_WORDS) first = end - PORT_WORDS;
   for (uint64_t word = first; word < end; word++) {
      memset(ports->busy.words[word % PORT_WORDS], 0,
             sizeof ports->busy.words[0]);
      memset(ports->ends.words[word % PORT_WORDS], 0,
             sizeof ports->ends.words[0]);
   }
}

/* The cycles, of 64 from one on, in which it cannot begin on a port. */
static uint64_t
taken_from(const Ports* ports, uint32_t port, uint64_t time, PortUse use)
{
   uint64_t taken = 0;
   for (uint32_t i = 0; i < use.occupied; i++)
      taken |= times_from(&ports->busy, port, time + i);
   if (ports->has_ends && use.latency)
      taken |= times_from(&ports->ends, port, time + use.latency);
   return taken;
}

static void occupy(Ports* ports, uint32_t port, uint64_t time, PortUse use)
{
   uint64_t end = too_far(ports);
   for (uint32_t i = 0; i < use.occupied && time + i < end; i++)
      mark(&ports->busy, port, time + i);
   if (ports->has_ends && use.latency && time + use.latency < end)
      mark(&ports->ends, port, time + use.latency);
}

static uint64_t
begin_on(const Ports* ports, uint32_t port, uint64_t ready, PortUse use)
{
   uint64_t longest = use.occupied > use.latency ? use.occupied : use.latency;
   uint64_t end = too_far(ports) - 64 - longest;
   while (ready < end) {
      uint64_t taken = taken_from(ports, port, ready, use);
      if (~taken) return ready + __builtin_ctzll(~taken);
      ready += 64;
   }
   return ready;
}

static void leave(Ports* ports, uint64_t time)
{
   uint8_t* leaving = ports->leaving[time % PORT_TIMES];
   for (uint32_t i = 0; i < ports->schedulers->n; i++) {
      ports->waiting -= leaving[i];
      ports->waiting_in[i] -= leaving[i];
      leaving[i] = 0;
   }
}

void cg2p_ports_advance(Ports* ports, uint64_t now)
{
   uint64_t last =
      now - ports->now < PORT_TIMES ? now : ports->now + PORT_TIMES;
   if (now > ports->now && ports->in_turn)
      memcpy(ports->turns_in, ports->waiting_in, sizeof ports->turns_in);
   if (now > ports->now && ports->spreads)
      memset(ports->taken, 0, sizeof ports->taken);
   for (uint64_t time = ports->now + 1; time <= last; time++)
      leave(ports, time);
   if (now > ports->now) {
      pass(ports, now);
      ports->now = now;
   }
}

/*--- Choices ------------------------------------------------------------*/

/* The port in whose scheduler the fewest wait; of several, that on which it
 * begins first, which was used least. */
static uint32_t
choose(const Ports* ports, PortUse use, uint64_t ready, uint64_t* time)
{
   uint32_t best = 0, least = UINT32_MAX;
   for (uint32_t rest = use.set; rest; rest &= rest - 1) {
      uint32_t port = __builtin_ctz(rest);
      uint32_t more = waiting_for(ports, port);
      if (more > least) continue;
      uint64_t at = begin_on(ports, port, ready, use);
      if (more < least || at < *time ||
          (at == *time && ports->used[port] < ports->used[best])) {
         best = port;
         least = more;
         *time = at;
      }
   }
   return best;
}

/* Whether slots are spread over a set of ports of different schedulers. */
static bool is_spread(const Ports* ports, uint32_t set)
{
   if (!ports->spreads || !set) return false;
   uint32_t scheduler = ports->scheduler_of[__builtin_ctz(set)];
   uint32_t together = ports->schedulers->of[scheduler].ports & set;
   return !(together & (together - 1));
}

/* How full the scheduler of a port is, in steps. */
static uint32_t filling(const Ports* ports, uint32_t port)
{
   enum { STEP = 8 };
   return waiting_for(ports, port) / STEP;
}

/* The first port of a set that the fewest slots of this cycle have taken; of
 * several, one whose scheduler is less full. */
static uint32_t choose_spread(const Ports* ports, uint32_t set)
{
   uint32_t best = __builtin_ctz(set);
   for (uint32_t rest = set & (set - 1); rest; rest &= rest - 1) {
      uint32_t port = __builtin_ctz(rest);
      uint32_t taken = ports->taken[port], least = ports->taken[best];
      if (taken < least ||
          (taken == least && filling(ports, port) < filling(ports, best)))
         best = port;
   }
   return best;
}

static uint32_t waited_for(const Ports* ports, uint32_t port)
{
   return ports->turns_in[ports->scheduler_of[port]];
}

/* The last port of a set for which the fewest waited. */
static uint32_t least_waited(const Ports* ports, uint32_t set)
{
   uint32_t best = __builtin_ctz(set);
   for (uint32_t rest = set & (set - 1); rest; rest &= rest - 1) {
      uint32_t port = __builtin_ctz(rest);
      if (waited_for(ports, port) <= waited_for(ports, best)) best = port;
   }
   return best;
}

static uint32_t choose_in_turn(const Ports* ports, uint32_t set)
{
   enum { MUCH_LONGER = 3 };
   uint32_t best = least_waited(ports, set);
   uint32_t others = set & ~((uint32_t)1 << best);
   if (ports->slot % 2 == 0 || !others) return best;
   uint32_t next = least_waited(ports, others);
   bool is_far =
      waited_for(ports, next) >= waited_for(ports, best) + MUCH_LONGER;
   return is_far ? best : next;
}

static uint32_t
choose_port(const Ports* ports, PortUse use, uint64_t ready, uint64_t* time)
{
   bool is_in_turn = ports->in_turn & use.set;
   if (!is_in_turn && !is_spread(ports, use.set))
      return choose(ports, use, ready, time);
   uint32_t port = is_in_turn ? choose_in_turn(ports, use.set)
                              : choose_spread(ports, use.set);
   *time = begin_on(ports, port, ready, use);
   return port;
}

uint64_t cg2p_ports_take(Ports* ports, PortUse use, uint64_t ready)
{
   enum {
      FARTHEST = PORT_TIMES - 64, /* from now */
      ISSUING = 4 /* cycles more that each takes to begin, and is waited for */
   };
   uint64_t time = ready;
   uint32_t port = choose_port(ports, use, ready, &time);
   occupy(ports, port, time, use);
   uint64_t left = time + (ports->in_turn ? ISSUING : 0);
   uint64_t until = left - ports->now < FARTHEST ? left : ports->now + FARTHEST;
   uint32_t scheduler = ports->scheduler_of[port];
   ports->leaving[until % PORT_TIMES][scheduler]++;
   ports->waiting++;
   ports->waiting_in[scheduler]++;
   ports->used[port] += use.occupied;
   ports->taken[port]++;
   return time;
}
