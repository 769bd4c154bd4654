#include "data/static/elfobjects.h"

#include "base/arena.h"
#include "code/symbols.h"

/* Reason for a mutable file-scope object: files are read once, and the process
 * has one memory map. */
static struct {
   Table all; /* by object */
   LoadedObjects loaded;
   UInt epoch; /* that `loaded` is right in */
} known;

static ULong hash_of(const Object* object)
{
   return cg2_hash_word(0, (UWord)object);
}

/* What is known of an object, which is read on first use. */
static ElfObject* elf_of(const Object* object)
{
   TableNode* n = cg2_table_first(&known.all, hash_of(object));
   for (; n; n = cg2_table_next(n))
      if (((ElfObject*)n)->object == object) return (ElfObject*)n;
   ElfObject* elf = cg2_arena_new(sizeof *elf);
   elf->object = object;
   cg2_elfdata_read(&elf->data, object->name->text);
   cg2_table_add(&known.all, &elf->node, hash_of(object));
   return elf;
}

static void add(const Mapping* mapping)
{
   if (known.loaded.n == known.loaded.capacity) {
      known.loaded.capacity =
         known.loaded.capacity ? 2 * known.loaded.capacity : 16;
      known.loaded.all =
         VG_(realloc)("cg2.elfobjects", known.loaded.all,
                      known.loaded.capacity * sizeof *known.loaded.all);
   }
   known.loaded.all[known.loaded.n++] =
      (LoadedObject){.elf = elf_of(mapping->object), .bias = mapping->bias};
}

const LoadedObjects* cg2_elfobjects_loaded(void)
{
   UInt epoch = cg2_symbols_epoch(), n;
   if (known.loaded.version && known.epoch == epoch) return &known.loaded;
   const Mapping* mappings = cg2_symbols_mappings(&n);
   known.epoch = epoch;
   known.loaded.version++;
   known.loaded.n = 0;
   for (UInt i = 0; i < n; i++)
      add(&mappings[i]);
   return &known.loaded;
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
