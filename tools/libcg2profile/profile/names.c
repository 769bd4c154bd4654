#include "profile/names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void cg2p_names_init(NameStore* names, Failure* failure)
{
   cg2p_names_intern(names, failure, "???", 3);
}

static bool is_name(const StoredName* name, const char* text, size_t length)
{
   return name->length == length && !memcmp(name->text, text, length);
}

/* The number of a name; CG2P_NONE: there is none yet. */
static uint32_t
find(const NameStore* names, uint32_t hash, const char* text, size_t length)
{
   return cg2p_hash_find(&names->table, hash, i,
                         is_name(&names->of[i], text, length));
}

uint32_t
cg2p_names_find(const NameStore* names, const char* text, size_t length)
{
   uint32_t found = find(names, cg2p_hash_text(text, length), text, length);
   return found == CG2P_NONE ? names->n : found;
}

void cg2p_names_fetch(const NameStore* names, const char* text, size_t length)
{
   cg2p_hash_fetch(&names->table, cg2p_hash_text(text, length));
}

uint32_t cg2p_names_intern(NameStore* names,
                           Failure* failure,
                           const char* text,
                           size_t length)
{
   if (length >= UINT32_MAX || names->n >= CG2P_NONE - 1)
      cg2p_failure_memory(failure, length);
   uint32_t hash = cg2p_hash_text(text, length);
   uint32_t found = find(names, hash, text, length);
   if (found != CG2P_NONE) return found;
   names->of = cg2p_memory_grow(failure, names->of, &names->room, names->n + 1,
                                sizeof *names->of);
   names->of[names->n] = (StoredName){
      cg2p_arena_text(&names->texts, failure, text, length), length};
   cg2p_hash_add(&names->table, failure, hash, names->n);
   return names->n++;
}

/*--- Order --------------------------------------------------------------*/

int cg2p_names_compare(const StoredName* a, const StoredName* b)
{
   size_t shorter = a->length < b->length ? a->length : b->length;
   if (a == b) return 0;
   int order = memcmp(a->text, b->text, shorter);
   if (order) return order;
   return a->length < b->length ? -1 : a->length > b->length;
}

static int compare_numbers(const void* a, const void* b, void* names)
{
   const NameStore* all = names;
   return cg2p_names_compare(&all->of[*(const uint32_t*)a],
                             &all->of[*(const uint32_t*)b]);
}

uint32_t* cg2p_names_ranks(const NameStore* names, Failure* failure)
{
   size_t n = names->n;
   uint32_t* places = cg2p_memory_allocate(failure, 2 * n * sizeof *places);
   uint32_t* sorted = places + n;
   for (size_t i = 0; i < n; i++)
      sorted[i] = i;
   qsort_r(sorted, n, sizeof *sorted, compare_numbers, (void*)names);
   for (size_t i = 0; i < n; i++)
      places[sorted[i]] = i;
   return places;
}

/*--- The end ------------------------------------------------------------*/

void cg2p_names_free(NameStore* names)
{
   free(names->of);
   cg2p_hash_free(&names->table);
   cg2p_arena_free(&names->texts);
   *names = (NameStore){.n = 0};
}

/*--- Ids ----------------------------------------------------------------*/

Id* cg2p_names_find_id(const Ids* ids, uint64_t number)
{
   if (number < ids->n_near && ids->near[number].part)
      return &ids->near[number];
   uint32_t found = cg2p_hash_find(&ids->far_table, cg2p_hash_number(number), i,
                                   ids->far[i].number == number);
   return found == CG2P_NONE ? NULL : &ids->far[found].id;
}

void cg2p_names_fetch_id(const Ids* ids, uint64_t number)
{
   if (number < ids->n_near) __builtin_prefetch(&ids->near[number]);
}

static Id* add_far(Ids* ids, Failure* failure, uint64_t number)
{
   if (ids->n_far >= CG2P_NONE - 1) cg2p_failure_memory(failure, SIZE_MAX);
   ids->far = cg2p_memory_grow(failure, ids->far, &ids->far_room,
                               ids->n_far + 1, sizeof *ids->far);
   cg2p_hash_add(&ids->far_table, failure, cg2p_hash_number(number),
                 ids->n_far);
   FarId* far = &ids->far[ids->n_far++];
   *far = (FarId){.number = number};
   return &far->id;
}

/* A place for an id that has none. */
static Id* add_id(Ids* ids, Failure* failure, uint64_t number)
{
   enum { FEW = 64 };
   if (number < 2 * ids->n + FEW) {
      ids->near = cg2p_memory_grow_cleared(failure, ids->near, &ids->n_near,
                                           number + 1, sizeof *ids->near);
      return &ids->near[number];
   }
   return add_far(ids, failure, number);
}

Id* cg2p_names_define_id(
   Ids* ids, Failure* failure, uint64_t number, uint32_t name, uint32_t part)
{
   Id* id = cg2p_names_find_id(ids, number);
   if (!id) {
      id = add_id(ids, failure, number);
      ids->n++;
   }
   *id = (Id){.name = name, .part = part};
   return id;
}

void cg2p_names_free_ids(Ids* ids)
{
   free(ids->near);
   free(ids->far);
   cg2p_hash_free(&ids->far_table);
   *ids = (Ids){.n = 0};
}
