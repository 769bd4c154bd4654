#include "ask/pairing.h"
#include "base/search.h"

#include <stdlib.h>

/*--- Groups of both sides -----------------------------------------------*/

static bool are_in_both(const Group groups[SIDES])
{
   return cg2p_groups_count_rows(&groups[0]) &&
          cg2p_groups_count_rows(&groups[1]);
}

/* Whether groups that are in both sides have the same last keys. */
static bool have_same_keys(const Group groups[SIDES])
{
   const Group *old = &groups[0], *new = &groups[1];
   size_t n = cg2p_groups_count_rows(old);
   return n == cg2p_groups_count_rows(new) &&
          !memcmp(old->key + old->from, new->key + new->from,
                  n * sizeof *old->key);
}

/* The file of OLD's lines: their last key but one. */
static uint64_t file_of(const Sides* sides, const Group groups[SIDES])
{
   unsigned last = sides->last;
   return last ? sides->of[0].keys[last - 1][groups[0].from] : 0;
}

static void add_group(Pairing* p, const Group groups[SIDES])
{
   p->groups = cg2p_memory_grow(p->failure, p->groups, &p->room, p->n + 1,
                                sizeof *p->groups);
   p->groups[p->n++] = (FileGroup){file_of(p->sides, groups),
                                   {groups[0], groups[1]},
                                   !have_same_keys(groups)};
}

/* By file; those of a file stay in their order. */
static int compare_groups(const void* a, const void* b)
{
   const FileGroup *x = a, *y = b;
   int order = cg2p_rows_compare_numbers(x->file, y->file);
   return order
             ? order
             : cg2p_rows_compare_numbers(x->groups[0].from, y->groups[0].from);
}

/*--- Rows where they stand ----------------------------------------------*/

/* Pairs rows with the same keys. */
static void pair_where_they_stand(Pairing* p, const Group groups[SIDES])
{
   const Group *old = &groups[0], *new = &groups[1];
   size_t b = new->from;
   for (size_t a = old->from; a < old->to; a++) {
      while (b < new->to&& new->key[b] < old->key[a])
         b++;
      bool is_there = b < new->to&& new->key[b] == old->key[a];
      p->of[a] = is_there ? b++ : CG2P_NO_ROW;
   }
}

/*--- Rows where they have moved to --------------------------------------*/

/* Aligns the lines of groups of a file. */
static void align(Pairing* p, const FileGroup* groups, size_t n)
{
   cg2p_candidates_find(&p->candidates, p->failure, &p->likeness, groups, n);
   cg2p_chain_find(&p->chain, p->failure, &p->candidates.found);
}

/* Pairs the rows of groups as the chain has them; says how many. */
static size_t pair_by_chain(Pairing* p, const Group groups[SIDES])
{
   const Group *old = &groups[0], *new = &groups[1];
   const Chain* chain = &p->chain;
   size_t n = 0;
   for (size_t a = old->from; a < old->to; a++) {
      uint64_t line = old->key[a];
      size_t at = cg2p_search_first(i, 0, chain->n, chain->of[i].old < line);
      p->of[a] = CG2P_NO_ROW;
      if (at == chain->n || chain->of[at].old != line) continue;
      uint64_t now = chain->of[at].new;
      size_t b = cg2p_search_first(i, new->from, new->to, new->key[i] < now);
      if (b == new->to || new->key[b] != now) continue;
      p->of[a] = b;
      n++;
   }
   return n;
}

enum { FEW_LINES = 2 };

/* Whether lines of a function are the same, though its file does not say so:
 * something speaks for half of them, or all of them are at one distance. */
static bool is_credible(const Chain* chain, const Group groups[SIDES])
{
   size_t n = chain->n;
   if (2 * chain->told >= n) return true;
   const SameLine *first = chain->of, *last = chain->of + n - 1;
   return n > FEW_LINES && n == cg2p_groups_count_rows(&groups[0]) &&
          n == cg2p_groups_count_rows(&groups[1]) &&
          last->new - last->old == first->new - first->old;
}

/* Pairs the rows of a group that has changed places with others. */
static void pair_alone(Pairing* p, const FileGroup* group)
{
   align(p, group, 1);
   if (is_credible(&p->chain, group->groups)) pair_by_chain(p, group->groups);
}

static bool has_moved(const FileGroup* groups, size_t n)
{
   for (size_t i = 0; i < n; i++)
      if (groups[i].moved) return true;
   return false;
}

/* The source of the file in a side, or NULL. */
static const char* source_of(const Pairing* p, int side, uint64_t file)
{
   const char* const* sources = p->sides->sources[side];
   return sources && file < p->sides->n_sources ? sources[file] : NULL;
}

/* Pairs the rows of the groups of a file that has moved. */
static void pair_moved(Pairing* p, FileGroup* groups, size_t n)
{
   const char* sources[] = {source_of(p, 0, groups->file),
                            source_of(p, 1, groups->file)};
   size_t left = 0; /* groups of which no line is the same, put first */
   cg2p_likeness_begin_file(&p->likeness, p->failure, sources);
   align(p, groups, n);
   for (size_t i = 0; i < n; i++)
      if (groups[i].moved && !pair_by_chain(p, groups[i].groups))
         groups[left++] = groups[i];
   for (size_t i = 0; i < left; i++)
      pair_alone(p, &groups[i]);
}

/*--- The operation ------------------------------------------------------*/

void cg2p_pairing_make(Pairing* p, Failure* failure, const Sides* sides)
{
   Group groups[SIDES] = {{0}};
   size_t n = sides->of[0].n;
   p->failure = failure;
   p->sides = p->likeness.sides = sides;
   p->of = cg2p_memory_allocate(failure, n * sizeof *p->of + 1);
   while (cg2p_groups_next(sides, groups)) {
      pair_where_they_stand(p, groups);
      if (sides->lines_move && are_in_both(groups)) add_group(p, groups);
   }
   if (!has_moved(p->groups, p->n)) return;
   qsort(p->groups, p->n, sizeof *p->groups, compare_groups);
   for (size_t from = 0, to; from < p->n; from = to) {
      uint64_t file = p->groups[from].file;
      to = cg2p_search_first(i, from, p->n, p->groups[i].file <= file);
      if (has_moved(p->groups + from, to - from))
         pair_moved(p, p->groups + from, to - from);
   }
}

void cg2p_pairing_mark_moved(const Sides* sides, uint8_t* moved)
{
   Group groups[SIDES] = {{0}};
   while (cg2p_groups_next(sides, groups))
      if (are_in_both(groups) && !have_same_keys(groups))
         moved[file_of(sides, groups)] = 1;
}

void cg2p_pairing_free(Pairing* p)
{
   free(p->of);
   free(p->groups);
   cg2p_likeness_free(&p->likeness);
   cg2p_candidates_free(&p->candidates);
   cg2p_chain_free(&p->chain);
}
