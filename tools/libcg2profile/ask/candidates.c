#include "ask/candidates.h"
#include "base/search.h"

#include <stdlib.h>

/* About so many pairs of rows of a file are tried. If there are more, they are
 * of so many distances, or of more where there is room for them. */
enum { MOST_PAIRS = 1 << 19, FEWEST_DISTANCES = 4 };

static void begin_sums(Sums* sums, unsigned n_keys, size_t width)
{
   sums->n_keys = n_keys;
   sums->width = width;
   cg2p_sums_clear(sums);
}

/*--- Lines --------------------------------------------------------------*/

/* A record of the lines. */
enum { LINE_KEY, LINE_COST, LINE_FUNCTIONS, LINE_WIDTH };

static void add_lines(Sums* lines,
                      Failure* failure,
                      const Sides* sides,
                      int side,
                      const Group* group)
{
   for (size_t row = group->from; row < group->to; row++) {
      uint64_t* line = cg2p_sums_reserve(lines, failure);
      line[LINE_KEY] = group->key[row];
      line[LINE_COST] =
         sides->n_events ? *cg2p_groups_cost(sides, side, row) : 0;
      line[LINE_FUNCTIONS] = 1;
      cg2p_sums_add(lines, failure);
   }
}

/* Makes the lines that were added the list's. */
static void take_lines(LineList* list, Failure* failure, Sums* lines)
{
   cg2p_sums_sort(lines);
   list->n = lines->n;
   list->of = cg2p_memory_grow(failure, list->of, &list->room, lines->n + 1,
                               sizeof *list->of);
   for (size_t i = 0; i < lines->n; i++) {
      const uint64_t* line = cg2p_sums_at(lines, i);
      list->of[i] =
         (FileLine){line[LINE_KEY], line[LINE_COST], line[LINE_FUNCTIONS]};
   }
}

static uint64_t place_of(const LineList* lines, uint64_t line)
{
   return cg2p_search_first(i, 0, lines->n, lines->of[i].line < line);
}

/*--- Pairs of rows ------------------------------------------------------*/

/* The group at hand. */
typedef struct GroupSearch {
   CandidateList* list;
   Failure* failure;
   const Likeness* likeness;
   const Group* groups; /* of OLD and NEW */
} GroupSearch;

/* A record of the pairs. NEW's lines stand the last one first; weights are
 * above 0 by NO_WEIGHT each. */
enum { OLD_KEY, NEW_KEY, PAIR_WEIGHT, PAIR_TIMES, PAIR_WIDTH };
enum { NO_WEIGHT = 1 << 10 };

static void add_pair(GroupSearch* s, size_t old, size_t new)
{
   CandidateList* list = s->list;
   uint64_t* pair = cg2p_sums_reserve(&list->sums, s->failure);
   pair[OLD_KEY] = place_of(&list->lines[0], s->groups[0].key[old]);
   pair[NEW_KEY] = ~place_of(&list->lines[1], s->groups[1].key[new]);
   pair[PAIR_WEIGHT] = NO_WEIGHT + cg2p_likeness_weigh(s->likeness, old, new);
   pair[PAIR_TIMES] = 1;
   cg2p_sums_add(&list->sums, s->failure);
}

static void add_all_pairs(GroupSearch* s)
{
   const Group *old = &s->groups[0], *new = &s->groups[1];
   for (size_t a = old->from; a < old->to; a++)
      for (size_t b = new->from; b < new->to; b++)
         add_pair(s, a, b);
}

/* Adds the pairs of rows of which the lines have one distance. */
static void add_pairs_of(GroupSearch* s, uint64_t distance)
{
   const Group *old = &s->groups[0], *new = &s->groups[1];
   for (size_t a = old->from; a < old->to; a++) {
      uint64_t line = old->key[a] + distance;
      size_t b = cg2p_search_first(i, new->from, new->to, new->key[i] < line);
      if (b < new->to&& new->key[b] == line) add_pair(s, a, b);
   }
}

/*--- Files with very many rows ------------------------------------------*/

/* A record of the distances. */
enum { DISTANCE_KEY, DISTANCE_WEIGHT, DISTANCE_WIDTH };

static void add_distance(GroupSearch* s, size_t old, size_t new)
{
   Sums* distances = &s->list->distances;
   uint64_t* record = cg2p_sums_reserve(distances, s->failure);
   record[DISTANCE_KEY] = s->groups[1].key[new] - s->groups[0].key[old];
   record[DISTANCE_WEIGHT] = 1;
   cg2p_sums_add(distances, s->failure);
}

/* Adds the distances of rows that are alike. */
static void add_distances_of_alike(GroupSearch* s)
{
   for (size_t a = s->groups[0].from; a < s->groups[0].to; a++) {
      size_t b = cg2p_likeness_alike(s->likeness, a);
      if (b != CG2P_NO_ROW) add_distance(s, a, b);
   }
}

/* Adds the distances of all pairs of each `step`th row, of which `row` counts
 * those of all groups. */
static void add_some_distances(GroupSearch* s, size_t step, size_t* row)
{
   const Group *old = &s->groups[0], *new = &s->groups[1];
   for (size_t a = old->from; a < old->to; a++)
      if (!((*row)++ % step))
         for (size_t b = new->from; b < new->to; b++)
            add_distance(s, a, b);
}

static int compare_distances(const void* a, const void* b)
{
   const uint64_t *x = a, *y = b;
   int order =
      cg2p_rows_compare_numbers(y[DISTANCE_WEIGHT], x[DISTANCE_WEIGHT]);
   return order ? order
                : cg2p_rows_compare_numbers(x[DISTANCE_KEY], y[DISTANCE_KEY]);
}

/*--- All groups ---------------------------------------------------------*/

/* The groups of a file. */
typedef struct FileSearch {
   CandidateList* list;
   Failure* failure;
   Likeness* likeness;
   const FileGroup* groups;
   size_t n;
} FileSearch;

static GroupSearch begin_group(const FileSearch* s, const FileGroup* group)
{
   cg2p_likeness_begin(s->likeness, s->failure, group->groups);
   return (GroupSearch){s->list, s->failure, s->likeness, group->groups};
}

/* How many rows of OLD moved groups have, and how many pairs these make. */
static size_t count_pairs(const FileSearch* s, size_t* rows)
{
   size_t n_pairs = 0;
   for (size_t i = 0; i < s->n; i++) {
      if (!s->groups[i].moved) continue;
      size_t n = cg2p_groups_count_rows(&s->groups[i].groups[0]);
      size_t m = cg2p_groups_count_rows(&s->groups[i].groups[1]);
      *rows += n;
      n_pairs += n * m;
   }
   return n_pairs;
}

/* Puts the distances in order, that which most speaks for first. */
static void rank_distances(const FileSearch* s, size_t n_pairs)
{
   Sums* distances = &s->list->distances;
   size_t row = 0;
   begin_sums(distances, DISTANCE_WEIGHT, DISTANCE_WIDTH);
   for (size_t i = 0; i < s->n; i++) {
      if (!s->groups[i].moved) continue;
      GroupSearch group = begin_group(s, &s->groups[i]);
      add_distances_of_alike(&group);
      cg2p_likeness_begin_by_distance(s->likeness, s->failure, group.groups);
      add_distances_of_alike(&group);
      add_some_distances(&group, n_pairs / MOST_PAIRS + 1, &row);
   }
   qsort(distances->records, distances->n,
         DISTANCE_WIDTH * sizeof *distances->records, compare_distances);
}

/* Adds the pairs of a group: those of so many distances, or all. */
static void
add_group(const FileSearch* s, const FileGroup* group, size_t n_distances)
{
   GroupSearch pairs = begin_group(s, group);
   if (!group->moved) {
      add_pairs_of(&pairs, 0);
   } else if (!n_distances) {
      add_all_pairs(&pairs);
   } else {
      for (size_t i = 0; i < n_distances; i++)
         add_pairs_of(&pairs,
                      cg2p_sums_at(&s->list->distances, i)[DISTANCE_KEY]);
   }
}

static void find_lines(const FileSearch* s)
{
   Sums* lines = &s->list->sums;
   for (int side = 0; side < SIDES; side++) {
      begin_sums(lines, LINE_COST, LINE_WIDTH);
      for (size_t i = 0; i < s->n; i++)
         add_lines(lines, s->failure, s->likeness->sides, side,
                   &s->groups[i].groups[side]);
      take_lines(&s->list->lines[side], s->failure, lines);
      s->list->found.lines[side] = s->list->lines[side].of;
   }
}

/* A weight is a mean over functions: what is inlined in many says no more by
 * that. */
static int64_t mean_weight(const CandidateList* list, const uint64_t* pair)
{
   uint64_t old = list->lines[0].of[pair[OLD_KEY]].functions;
   uint64_t new = list->lines[1].of[~pair[NEW_KEY]].functions;
   int64_t sum = pair[PAIR_WEIGHT] - pair[PAIR_TIMES] * NO_WEIGHT;
   int64_t mean = sum / (int64_t)(old > new ? old : new);
   return mean < WEIGHT_LEAST ? WEIGHT_LEAST : mean;
}

static void take_candidates(CandidateList* list, Failure* failure)
{
   Sums* pairs = &list->sums;
   LinePairs* found = &list->found;
   cg2p_sums_sort(pairs);
   found->n = pairs->n;
   found->of = cg2p_memory_grow(failure, found->of, &list->room, pairs->n + 1,
                                sizeof *found->of);
   for (size_t i = 0; i < pairs->n; i++) {
      const uint64_t* pair = cg2p_sums_at(pairs, i);
      found->of[i] =
         (LinePair){pair[OLD_KEY], ~pair[NEW_KEY], mean_weight(list, pair)};
   }
}

void cg2p_candidates_find(CandidateList* list,
                          Failure* failure,
                          Likeness* likeness,
                          const FileGroup* groups,
                          size_t n)
{
   FileSearch s = {list, failure, likeness, groups, n};
   size_t n_distances = 0, rows = 0, n_pairs = count_pairs(&s, &rows);
   find_lines(&s);
   if (n_pairs > MOST_PAIRS) {
      rank_distances(&s, n_pairs);
      n_distances = MOST_PAIRS / rows + FEWEST_DISTANCES;
      if (n_distances > list->distances.n) n_distances = list->distances.n;
   }
   begin_sums(&list->sums, PAIR_WEIGHT, PAIR_WIDTH);
   for (size_t i = 0; i < n; i++)
      add_group(&s, &groups[i], n_distances);
   take_candidates(list, failure);
}

void cg2p_candidates_free(CandidateList* list)
{
   free(list->found.of);
   for (int side = 0; side < SIDES; side++)
      free(list->lines[side].of);
   cg2p_sums_free(&list->sums);
   cg2p_sums_free(&list->distances);
}
