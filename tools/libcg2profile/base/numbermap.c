#include "base/numbermap.h"

#include <stdlib.h>

static uint32_t find(const NumberMap* map, uint64_t key)
{
   return cg2p_hash_find(&map->table, cg2p_hash_number(key), i,
                         map->of[i].key == key);
}

uint64_t cg2p_numbermap_find(const NumberMap* map, uint64_t key)
{
   uint32_t found = find(map, key);
   return found == CG2P_NONE ? 0 : map->of[found].number;
}

void cg2p_numbermap_set(NumberMap* map,
                        Failure* failure,
                        uint64_t key,
                        uint64_t number)
{
   uint32_t found = find(map, key);
   if (found != CG2P_NONE) {
      map->of[found].number = number;
      return;
   }
   if (map->n >= CG2P_NONE - 1) cg2p_failure_memory(failure, SIZE_MAX);
   map->of = cg2p_memory_grow(failure, map->of, &map->room, map->n + 1,
                              sizeof *map->of);
   map->of[map->n] = (KeyedNumber){key, number};
   cg2p_hash_add(&map->table, failure, cg2p_hash_number(key), map->n);
   map->n++;
}

void cg2p_numbermap_free(NumberMap* map)
{
   free(map->of);
   cg2p_hash_free(&map->table);
   *map = (NumberMap){.n = 0};
}

uint64_t cg2p_numbermap_key(const char* text)
{
   uint64_t key = 0xcbf29ce484222325;
   for (const char* at = text; *at; at++)
      key = (key ^ (unsigned char)*at) * 0x100000001b3;
   return key ? key : 1;
}
