#include "base/sums.h"

#include "base/radix.h"

#include <stdlib.h>
#include <string.h>

void cg2p_sums_clear(Sums* sums)
{
   sums->n = 0;
   cg2p_hash_clear(&sums->table);
}

uint64_t* cg2p_sums_reserve(Sums* sums, Failure* failure)
{
   sums->records =
      cg2p_memory_grow(failure, sums->records, &sums->room,
                       (sums->n + 1) * sums->width, sizeof(uint64_t));
   return cg2p_sums_at(sums, sums->n);
}

/*--- Finding ------------------------------------------------------------*/

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

/* The record with the keys of `new`, of this hash; NULL: they are new. */
static uint64_t*
find_record(const Sums* sums, const uint64_t* new, uint32_t hash)
{
   uint32_t found = cg2p_hash_find(
      &sums->table, hash, i, have_same_keys(sums, cg2p_sums_at(sums, i), new));
   return found == CG2P_NONE ? NULL : cg2p_sums_at(sums, found);
}

/* Whether the record that was added last has the keys of `new`. */
static bool is_like_last(const Sums* sums, const uint64_t* new)
{
   return sums->n && have_same_keys(sums, new - sums->width, new);
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
   uint64_t* new = cg2p_sums_at(sums, sums->n);
   if (!sums->keeps_all && is_like_last(sums, new))
      return add_numbers(sums, new - sums->width, new);
   if (!sums->keeps_all && !sums->adds_late) {
      uint32_t hash = cg2p_hash_numbers(new, sums->n_keys);
      uint64_t* sum = find_record(sums, new, hash);
      if (sum) return add_numbers(sums, sum, new);
      cg2p_hash_add(&sums->table, failure, hash, sums->n);
   }
   sums->n++;
   return true;
}

/*--- Order --------------------------------------------------------------*/

static int compare_records(const void* a, const void* b, void* sums)
{
   return compare_numbers(a, b, ((const Sums*)sums)->n_keys);
}

/* Sorts records that are mostly in order one after the other; `spare` is room
 * for one. False: it gave up, as it would have moved more than `most`. */
static bool insert_each(Sums* sums, uint64_t* spare, size_t most)
{
   size_t bytes = sums->width * sizeof *spare;
   for (size_t i = 1; i < sums->n; i++) {
      uint64_t *record = cg2p_sums_at(sums, i), *place = record;
      while (place > sums->records &&
             compare_numbers(record, place - sums->width, sums->n_keys) < 0) {
         if (!most--) return false;
         place -= sums->width;
      }
      if (place == record) continue;
      memcpy(spare, record, bytes);
      memmove(place + sums->width, place, (record - place) * sizeof *record);
      memcpy(place, spare, bytes);
   }
   return true;
}

void cg2p_sums_sort(Sums* sums)
{
   enum { FEW = 16, WIDTH_MAX = 64 };
   uint64_t spare[WIDTH_MAX];
   if (sums->keeps_all || sums->n < 2) return;
   if (sums->n <= FEW && sums->width <= WIDTH_MAX)
      insert_each(sums, spare, SIZE_MAX);
   else
      qsort_r(sums->records, sums->n, sums->width * sizeof *sums->records,
              compare_records, sums);
}

/*--- All at once --------------------------------------------------------*/

/* What records are sorted in: one piece of memory, which `records` begins. */
typedef struct SortRoom {
   uint64_t *records, *keys;
   size_t *order, *spare; /* numbers of records */
} SortRoom;

static SortRoom room_for(const Sums* sums, Failure* failure)
{
   size_t n = sums->n, n_words = n * (sums->width + 1);
   uint64_t* words = cg2p_memory_allocate(failure, n_words * sizeof *words +
                                                      2 * n * sizeof(size_t));
   size_t* order = (size_t*)(words + n_words);
   return (SortRoom){words, words + n * sums->width, order, order + n};
}

/* Lets the largest number, which stands for what is none, be the one behind all
 * other keys: numbers are sorted in as many passes as the largest key needs. */
static void bring_down(uint64_t* keys, size_t n)
{
   uint64_t most = 0;
   for (size_t i = 0; i < n; i++)
      if (keys[i] != UINT64_MAX && keys[i] > most) most = keys[i];
   for (size_t i = 0; i < n; i++)
      if (keys[i] == UINT64_MAX) keys[i] = most + 1;
}

/* Sorts numbers of records by one key, if they are not in its order. */
static void sort_by_key(const Sums* sums, const SortRoom* room, unsigned key)
{
   uint64_t before = 0;
   bool is_sorted = true;
   for (size_t i = 0; i < sums->n; i++) {
      size_t number = room->order[i];
      uint64_t own = cg2p_sums_at(sums, number)[key];
      is_sorted &= own >= before;
      room->keys[number] = before = own;
   }
   if (is_sorted) return;
   bring_down(room->keys, sums->n);
   cg2p_radix_sort(room->order, room->spare, sums->n, room->keys);
}

static uint64_t* copy_of(const Sums* sums, const SortRoom* room, size_t i)
{
   return room->records + i * sums->width;
}

static void sort_by_digits(const Sums* sums, const SortRoom* room)
{
   size_t bytes = sums->width * sizeof *sums->records;
   for (size_t i = 0; i < sums->n; i++)
      room->order[i] = i;
   for (unsigned key = sums->n_keys; key-- > 0;)
      sort_by_key(sums, room, key);
   for (size_t i = 0; i < sums->n; i++)
      memcpy(copy_of(sums, room, i), cg2p_sums_at(sums, room->order[i]), bytes);
}

/*--- Stretches ----------------------------------------------------------*/

/* Records often come in stretches that are in order and whose first keys lie
 * close together, as the instructions of each function do. Then the stretches
 * are sorted, and few records are left that lie among those of another one. */

static bool goes_on(const Sums* sums, const uint64_t* record)
{
   enum { GAP_MAX = 64 };
   const uint64_t* next = record + sums->width;
   return next[0] - record[0] <= GAP_MAX &&
          compare_numbers(record, next, sums->n_keys) <= 0;
}

/* The record behind the stretch that begins with record `i`. */
static size_t end_of_stretch(const Sums* sums, size_t i)
{
   while (i + 1 < sums->n && goes_on(sums, cg2p_sums_at(sums, i)))
      i++;
   return i + 1;
}

static int compare_firsts(const void* a, const void* b, void* sums)
{
   return compare_records(cg2p_sums_at(sums, *(const size_t*)a),
                          cg2p_sums_at(sums, *(const size_t*)b), sums);
}

/* Lists with which record each stretch begins, in the order of these records.
 * Their number; 0: they are too many to be worth it. */
static size_t list_stretches(Sums* sums, size_t* firsts)
{
   enum { LENGTH_MIN = 8 }; /* on average */
   size_t n = 0;
   for (size_t i = 0; i < sums->n; i = end_of_stretch(sums, i)) {
      if (n == sums->n / LENGTH_MIN) return 0;
      firsts[n++] = i;
   }
   qsort_r(firsts, n, sizeof *firsts, compare_firsts, sums);
   return n;
}

/* Copies the stretches one behind the other. */
static void
put_stretches(const Sums* sums, const SortRoom* room, const size_t* firsts)
{
   for (size_t i = 0; i < sums->n;) {
      size_t first = *firsts++, length = end_of_stretch(sums, first) - first;
      memcpy(copy_of(sums, room, i), cg2p_sums_at(sums, first),
             length * sums->width * sizeof *sums->records);
      i += length;
   }
}

static bool sort_by_stretches(Sums* sums, const SortRoom* room)
{
   Sums copied = *sums;
   copied.records = room->records;
   if (sums->n < sums->width || !list_stretches(sums, room->order))
      return false;
   put_stretches(sums, room, room->order);
   return insert_each(&copied, room->keys, sums->n);
}

/*--- Groups -------------------------------------------------------------*/

/* Numbers that are given out from 0 on, as those of functions are, are first
 * keys of groups of a few records. */

static uint64_t greatest_first(const Sums* sums)
{
   uint64_t most = 0;
   for (size_t i = 0; i < sums->n; i++)
      if (*cg2p_sums_at(sums, i) > most) most = *cg2p_sums_at(sums, i);
   return most;
}

/* Copies the records of each group behind those of the one before, as they
 * come. Where the groups end. */
static const size_t*
put_groups(const Sums* sums, const SortRoom* room, size_t n_groups)
{
   size_t* ends = room->order;
   memset(ends, 0, n_groups * sizeof *ends);
   for (size_t i = 0; i < sums->n; i++)
      ends[*cg2p_sums_at(sums, i)]++;
   cg2p_radix_begin(ends, n_groups);
   for (size_t i = 0; i < sums->n; i++) {
      const uint64_t* record = cg2p_sums_at(sums, i);
      memcpy(copy_of(sums, room, ends[*record]++), record,
             sums->width * sizeof *record);
   }
   return ends;
}

static bool sort_by_groups(const Sums* sums, const SortRoom* room)
{
   uint64_t most = greatest_first(sums);
   if (most >= sums->n) return false;
   const size_t* ends = put_groups(sums, room, most + 1);
   Sums group = *sums;
   size_t first = 0;
   for (uint64_t i = 0; i <= most; i++) {
      group.records = copy_of(sums, room, first);
      group.n = ends[i] - first;
      cg2p_sums_sort(&group);
      first = ends[i];
   }
   return true;
}

static void put_in_order(Sums* sums, const SortRoom* room)
{
   if (!sort_by_stretches(sums, room) && !sort_by_groups(sums, room))
      sort_by_digits(sums, room);
}

/*--- Sums ---------------------------------------------------------------*/

/* Puts records that are in order back, those with equal keys as one. */
static bool put_sums(Sums* sums, const SortRoom* room)
{
   size_t n = sums->n, bytes = sums->width * sizeof *sums->records;
   bool fits = true;
   sums->n = 0;
   for (size_t i = 0; i < n; i++) {
      const uint64_t* record = room->records + i * sums->width;
      uint64_t* last = sums->n ? cg2p_sums_at(sums, sums->n - 1) : NULL;
      if (last && have_same_keys(sums, last, record))
         fits &= add_numbers(sums, last, record);
      else
         memcpy(cg2p_sums_at(sums, sums->n++), record, bytes);
   }
   return fits;
}

bool cg2p_sums_add_up(Sums* sums, Failure* failure)
{
   if (!sums->n) return true;
   SortRoom room = room_for(sums, failure);
   put_in_order(sums, &room);
   bool fits = put_sums(sums, &room);
   free(room.records);
   return fits;
}

void cg2p_sums_free(Sums* sums)
{
   free(sums->records);
   cg2p_hash_free(&sums->table);
   *sums = (Sums){.n = 0};
}
