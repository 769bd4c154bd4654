/* Adds up records of libcg2profile at once and late, and compares the sums: of
 * functions whose instructions are in order, while functions are not; of some
 * that lie among each other; of records without any order; of some with few
 * first keys; of few. */
#include "base/sums.h"

#include <stdio.h>
#include <stdlib.h>

enum { N_KEYS = 2, WIDTH = 3, MOST = 20000 };

static Failure failure;

static uint32_t chance(uint32_t below)
{
   static uint64_t state = 1;
   state = state * 6364136223846793005 + 1442695040888963407;
   return (state >> 33) % below;
}

static void add(Sums* sums, uint64_t first, uint64_t second, uint64_t count)
{
   uint64_t* record = cg2p_sums_reserve(sums, &failure);
   record[0] = first;
   record[1] = second;
   record[2] = count;
   cg2p_sums_add(sums, &failure);
}

/* Adds `n` records to both: of functions of `length` records, each of which
 * begins at one of `places`, `apart` numbers from the next one. */
static void
fill(Sums* now, Sums* late, unsigned n, unsigned length, unsigned apart)
{
   uint64_t at = 0;
   unsigned places = n / length + 1;
   for (unsigned i = 0; i < n; i++) {
      if (i % length == 0) at = (uint64_t)chance(places) * apart;
      bool is_none = apart && chance(1000) == 0;
      at += chance(8);
      uint64_t first = is_none ? UINT64_MAX : at;
      uint64_t second = chance(3), count = chance(100);
      add(now, first, second, count);
      add(late, first, second, count);
   }
}

static void compare(const Sums* now, const Sums* late)
{
   bool is_same = now->n == late->n;
   for (size_t i = 0; is_same && i < now->n * WIDTH; i++)
      is_same = now->records[i] == late->records[i];
   printf("%s\n", is_same ? "same" : "different");
}

static void check(unsigned n, unsigned length, unsigned apart)
{
   Sums now = {.n_keys = N_KEYS, .width = WIDTH};
   Sums late = {.n_keys = N_KEYS, .width = WIDTH, .adds_late = true};
   fill(&now, &late, n, length, apart);
   cg2p_sums_sort(&now);
   cg2p_sums_add_up(&late, &failure);
   compare(&now, &late);
   cg2p_sums_free(&now);
   cg2p_sums_free(&late);
}

int main(void)
{
   check(MOST, 100, 1000);
   check(MOST, 100, 300); /* functions that lie among each other */
   check(MOST, 100, 20);
   check(MOST, 1, 5);
   check(MOST, 100, 0); /* groups of records with the same small number */
   check(MOST, 1, 0);
   for (unsigned n = 1; n < 40; n++)
      check(n, 20, 100);
   return 0;
}
