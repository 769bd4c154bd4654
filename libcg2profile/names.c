#include "names.h"

#include <stdlib.h>
#include <string.h>

static uint32_t hash_of(const char* text, size_t length)
{
   uint64_t hash = length * 0x9e3779b97f4a7c15ull;
   for (; length >= 8; length -= 8, text += 8) {
      uint64_t word;
      memcpy(&word, text, 8);
      hash = (hash ^ word) * 0xff51afd7ed558ccdull;
      hash ^= hash >> 32;
   }
   uint64_t rest = 0;
   memcpy(&rest, text, length);
   hash = (hash ^ rest) * 0xff51afd7ed558ccdull;
   return hash ^ hash >> 32;
}

void cg2p_names_init(Names* names, Failure* failure)
{
   cg2p_names_intern(names, failure, "???", 3);
}

static void place(Names* names, uint32_t number)
{
   size_t mask = names->n_buckets - 1, i = names->of[number].hash & mask;
   while (names->buckets[i])
      i = (i + 1) & mask;
   names->buckets[i] = number + 1;
}

static void grow_buckets(Names* names, Failure* failure)
{
   size_t n = names->n_buckets ? 2 * names->n_buckets : 64;
   uint32_t* buckets = cg2p_allocate(failure, n * sizeof *buckets);
   free(names->buckets);
   names->buckets = buckets;
   names->n_buckets = n;
   for (size_t number = 0; number < names->n; number++)
      place(names, number);
}

/* The number of a name; names->n: there is none yet. */
static uint32_t
find(const Names* names, uint32_t hash, const char* text, size_t length)
{
   size_t mask = names->n_buckets - 1;
   for (size_t i = hash & mask; names->buckets[i]; i = (i + 1) & mask) {
      const Name* name = &names->of[names->buckets[i] - 1];
      if (name->hash == hash && name->length == length &&
          !memcmp(name->text, text, length))
         return names->buckets[i] - 1;
   }
   return names->n;
}

uint32_t cg2p_names_find(const Names* names, const char* text, size_t length)
{
   return find(names, hash_of(text, length), text, length);
}

uint32_t cg2p_names_intern(Names* names,
                           Failure* failure,
                           const char* text,
                           size_t length)
{
   if (length >= UINT32_MAX || names->n >= UINT32_MAX - 1)
      cg2p_fail_memory(failure, length);
   if (2 * names->n >= names->n_buckets) grow_buckets(names, failure);
   uint32_t hash = hash_of(text, length);
   uint32_t number = find(names, hash, text, length);
   if (number < names->n) return number;
   names->of = cg2p_grow(failure, names->of, &names->room, names->n + 1,
                         sizeof *names->of);
   names->of[number] = (Name){
      cg2p_arena_text(&names->texts, failure, text, length), length, hash};
   names->n++;
   place(names, number);
   return number;
}

/*--- Order --------------------------------------------------------------*/

int cg2p_names_compare(const Name* a, const Name* b)
{
   size_t shorter = a->length < b->length ? a->length : b->length;
   if (a == b) return 0;
   int order = memcmp(a->text, b->text, shorter);
   if (order) return order;
   return a->length < b->length ? -1 : a->length > b->length;
}

static int compare_numbers(const void* a, const void* b, void* names)
{
   const Names* all = names;
   return cg2p_names_compare(&all->of[*(const uint32_t*)a],
                             &all->of[*(const uint32_t*)b]);
}

uint32_t* cg2p_names_ranks(const Names* names, Failure* failure)
{
   size_t n = names->n;
   uint32_t* places = cg2p_allocate(failure, 2 * n * sizeof *places);
   uint32_t* sorted = places + n;
   for (size_t i = 0; i < n; i++)
      sorted[i] = i;
   qsort_r(sorted, n, sizeof *sorted, compare_numbers, (void*)names);
   for (size_t i = 0; i < n; i++)
      places[sorted[i]] = i;
   return places;
}

/*--- The end ------------------------------------------------------------*/

void cg2p_names_free(Names* names)
{
   free(names->of);
   free(names->buckets);
   cg2p_arena_free(&names->texts);
   *names = (Names){.n = 0};
}

/*--- Ids ----------------------------------------------------------------*/

/* Where an id is, or would be. */
static Id* bucket_of(const Ids* ids, uint64_t id)
{
   size_t mask = ids->n_buckets - 1;
   /* Usual ids are numbers from 1, which lie side by side. */
   size_t i = (id + (id >> 20) * 0x9e3779b97f4a7c15ull) & mask;
   while (ids->of[i].part && ids->of[i].id != id)
      i = (i + 1) & mask;
   return &ids->of[i];
}

Id* cg2p_ids_find(const Ids* ids, uint64_t id)
{
   if (!ids->n_buckets) return NULL;
   Id* found = bucket_of(ids, id);
   return found->part ? found : NULL;
}

static void grow_ids(Ids* ids, Failure* failure)
{
   Ids grown = {.n = ids->n,
                .n_buckets = ids->n_buckets ? 2 * ids->n_buckets : 64};
   grown.of = cg2p_allocate(failure, grown.n_buckets * sizeof *grown.of);
   for (size_t i = 0; i < ids->n_buckets; i++)
      if (ids->of[i].part) *bucket_of(&grown, ids->of[i].id) = ids->of[i];
   free(ids->of);
   *ids = grown;
}

void cg2p_ids_define(
   Ids* ids, Failure* failure, uint64_t id, uint32_t name, uint32_t part)
{
   if (2 * ids->n >= ids->n_buckets) grow_ids(ids, failure);
   Id* entry = bucket_of(ids, id);
   if (!entry->part) ids->n++;
   *entry = (Id){id, name, part};
}

void cg2p_ids_free(Ids* ids)
{
   free(ids->of);
   *ids = (Ids){.n = 0};
}
