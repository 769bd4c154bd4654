/* Records of numbers that are added up by their keys. */
#ifndef CG2P_SUMS_H
#define CG2P_SUMS_H

#include "base/hash.h"

#include <stdbool.h>

/* Records of `width` numbers each. The first of them are keys; then there are
 * numbers of which a sum has those that are least, compared one after the
 * other; the others are added up. The table finds the record that has the keys
 * of another. */
typedef struct Sums {
   unsigned n_keys, n_least;
   size_t width;
   bool keeps_all;    /* equal keys are not added up */
   bool adds_late;    /* they are added up by cg2p_sums_add_up, at the end */
   uint64_t* records; /* behind them room for one more */
   size_t n, room;    /* records; numbers */
   Hash table;
} Sums;

/* Forgets the records. */
void cg2p_sums_clear(Sums* sums);
/* Room for a record behind the last one. */
uint64_t* cg2p_sums_reserve(Sums* sums, Failure* failure);
/* Adds the record that was put there. False: a sum is too large for 64 bits. */
bool cg2p_sums_add(Sums* sums, Failure* failure);
/* Puts the records in the order of their keys, the first key first, unless
 * equal keys are not added up. Then there is nothing but to clear them. */
void cg2p_sums_sort(Sums* sums);
/* Puts records that are added up late in that order, and adds them up. That
 * takes many of them less time than to find each, and more room. False: a sum
 * is too large for 64 bits. */
bool cg2p_sums_add_up(Sums* sums, Failure* failure);
void cg2p_sums_free(Sums* sums);

static inline uint64_t* cg2p_sums_at(const Sums* sums, size_t i)
{
   return sums->records + i * sums->width;
}

#endif
