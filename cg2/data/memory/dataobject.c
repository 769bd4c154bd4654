#include "data/memory/dataobject.h"

#include "base/arena.h"

/* Objects by a number that something else has; NULL: not made yet. */
typedef struct ObjectsByNumber {
   DataObject** of;
   UInt n;
} ObjectsByNumber;

/* Reason for a mutable file-scope object: all objects, by number. */
static struct {
   DataObject** of; /* [1..n] */
   UInt n, room;
   ObjectsByNumber made[OBJECTS_OF];
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

DataObject* cg2_dataobject_of(ObjectsOf what,
                              UInt number,
                              DataKind kind,
                              const HChar* name,
                              const Object* object)
{
   ObjectsByNumber* made = &objects.made[what];
   if (number >= made->n) {
      UInt n = 2 * number + 64;
      made->of = VG_(realloc)("cg2.objects", made->of, n * sizeof *made->of);
      VG_(memset)(made->of + made->n, 0, (n - made->n) * sizeof *made->of);
      made->n = n;
   }
   if (!made->of[number])
      made->of[number] = cg2_dataobject_new(kind, name, object);
   return made->of[number];
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
