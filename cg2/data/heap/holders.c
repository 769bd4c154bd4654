#include "data/heap/holders.h"

#include "base/arena.h"

/* Reason for a mutable file-scope object: who owns the memory of the process.
 */
static struct {
   Table table;
   const Holder** by_number; /* [0..n), of the numbers from 1 */
   UInt n, capacity;
} holders;

static void list(const Holder* holder)
{
   if (holders.n == holders.capacity) {
      holders.capacity += holders.capacity + 64;
      holders.by_number =
         VG_(realloc)("cg2.holders", holders.by_number,
                      holders.capacity * sizeof *holders.by_number);
   }
   holders.by_number[holders.n++] = holder;
}

UInt cg2_holders_number(DataObject* object, UInt pool)
{
   ULong hash = cg2_hash_word(cg2_hash_word(0, (UWord)object), pool);
   for (TableNode* n = cg2_table_first(&holders.table, hash); n;
        n = cg2_table_next(n)) {
      const Holder* holder = (const Holder*)n;
      if (holder->object == object && holder->pool == pool)
         return holder->number;
   }
   Holder* holder = cg2_arena_new(sizeof *holder);
   holder->object = object;
   holder->pool = pool;
   holder->number = holders.n + 1;
   cg2_table_add(&holders.table, &holder->node, hash);
   list(holder);
   return holder->number;
}

const Holder* cg2_holders_get(UInt number)
{
   return holders.by_number[number - 1];
}
