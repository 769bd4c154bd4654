/* A hash table: functions that are called in several places, some of them rarely. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { unsigned key; int value; int used; } Slot;
typedef struct { Slot* slots; unsigned n, room; } Table;

static unsigned mix(unsigned key)
{
   key ^= key >> 15;
   key *= 0x2c1b3c6du;
   return key ^ key >> 12;
}
static unsigned next(const Table* t, unsigned at) { return at + 1 < t->room ? at + 1 : 0; }
static Slot* find(const Table* t, unsigned key)
{
   unsigned at = mix(key) % t->room;
   while (t->slots[at].used && t->slots[at].key != key)
      at = next(t, at);
   return &t->slots[at];
}
static int is_full(const Table* t) { return 4 * t->n >= 3 * t->room; }
static void place(Table* t, unsigned key, int value)
{
   Slot* slot = find(t, key);
   if (!slot->used) t->n++;
   *slot = (Slot){key, value, 1};
}
static void grow(Table* t)
{
   Table old = *t;
   *t = (Table){calloc(2 * old.room, sizeof(Slot)), 0, 2 * old.room};
   for (unsigned i = 0; i < old.room; i++)
      if (old.slots[i].used) place(t, old.slots[i].key, old.slots[i].value);
   free(old.slots);
}
static void insert(Table* t, unsigned key, int value)
{
   if (is_full(t)) grow(t);
   place(t, key, value);
}
static int lookup(const Table* t, unsigned key, int otherwise)
{
   const Slot* slot = find(t, key);
   return slot->used ? slot->value : otherwise;
}

int main(void)
{
   Table t = {calloc(8, sizeof(Slot)), 0, 8};
   int sum = 0;
   for (unsigned i = 0; i < 300; i++)
      insert(&t, i * 7 % 256, i);
   for (unsigned i = 0; i < 500; i += 3)
      sum += lookup(&t, i, -1);
   printf("%d %u\n", sum, t.n);
   free(t.slots);
   return 0;
}
