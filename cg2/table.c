#include "table.h"

enum { FIRST_BUCKETS = 64 };

static void put(Table* table, TableNode* node)
{
   TableNode** bucket = &table->buckets[node->hash & (table->n_buckets - 1)];
   node->next = *bucket;
   *bucket = node;
}

static void grow(Table* table)
{
   TableNode** old = table->buckets;
   UWord n_old = table->n_buckets;
   table->n_buckets = n_old ? 2 * n_old : FIRST_BUCKETS;
   table->buckets =
      VG_(calloc)("cg2.table", table->n_buckets, sizeof *table->buckets);
   for (UWord i = 0; i < n_old; i++)
      for (TableNode *node = old[i], *next; node; node = next) {
         next = node->next;
         put(table, node);
      }
   if (old) VG_(free)(old);
}

void cg2_table_add(Table* table, TableNode* node, ULong hash)
{
   if (table->n_nodes == table->n_buckets) grow(table);
   node->hash = hash;
   put(table, node);
   table->n_nodes++;
}

static TableNode* skip_others(TableNode* node, ULong hash)
{
   while (node && node->hash != hash)
      node = node->next;
   return node;
}

TableNode* cg2_table_first(const Table* table, ULong hash)
{
   if (!table->n_buckets) return NULL;
   return skip_others(table->buckets[hash & (table->n_buckets - 1)], hash);
}

TableNode* cg2_table_next(const TableNode* node)
{
   return skip_others(node->next, node->hash);
}
