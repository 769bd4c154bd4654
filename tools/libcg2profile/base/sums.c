#include "base/sums.h"

#include <stdlib.h>
#include <string.h>

/* Makes `n_slots` slots that are free; a power of two. */
static void clear_slots(Sums* sums, Failure* failure, size_t n_slots)
{
   sums->slots = cg2p_grow(failure, sums->slots, &sums->slots_room, n_slots,
                           sizeof *sums->slots);
   sums->n_slots = n_slots;
   memset(sums->slots, 0, n_slots * sizeof *sums->slots);
}

void cg2p_sums_clear(Sums* sums, Failure* failure)
{
   enum { SLOTS_LEAST = 64 };
   sums->n = 0;
   if (!sums->keeps_all) clear_slots(sums, failure, SLOTS_LEAST);
}

uint64_t* cg2p_sums_reserve(Sums* sums, Failure* failure)
{
   sums->records = cg2p_grow(failure, sums->records, &sums->room,
                             (sums->n + 1) * sums->width, sizeof(uint64_t));
   return cg2p_sums_at(sums, sums->n);
}

/*--- Finding ------------------------------------------------------------*/

static size_t hash(const Sums* sums, const uint64_t* record)
{
   uint64_t mixed = 0;
   for (unsigned i = 0; i < sums->n_keys; i++)
      mixed = (mixed ^ record[i] ^ mixed >> 29) * 0x9e3779b97f4a7c15u;
   return mixed >> 32;
}

static int compare_numbers(const uint64_t* a, const uint64_t* b, unsigned n)
{
   for (unsigned i = 0; i < n; i++)
      if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
   return 0;
}

static bool
have_same_keys(const Sums* sums, const uint64_t* a, const uint64_t* b)
{
   return !compare_numbers(a, b, sums->n_keys);
}

/* The slot of the record with such keys, or a free one. */
static uint32_t* find_slot(const Sums* sums, const uint64_t* record)
{
   size_t i = hash(sums, record);
   for (;; i++) {
      uint32_t* slot = &sums->slots[i & (sums->n_slots - 1)];
      if (!*slot || have_same_keys(sums, cg2p_sums_at(sums, *slot - 1), record))
         return slot;
   }
}

static void double_slots(Sums* sums, Failure* failure)
{
   clear_slots(sums, failure, 2 * sums->n_slots);
   for (size_t i = 0; i < sums->n; i++)
      *find_slot(sums, cg2p_sums_at(sums, i)) = i + 1;
}

/* The record that the new one is to be added to; NULL: its keys are new. */
static uint64_t* find_record(Sums* sums, const uint64_t* new)
{
   if (sums->keeps_all) return NULL;
   uint64_t* last = sums->n ? cg2p_sums_at(sums, sums->n - 1) : NULL;
   if (last && have_same_keys(sums, last, new)) return last;
   uint32_t* slot = find_slot(sums, new);
   if (*slot) return cg2p_sums_at(sums, *slot - 1);
   *slot = sums->n + 1;
   return NULL;
}

/*--- Adding -------------------------------------------------------------*/

static bool add_numbers(const Sums* sums, uint64_t* sum, const uint64_t* new)
{
   unsigned first = sums->n_keys, n = sums->n_least;
   bool fits = true;
   if (compare_numbers(new + first, sum + first, n) < 0)
      memcpy(sum + first, new + first, n * sizeof *sum);
   for (size_t i = first + n; i < sums->width; i++)
      fits &= !__builtin_add_overflow(sum[i], new[i], &sum[i]);
   return fits;
}

bool cg2p_sums_add(Sums* sums, Failure* failure)
{
   const uint64_t* new = cg2p_sums_at(sums, sums->n);
   uint64_t* sum = find_record(sums, new);
   if (sum) return add_numbers(sums, sum, new);
   sums->n++;
   if (!sums->keeps_all && sums->n > sums->n_slots / 2)
      double_slots(sums, failure);
   return true;
}

/*--- Order --------------------------------------------------------------*/

static int compare_records(const void* a, const void* b, void* sums)
{
   return compare_numbers(a, b, ((const Sums*)sums)->n_keys);
}

void cg2p_sums_sort(Sums* sums)
{
   if (!sums->keeps_all && sums->n)
      qsort_r(sums->records, sums->n, sums->width * sizeof *sums->records,
              compare_records, sums);
}

void cg2p_sums_free(Sums* sums)
{
   free(sums->records);
   free(sums->slots);
   *sums = (Sums){.n = 0};
}
