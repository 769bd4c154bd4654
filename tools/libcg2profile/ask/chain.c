#include "ask/chain.h"
#include "base/search.h"

#include <stdlib.h>

/*--- LinePairs ---------------------------------------------------------*/

static uint64_t old_line(const LinePairs* c, uint32_t i)
{
   return c->lines[0][c->of[i].old].line;
}

static uint64_t new_line(const LinePairs* c, uint32_t i)
{
   return c->lines[1][c->of[i].new].line;
}

static uint64_t distance_of(const LinePairs* c, uint32_t i)
{
   return new_line(c, i) - old_line(c, i);
}

/* Whether two lines cost as many times what they did, but for 1/32 of it. */
static bool have_same_ratio(const LinePairs* c, uint32_t a, uint32_t b)
{
   unsigned __int128 x = c->lines[0][c->of[a].old].cost,
                     y = c->lines[0][c->of[b].old].cost;
   x *= c->lines[1][c->of[b].new].cost;
   y *= c->lines[1][c->of[a].new].cost;
   if (x > y) {
      unsigned __int128 larger = x;
      x = y;
      y = larger;
   }
   return x && y - x <= y / 32;
}

/*--- The search ---------------------------------------------------------*/

/* `ends` are candidates that chains end with: each is of a later line of NEW
 * than the one before, and more speaks for its chain. Others are needed only
 * where their distance goes on. */
typedef struct Search {
   const LinePairs* c;
   Chain* chain;
   Failure* failure;
   size_t n; /* ends */
} Search;

/* The distance of a candidate, which is added if it is new. */
static Distance* find_distance(Search* s, uint64_t by)
{
   Chain* chain = s->chain;
   uint32_t hash = cg2p_hash_number(by);
   uint32_t at = cg2p_hash_find(&chain->by_distance, hash, i,
                                chain->distances[i].by == by);
   if (at == CG2P_NONE) {
      at = chain->n_distances++;
      chain->distances =
         cg2p_memory_grow(s->failure, chain->distances, &chain->distances_room,
                          chain->n_distances, sizeof *chain->distances);
      chain->distances[at] = (Distance){by, CG2P_NONE};
      cg2p_hash_add(&chain->by_distance, s->failure, hash, at);
   }
   return &chain->distances[at];
}

/* The best chain before a candidate that has another distance. */
static Link link_after_edit(const Search* s, size_t at)
{
   uint32_t before = at ? s->chain->ends[at - 1] : CG2P_NONE;
   int64_t weight = at ? s->chain->links[before].weight : 0;
   return (Link){before, false, weight + WEIGHT_EDIT};
}

/* The chain before a candidate that has the same distance. */
static Link link_in_run(const Search* s, uint32_t candidate, uint32_t before)
{
   if (before == CG2P_NONE) return (Link){CG2P_NONE, false, 0};
   bool is_told = have_same_ratio(s->c, before, candidate);
   int64_t weight = s->chain->links[before].weight;
   return (Link){before, is_told, weight + (is_told ? WEIGHT_SAME_RATIO : 0)};
}

/* Puts a candidate in place of ends from `at` on that are no better. */
static void put_end(Search* s, size_t at, uint32_t candidate)
{
   uint32_t* ends = s->chain->ends;
   const Link* links = s->chain->links;
   int64_t weight = links[candidate].weight;
   size_t worse = at;
   if (weight <= (at ? links[ends[at - 1]].weight : 0)) return;
   while (worse < s->n && links[ends[worse]].weight <= weight)
      worse++;
   memmove(ends + at + 1, ends + worse, (s->n - worse) * sizeof *ends);
   ends[at] = candidate;
   s->n += at + 1 - worse;
}

static void add_candidate(Search* s, uint32_t candidate)
{
   uint32_t new = s->c->of[candidate].new;
   const uint32_t* ends = s->chain->ends;
   size_t at = cg2p_search_first(i, 0, s->n, s->c->of[ends[i]].new < new);
   uint64_t by = distance_of(s->c, candidate);
   Distance* distance = find_distance(s, by);
   Link link = link_after_edit(s, at);
   if (!by || distance->last != CG2P_NONE) {
      Link stays = link_in_run(s, candidate, distance->last);
      if (stays.weight >= link.weight) link = stays;
   }
   int64_t weight = s->c->of[candidate].weight;
   link.is_told |= weight > WEIGHT_PAIRED;
   link.weight += weight;
   s->chain->links[candidate] = link;
   distance->last = candidate;
   bool is_known = at < s->n && s->c->of[ends[at]].new == new;
   if (!is_known || s->chain->links[ends[at]].weight < link.weight)
      put_end(s, at, candidate);
}

/* Keeps the best chain, the first pair first; says how long it is. */
static size_t keep_path(Search* s)
{
   Chain* chain = s->chain;
   uint32_t last = s->n ? chain->ends[s->n - 1] : CG2P_NONE;
   size_t length = 0;
   for (uint32_t i = last; i != CG2P_NONE; i = chain->links[i].before)
      length++;
   chain->path = cg2p_memory_grow(s->failure, chain->path, &chain->path_room,
                                  length + 1, sizeof *chain->path);
   size_t at = length;
   for (uint32_t i = last; i != CG2P_NONE; i = chain->links[i].before)
      chain->path[--at] = i;
   return length;
}

/*--- Runs ---------------------------------------------------------------*/

static void add_match(Search* s, uint32_t candidate)
{
   Chain* chain = s->chain;
   chain->of = cg2p_memory_grow(s->failure, chain->of, &chain->room,
                                chain->n + 1, sizeof *chain->of);
   chain->of[chain->n++] =
      (SameLine){old_line(s->c, candidate), new_line(s->c, candidate)};
   chain->told += chain->links[candidate].is_told;
}

/* Where the run ends that begins at a place of the path. */
static size_t end_of_run(const Search* s, size_t begin, size_t length)
{
   const uint32_t* path = s->chain->path;
   uint64_t by = distance_of(s->c, path[begin]);
   size_t end = begin + 1;
   while (end < length && distance_of(s->c, path[end]) == by)
      end++;
   return end;
}

static bool is_told(const Search* s, size_t begin, size_t end)
{
   size_t told = 0;
   for (size_t i = begin; i < end; i++)
      told += s->chain->links[s->chain->path[i]].is_told;
   return 2 * told >= end - begin;
}

/* Whether a run is kept, of which the one before has distance `by`. */
static bool is_credible(
   const Search* s, size_t begin, size_t end, size_t length, uint64_t by)
{
   const uint32_t* path = s->chain->path;
   if (distance_of(s->c, path[begin]) == by || is_told(s, begin, end))
      return true;
   bool is_back = end < length && distance_of(s->c, path[end]) == by;
   return !is_back && end - begin > 1;
}

/* Adds the candidates of a distance from `first` on that stand before `behind`;
 * CG2P_NONE: there is none behind. */
static void add_between(Search* s, uint64_t by, uint32_t first, uint32_t behind)
{
   const LinePairs* c = s->c;
   uint32_t end = behind == CG2P_NONE ? c->n : behind;
   for (uint32_t i = first; i < end; i++) {
      if (distance_of(c, i) != by) continue;
      if (behind == CG2P_NONE || (c->of[i].old < c->of[behind].old &&
                                  c->of[i].new < c->of[behind].new))
         add_match(s, i);
   }
}

/* Adds the runs of the path that are kept, and where others were, lines that
 * stand as those before. */
static void keep_runs(Search* s, size_t length)
{
   const uint32_t* path = s->chain->path;
   uint64_t by = 0;   /* the distance of the run before */
   uint32_t next = 0; /* the candidate behind the last one of that */
   for (size_t begin = 0, end; begin < length; begin = end) {
      end = end_of_run(s, begin, length);
      if (!is_credible(s, begin, end, length, by)) {
         uint32_t behind = end < length ? path[end] : CG2P_NONE;
         add_between(s, by, next, behind);
         if (end < length) next = behind;
         continue;
      }
      for (size_t i = begin; i < end; i++)
         add_match(s, path[i]);
      by = distance_of(s->c, path[begin]);
      next = path[end - 1] + 1;
   }
}

void cg2p_chain_find(Chain* chain,
                     Failure* failure,
                     const LinePairs* candidates)
{
   size_t n = candidates->n;
   Search s = {candidates, chain, failure, 0};
   chain->n = chain->told = chain->n_distances = 0;
   cg2p_hash_clear(&chain->by_distance);
   chain->links = cg2p_memory_grow(failure, chain->links, &chain->links_room,
                                   n + 1, sizeof *chain->links);
   chain->ends = cg2p_memory_grow(failure, chain->ends, &chain->ends_room,
                                  n + 1, sizeof *chain->ends);
   for (uint32_t i = 0; i < n; i++)
      add_candidate(&s, i);
   keep_runs(&s, keep_path(&s));
}

void cg2p_chain_free(Chain* chain)
{
   free(chain->of);
   free(chain->links);
   free(chain->ends);
   free(chain->path);
   free(chain->distances);
   cg2p_hash_free(&chain->by_distance);
}
