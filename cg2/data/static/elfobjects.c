#include "data/static/elfobjects.h"

#include "base/arena.h"
#include "code/symbols.h"

/* By object. Reason for a mutable file-scope object: files are read once. */
static Table known;

/* Reason for mutable file-scope objects: a cache of the process's one memory
 * map, valid for one epoch. */
static LoadedObjects loaded;
static UInt loaded_epoch;

static ULong hash_of(const Object* object)
{
   return cg2_hash_word(0, (UWord)object);
}

/* What is known of an object, which is read on first use. */
static ElfObject* elf_of(const Object* object)
{
   TableNode* n = cg2_table_first(&known, hash_of(object));
   for (; n; n = cg2_table_next(n))
      if (((ElfObject*)n)->object == object) return (ElfObject*)n;
   ElfObject* elf = cg2_arena_new(sizeof *elf);
   elf->object = object;
   cg2_elfdata_read(&elf->data, object->name->text);
   cg2_table_add(&known, &elf->node, hash_of(object));
   return elf;
}

static void add(const Mapping* mapping)
{
   if (loaded.n == loaded.capacity) {
      loaded.capacity = loaded.capacity ? 2 * loaded.capacity : 16;
      loaded.all = VG_(realloc)("cg2.elfobjects", loaded.all,
                                loaded.capacity * sizeof *loaded.all);
   }
   loaded.all[loaded.n++] =
      (LoadedObject){.elf = elf_of(mapping->object), .bias = mapping->bias};
}

const LoadedObjects* cg2_elfobjects_loaded(void)
{
   UInt epoch = cg2_symbols_epoch(), n;
   if (loaded.version && loaded_epoch == epoch) return &loaded;
   const Mapping* mappings = cg2_symbols_mappings(&n);
   loaded_epoch = epoch;
   loaded.version++;
   loaded.n = 0;
   for (UInt i = 0; i < n; i++)
      add(&mappings[i]);
   return &loaded;
}

DataObject* cg2_elfobjects_object(const ElfObject* elf, ElfStretch* stretch)
{
   if (!stretch->number)
      stretch->number =
         cg2_dataobject_new(DATA_STATIC, elf->data.names + stretch->name,
                            elf->object)
            ->number;
   return cg2_dataobject_number(stretch->number);
}
