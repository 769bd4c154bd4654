/* Reads what the lines of all bodies are made of: names, which a file gives
 * ids; positions, whose subpositions are numbers or steps from the last cost
 * line's; and costs. */
#ifndef CG2P_LEXER_H
#define CG2P_LEXER_H

#include "read/reading.h"

/* The name that a spec's value gives: a name, "(id) name" or "(id)". */
uint32_t cg2p_lexer_read_name(Reader* reader, IdKind kind, Text value);

/* Reads costs from `p` up to `end`, where a blank or a newline stands, into
 * reader->cost; costs that are missing at the end are 0. */
void cg2p_lexer_read_costs(Reader* reader, const char* p, const char* end);

/* Reads a position whose numbers have any form, from `p` up to `end`, relative
 * to r->at. Where the last number ends. */
const char* cg2p_lexer_read_place_slowly(Reader* r,
                                         const char* p,
                                         const char* end,
                                         Place* place);

/* Reads a usual subposition at `p` into *at, which has what it is relative to.
 * Where it ends; NULL: it is not usual. There is no jump for each sign: which
 * one follows nobody can foresee. */
static inline const char* cg2p_lexer_read_subposition(const char* p,
                                                      uint64_t* at)
{
   if (*p == '*') return p + 1;
   bool is_down = *p == '-', is_step = is_down || *p == '+';
   uint64_t n, sign = -(uint64_t)is_down, from = *at & -(uint64_t)is_step;
   const char* end = cg2p_number_read_usual(p + is_step, &n);
   *at = from + ((n ^ sign) - sign);
   return end && n <= (is_down ? from : *at) ? end : NULL;
}

/* Reads a position of the usual form at `p`, relative to r->at: to at[i] its
 * number in column i of the part. Where it ends; NULL: it is not usual. */
__attribute__((always_inline)) static inline const char*
cg2p_lexer_read_usual_columns(const Reader* r, const char* p, uint64_t* at)
{
   const Part* part = r->part;
   for (uint32_t i = 0; i < part->n_columns; i++) {
      at[i] = cg2p_column_of(&r->at, part->columns[i]);
      while (*p == ' ')
         p++;
      p = cg2p_lexer_read_subposition(p, &at[i]);
      if (!p || !cg2p_text_is_blank(*p)) return NULL;
   }
   return p;
}

/* Gives a place the numbers of the part's columns. */
static inline void
cg2p_lexer_set_place(const Reader* r, Place* place, const uint64_t* at)
{
   for (uint32_t i = 0; i < r->part->n_columns; i++)
      *cg2p_column_at(place, r->part->columns[i]) = at[i];
}

/* Reads a position of the usual form at `p`, relative to r->at. Where it ends;
 * NULL: it is not usual. */
static inline const char*
cg2p_lexer_read_usual_place(const Reader* r, const char* p, Place* place)
{
   uint64_t at[COLUMNS_MAX];
   p = cg2p_lexer_read_usual_columns(r, p, at);
   *place = r->at;
   if (p) cg2p_lexer_set_place(r, place, at);
   return p;
}

/* Reads costs of the usual form at `p` into reader->cost, up to the line's end.
 * Where the next line begins; NULL: they are not usual. */
static inline const char* cg2p_lexer_read_usual_costs(Reader* r, const char* p)
{
   uint32_t n = r->part->n_events, i = 0;
   uint64_t* cost = r->cost;
   while (*p == ' ') {
      if (i == n) return NULL;
      p = cg2p_number_read_usual(p + 1, &cost[i++]);
      if (!p) return NULL;
   }
   while (i < n)
      cost[i++] = 0;
   return *p == '\n' ? p + 1 : NULL;
}

/* Reads a position, from `p` up to `end`, relative to r->at. Where it ends. */
static inline const char*
cg2p_lexer_read_place(Reader* r, const char* p, const char* end, Place* place)
{
   const char* behind = cg2p_lexer_read_usual_place(r, p, place);
   return behind ? behind : cg2p_lexer_read_place_slowly(r, p, end, place);
}

#endif
