#include "base/table.h"

enum { FIRST_BUCKETS = 64 };

/* Links a node whose hash is set into its bucket. */
static void put(Table* table, TableNode* node)
{
   TableNode** bucket = &table->buckets[node->hash & (table->n_buckets - 1)];
   node->next = *bucket;
   *bucket = node;
}

/* Doubles the number of buckets, so that there is one for each node. */
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

void cg2_table_remove(Table* table, TableNode* node)
{
   TableNode** link = &table->buckets[node->hash & (table->n_buckets - 1)];
   while (*link != node)
      link = &(*link)->next;
   *link = node->next;
   table->n_nodes--;
}
