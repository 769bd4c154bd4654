#include "base/table.h"

#include <stdlib.h>

typedef struct TableItem {
   uint64_t key, number;
} TableItem;

/* The item of a key, or the free one where it belongs; the table has one. */
static TableItem* place_of(const Table* table, uint64_t key)
{
   size_t at = (key * 0x9e3779b97f4a7c15) >> 20;
   for (;; at++) {
      TableItem* item = &table->items[at & (table->room - 1)];
      if (item->key == key || item->key == 0) return item;
   }
}

uint64_t cg2d_table_find(const Table* table, uint64_t key)
{
   return table->room ? place_of(table, key)->number : 0;
}

static void enlarge(Table* table, Failure* failure)
{
   Table larger = {.room = table->room ? 2 * table->room : 64};
   larger.items = calloc(larger.room, sizeof *larger.items);
   if (!larger.items)
      cg2d_fail_memory(failure, larger.room * sizeof *larger.items);
   larger.count = table->count;
   for (size_t i = 0; i < table->room; i++)
      if (table->items[i].key)
         *place_of(&larger, table->items[i].key) = table->items[i];
   free(table->items);
   *table = larger;
}

void cg2d_table_set(Table* table,
                    Failure* failure,
                    uint64_t key,
                    uint64_t number)
{
   if (2 * (table->count + 1) > table->room) enlarge(table, failure);
   TableItem* item = place_of(table, key);
   if (!item->key) table->count++;
   *item = (TableItem){key, number};
}

void cg2d_table_free(Table* table)
{
   free(table->items);
   *table = (Table){0};
}

uint64_t cg2d_text_key(const char* text)
{
   uint64_t key = 0xcbf29ce484222325;
   for (const char* at = text; *at; at++)
      key = (key ^ (unsigned char)*at) * 0x100000001b3;
   return key ? key : 1;
}
