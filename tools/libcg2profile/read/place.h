/* Reads positions: subpositions that are numbers, or steps from the last cost
 * line's. */
#ifndef CG2P_PLACE_H
#define CG2P_PLACE_H

#include "read/reading.h"

/* Reads a position whose numbers have any form, from `p` up to `end`, relative
 * to r->at. Where the last number ends. */
const char*
cg2p_place_read_slowly(Reader* r, const char* p, const char* end, Place* place);

/* Reads a usual subposition at `p` into *at, which has what it is relative to.
 * Where it ends; NULL: it is not usual. */
static inline const char* cg2p_place_read_subposition(const char* p,
                                                      uint64_t* at)
{
   uint64_t n = 0;
   const char* end;
   switch (*p) {
   case '*':
      return p + 1;
   case '+':
      end = cg2p_number_read_usual(p + 1, &n);
      return end && !__builtin_add_overflow(*at, n, at) ? end : NULL;
   case '-':
      end = cg2p_number_read_usual(p + 1, &n);
      return end && !__builtin_sub_overflow(*at, n, at) ? end : NULL;
   default:
      end = cg2p_number_read_usual(p, &n);
      *at = n;
      return end;
   }
}

/* Reads a position of the usual form at `p`, relative to r->at. Where it ends;
 * NULL: it is not usual. */
static inline const char*
cg2p_place_read_usual(Reader* r, const char* p, Place* place)
{
   const Part* part = r->part;
   *place = r->at;
   for (uint32_t i = 0; i < part->n_columns; i++) {
      while (*p == ' ')
         p++;
      p = cg2p_place_read_subposition(p,
                                      cg2p_column_at(place, part->columns[i]));
      if (!p || !cg2p_text_is_blank(*p)) return NULL;
   }
   return p;
}

/* Reads a position, from `p` up to `end`, relative to r->at. Where it ends. */
static inline const char*
cg2p_place_read(Reader* r, const char* p, const char* end, Place* place)
{
   const char* behind = cg2p_place_read_usual(r, p, place);
   return behind ? behind : cg2p_place_read_slowly(r, p, end, place);
}

#endif
