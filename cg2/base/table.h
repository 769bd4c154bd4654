/* The one hash table: records that carry their own link, found by hash.
 *
 * The table neither owns nor compares records: a caller computes a 64-bit hash
 * of whatever its key is, walks the few nodes with that hash, and compares the
 * key itself.
 *
 * Not Valgrind's VG_(HT_*): its keys are one word and compound keys go through
 * a compare callback; arcs, looked up on every miss of a call site's cache,
 * have three-word keys. */
#ifndef CG2_TABLE_H
#define CG2_TABLE_H

#include "base/vg.h"

/* The link of a record, to be embedded as its first field. */
typedef struct TableNode {
   struct TableNode* next; /* in the same bucket; NULL: the last one */
   ULong hash;             /* of the record's key */
} TableNode;

/* A table of records. All zero is an empty table. */
typedef struct Table {
   TableNode** buckets; /* n_buckets lists; NULL: no record was added yet */
   UWord n_buckets;     /* a power of two, or 0 */
   UWord n_nodes;       /* records in the table */
} Table;

/* Adds a record whose key has this hash. The record must not be in a table. */
void cg2_table_add(Table* table, TableNode* node, ULong hash);

/* Removes a record, which must be in the table. */
void cg2_table_remove(Table* table, TableNode* node);

/* The first node with this hash from `node` on, in one bucket; NULL: there is
 * none. */
static inline TableNode* cg2_table_skip_others(TableNode* node, ULong hash)
{
   while (node && node->hash != hash)
      node = node->next;
   return node;
}

/* The first node of the table with this hash; NULL: there is none. */
static inline TableNode* cg2_table_first(const Table* table, ULong hash)
{
   if (!table->n_buckets) return NULL;
   return cg2_table_skip_others(table->buckets[hash & (table->n_buckets - 1)],
                                hash);
}

/* The next node with the same hash as `node`; NULL: there is none. */
static inline TableNode* cg2_table_next(const TableNode* node)
{
   return cg2_table_skip_others(node->next, node->hash);
}

/* Folds `word` into `hash`, which is 0 for the first word. Multiplies by the
 * golden ratio's fraction, as Knuth's multiplicative hashing does, and brings
 * the high bits, which are the good ones, down to where buckets are chosen. */
static inline ULong cg2_hash_word(ULong hash, ULong word)
{
   hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
   return hash ^ hash >> 32;
}

/* Folds a string, by FNV-1a, into `hash`, which is 0 for the first one. */
static inline ULong cg2_hash_string(ULong hash, const HChar* s)
{
   for (; *s; s++)
      hash = (hash ^ (UChar)*s) * 0x100000001b3ULL;
   return cg2_hash_word(0, hash);
}

#endif
