#include "profile/names.h"

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

static void place(Names* names, uint32_t hash, uint32_t number)
{
   size_t mask = names->n_buckets - 1, i = hash & mask;
   while (names->buckets[i].number)
      i = (i + 1) & mask;
   names->buckets[i] = (NameBucket){hash, number + 1};
}

static void grow_buckets(Names* names, Failure* failure)
{
   NameBucket* old = names->buckets;
   size_t n = names->n_buckets;
   NameBucket* grown = cg2p_allocate(failure, (n ? 2 * n : 64) * sizeof *grown);
   names->n_buckets = n ? 2 * n : 64;
   names->buckets = grown;
   for (size_t i = 0; i < n; i++)
      if (old[i].number) place(names, old[i].hash, old[i].number - 1);
   free(old);
}

/* The number of a name; names->n: there is none yet. */
static uint32_t
find(const Names* names, uint32_t hash, const char* text, size_t length)
{
   size_t mask = names->n_buckets - 1;
   for (size_t i = hash & mask; names->buckets[i].number; i = (i + 1) & mask) {
      if (names->buckets[i].hash != hash) continue;
      uint32_t number = names->buckets[i].number - 1;
      const Name* name = &names->of[number];
      if (name->length == length && !memcmp(name->text, text, length))
         return number;
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
   if (3 * names->n >= 2 * names->n_buckets) grow_buckets(names, failure);
   uint32_t hash = hash_of(text, length);
   uint32_t number = find(names, hash, text, length);
   if (number < names->n) return number;
   names->of = cg2p_grow(failure, names->of, &names->room, names->n + 1,
                         sizeof *names->of);
   names->of[number] =
      (Name){cg2p_arena_text(&names->texts, failure, text, length), length};
   names->n++;
   place(names, hash, number);
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

/* Where an id is among the far ones, or would be. */
static FarId* bucket_of(const Ids* ids, uint64_t number)
{
   size_t mask = ids->n_buckets - 1;
   uint64_t hash = number * 0x9e3779b97f4a7c15ull;
   size_t i = (hash ^ hash >> 32) & mask;
   while (ids->far[i].id.part && ids->far[i].number != number)
      i = (i + 1) & mask;
   return &ids->far[i];
}

Id* cg2p_ids_find(const Ids* ids, uint64_t number)
{
   if (number < ids->n_near && ids->near[number].part)
      return &ids->near[number];
   if (!ids->n_far) return NULL;
   Id* found = &bucket_of(ids, number)->id;
   return found->part ? found : NULL;
}

static void grow_far(Ids* ids, Failure* failure)
{
   FarId* old = ids->far;
   size_t n = ids->n_buckets;
   FarId* grown = cg2p_allocate(failure, (n ? 2 * n : 64) * sizeof *grown);
   ids->n_buckets = n ? 2 * n : 64;
   ids->far = grown;
   for (size_t i = 0; i < n; i++)
      if (old[i].id.part) *bucket_of(ids, old[i].number) = old[i];
   free(old);
}

/* A place for an id that has none. */
static Id* add_id(Ids* ids, Failure* failure, uint64_t number)
{
   enum { FEW = 64 };
   if (number < 2 * ids->n + FEW) {
      ids->near = cg2p_grow_cleared(failure, ids->near, &ids->n_near,
                                    number + 1, sizeof *ids->near);
      return &ids->near[number];
   }
   if (2 * ids->n_far >= ids->n_buckets) grow_far(ids, failure);
   ids->n_far++;
   FarId* far = bucket_of(ids, number);
   far->number = number;
   return &far->id;
}

void cg2p_ids_define(
   Ids* ids, Failure* failure, uint64_t number, uint32_t name, uint32_t part)
{
   Id* id = cg2p_ids_find(ids, number);
   if (!id) {
      id = add_id(ids, failure, number);
      ids->n++;
   }
   *id = (Id){name, part};
}

void cg2p_ids_free(Ids* ids)
{
   free(ids->near);
   free(ids->far);
   *ids = (Ids){.n = 0};
}
