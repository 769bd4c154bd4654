#include "data/memory/dataobject.h"

#include "base/arena.h"

/* Reason for a mutable file-scope object: all objects, by number. */
static struct {
   DataObject** of; /* [1..n] */
   UInt n, room;
} objects;

DataObject*
cg2_dataobject_new(DataKind kind, const HChar* name, const Object* object)
{
   SizeT size = VG_(strlen)(name) + 1;
   HChar* copy = cg2_arena_new(size);
   DataObject* made = cg2_arena_new(sizeof *made);
   VG_(memcpy)(copy, name, size);
   if (objects.n + 1 >= objects.room) {
      objects.room = 2 * objects.room + 64;
      objects.of = VG_(realloc)("cg2.objects", objects.of,
                                objects.room * sizeof *objects.of);
   }
   objects.of[++objects.n] = made;
   *made = (DataObject){
      .kind = kind, .number = objects.n, .name = copy, .object = object};
   return made;
}

UInt cg2_dataobject_count(void)
{
   return objects.n;
}

DataObject* cg2_dataobject_number(UInt number)
{
   return objects.of[number];
}

void cg2_dataobject_zero(void)
{
   for (UInt i = 1; i <= objects.n; i++)
      objects.of[i]->n_blocks = objects.of[i]->n_bytes = 0;
}

const HChar* cg2_dataobject_kind_name(DataKind kind)
{
   static const HChar* const names[] = {"heap", "static", "stack", "other"};
   return names[kind];
}
