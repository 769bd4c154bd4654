#include "feedback/circuits.h"

#include "base/search.h"

#include <stdlib.h>
#include <string.h>

void cg2p_circuits_add(Circuits* circuits, Failure* failure, CircuitWay way)
{
   if (circuits->n == circuits->room) {
      size_t room = circuits->room ? 2 * circuits->room : 64;
      CircuitWay* ways =
         cg2p_arena_add(circuits->arena, failure, room * sizeof *ways);
      if (circuits->n) memcpy(ways, circuits->ways, circuits->n * sizeof *ways);
      circuits->ways = ways;
      circuits->room = room;
   }
   circuits->ways[circuits->n++] = way;
}

static int compare(const void* a, const void* b)
{
   const CircuitWay *x = a, *y = b;
   if (x->line != y->line) return x->line < y->line ? -1 : 1;
   if (x->from != y->from) return x->from < y->from ? -1 : 1;
   return (x->to > y->to) - (x->to < y->to);
}

uint32_t cg2p_circuits_next_line(Circuits* circuits)
{
   if (!circuits->is_sorted && circuits->n)
      qsort(circuits->ways, circuits->n, sizeof *circuits->ways, compare);
   circuits->is_sorted = true;
   circuits->first = circuits->end;
   if (circuits->first == circuits->n) return CG2P_NONE;
   uint32_t line = circuits->ways[circuits->first].line;
   while (circuits->end < circuits->n &&
          circuits->ways[circuits->end].line == line)
      circuits->end++;
   return line;
}

/* The first way from a block, of those of the line. */
static size_t first_from(const Circuits* c, uint32_t block)
{
   return cg2p_search_first(i, c->first, c->end, c->ways[i].from < block);
}

/* Follows ways that are not gone from way `start` on, each block by the first
 * of its ways, until it comes to a way that it has gone: that one. A block that
 * leads nowhere has no circuit: the way to it is gone; `end`. */
static size_t follow(const Circuits* c, size_t start, uint32_t* trace)
{
   size_t at = start;
   while (!trace[at - c->first]) {
      trace[at - c->first] = 1;
      size_t next = first_from(c, c->ways[at].to);
      while (next < c->end && c->ways[next].from == c->ways[at].to &&
             !c->ways[next].count)
         next++;
      if (next == c->end || c->ways[next].from != c->ways[at].to) {
         c->ways[at].count = 0;
         return c->end;
      }
      trace[at - c->first] = next - c->first + 1;
      at = next;
   }
   return at;
}

/* Takes the circuit that a way is in off its ways; how often it was gone. */
static uint64_t take(const Circuits* c, size_t start, const uint32_t* trace)
{
   uint64_t least = UINT64_MAX;
   size_t at = start;
   do {
      if (c->ways[at].count < least) least = c->ways[at].count;
      at = c->first + trace[at - c->first] - 1;
   } while (at != start);
   do {
      c->ways[at].count -= least;
      at = c->first + trace[at - c->first] - 1;
   } while (at != start);
   return least;
}

/* Forgets what was followed from way `start` on. */
static void forget(const Circuits* c, size_t start, uint32_t* trace)
{
   for (size_t at = start - c->first; trace[at];) {
      size_t next = trace[at] - 1;
      trace[at] = 0;
      at = next;
   }
}

uint64_t cg2p_circuits_rounds(Circuits* c, Failure* failure)
{
   size_t n = c->end - c->first;
   uint32_t* trace = cg2p_arena_add(c->arena, failure, n * sizeof *trace);
   uint64_t rounds = 0;
   memset(trace, 0, n * sizeof *trace);
   for (size_t i = c->first; i < c->end; i++)
      while (c->ways[i].count) {
         size_t found = follow(c, i, trace);
         if (found < c->end) rounds += take(c, found, trace);
         forget(c, i, trace);
      }
   return rounds;
}
