/* Numbers by 64-bit keys. A key is the place of an entry in memory, or what a
 * text is hashed to: two texts of one object that have the same hash are not to
 * be expected in the time that anybody has. */
#ifndef CG2D_TABLE_H
#define CG2D_TABLE_H

#include "base/memory.h"

#include <stdbool.h>

typedef struct Table {
   struct TableItem* items; /* `room` of them, a power of two; key 0: free */
   size_t count, room;
} Table;

/* The number of a key; 0: it has none. */
uint64_t cg2d_table_find(const Table* table, uint64_t key);
/* Gives a key, which is not 0, a number. */
void cg2d_table_set(Table* table,
                    Failure* failure,
                    uint64_t key,
                    uint64_t number);
void cg2d_table_free(Table* table);

/* The key of a text. */
uint64_t cg2d_text_key(const char* text);

#endif
