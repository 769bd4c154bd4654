/* The rows of the two profiles that are compared, group by group.
 *
 * A *group* is the rows of a side that have all keys but the last in common. */
#ifndef CG2P_GROUPS_H
#define CG2P_GROUPS_H

#include "profile/rows.h"

#include <string.h>

enum { SIDES = 2 }; /* OLD and NEW, in this order */

/* What a row's line calls, as numbers; 0: nothing. */
typedef struct LineCalls {
   uint64_t functions; /* which ones */
   uint64_t times;     /* which ones, and how often */
} LineCalls;

/* The two sides, rows in the order of their keys. */
typedef struct Sides {
   cg2p_side of[SIDES];
   const LineCalls* calls[SIDES];     /* of each row; NULL: not known */
   const char* const* sources[SIDES]; /* of each file, by its number */
   size_t n_sources;
   uint32_t n_events;
   unsigned last;   /* number of the last key */
   bool lines_move; /* that is a line, and line 0 is none */
} Sides;

/* The rows of a group in one side, from `from` up to `to`; and their last keys,
 * which are borrowed. */
typedef struct Group {
   const uint64_t* key;
   size_t from, to;
} Group;

/* Goes on to the next groups of the sides, which have the same keys: one may be
 * empty. False: there are no more. The walk begins with groups that are 0. */
bool cg2p_groups_next(const Sides* sides, Group groups[SIDES]);

static inline size_t cg2p_groups_count_rows(const Group* group)
{
   return group->to - group->from;
}

/* The cost of a row; NULL: there is no row. */
static inline const uint64_t*
cg2p_groups_cost(const Sides* sides, int side, size_t row)
{
   if (row == CG2P_NO_ROW) return NULL;
   return sides->of[side].costs + row * sides->n_events;
}

static inline bool
cg2p_groups_have_same_cost(const Sides* sides, size_t old, size_t new)
{
   return !memcmp(cg2p_groups_cost(sides, 0, old),
                  cg2p_groups_cost(sides, 1, new),
                  sides->n_events * sizeof(uint64_t));
}

#endif
