#include "data/statics.h"

#include "base/arena.h"
#include "code/symbols.h"
#include "data/elfdata.h"

/*--- Objects and their data ---------------------------------------------*/

/* What is known of an ELF object that was ever mapped. */
typedef struct ObjectData {
   TableNode node;
   const Object* object; /* the key */
   ElfData elf;
} ObjectData;

/* By object. Reason for a mutable file-scope object: files are read once. */
static Table known;

/* The objects of stretches that somebody asked for: all[number - 1]. Reason for
 * a mutable file-scope object: they are made on first use. */
static struct {
   DataObject** all;
   UInt n, capacity;
} made;

static ULong hash_of(const Object* object)
{
   return cg2_hash_word(0, (UWord)object);
}

/* The object's data, read on first use; without anything if the file cannot be
 * read. */
static ObjectData* data_of(const Object* object)
{
   TableNode* n = cg2_table_first(&known, hash_of(object));
   for (; n; n = cg2_table_next(n))
      if (((ObjectData*)n)->object == object) return (ObjectData*)n;
   ObjectData* data = cg2_arena_new(sizeof *data);
   data->object = object;
   cg2_elfdata_read(&data->elf, object->name->text);
   cg2_table_add(&known, &data->node, hash_of(object));
   return data;
}

/* The data object of a stretch, made on first use. */
static DataObject* object_of(const ObjectData* data, Stretch* stretch)
{
   if (stretch->number) return made.all[stretch->number - 1];
   if (made.n == made.capacity) {
      made.capacity = made.capacity ? 2 * made.capacity : 256;
      made.all = VG_(realloc)("cg2.statics", made.all,
                              made.capacity * sizeof *made.all);
   }
   DataObject* object = cg2_object_new(
      DATA_STATIC, data->elf.names + stretch->name, data->object);
   made.all[made.n++] = object;
   stretch->number = made.n;
   return object;
}

/*--- What is mapped -----------------------------------------------------*/

/* A segment of an object, where it is mapped. */
typedef struct Mapped {
   Addr start, end; /* [start, end) */
   PtrdiffT bias;   /* address - offset in the object */
   ObjectData* data;
} Mapped;

/* All that are mapped, ascending. Reason for a mutable file-scope object: a
 * cache of the process's one memory map, valid for one epoch. */
static struct {
   Mapped* all;
   UInt n, capacity;
   UInt epoch;
   Bool is_valid;
   Piece recent; /* the last that was found; empty: none */
} mapped;

static Int compare(const void* a, const void* b)
{
   const Mapped *x = a, *y = b;
   return x->start < y->start ? -1 : x->start > y->start;
}

static void add_segments(const Mapping* mapping)
{
   ObjectData* data = data_of(mapping->object);
   for (UInt i = 0; i < data->elf.segments.n; i++) {
      const Stretch* s = &data->elf.segments.all[i];
      if (mapped.n == mapped.capacity) {
         mapped.capacity = mapped.capacity ? 2 * mapped.capacity : 64;
         mapped.all = VG_(realloc)("cg2.statics", mapped.all,
                                   mapped.capacity * sizeof *mapped.all);
      }
      Addr start = s->start + mapping->bias;
      mapped.all[mapped.n++] =
         (Mapped){start, start + s->size, mapping->bias, data};
   }
}

/* Lists the segments anew if objects were mapped or unmapped. */
static void refresh(void)
{
   UInt epoch = cg2_symbols_epoch();
   if (mapped.is_valid && mapped.epoch == epoch) return;
   UInt n;
   const Mapping* mappings = cg2_symbols_mappings(&n);
   mapped.n = 0;
   mapped.recent = (Piece){0};
   mapped.epoch = epoch;
   mapped.is_valid = True;
   for (UInt i = 0; i < n; i++)
      add_segments(&mappings[i]);
   if (mapped.n) VG_(ssort)(mapped.all, mapped.n, sizeof *mapped.all, compare);
}

/* The segment that the address is in, or NULL. */
static const Mapped* find_mapped(Addr address)
{
   UInt low = 0, high = mapped.n;
   while (low < high) {
      UInt middle = low + (high - low) / 2;
      if (mapped.all[middle].start <= address)
         low = middle + 1;
      else
         high = middle;
   }
   return low && address < mapped.all[low - 1].end ? &mapped.all[low - 1]
                                                   : NULL;
}

/*--- Finding ------------------------------------------------------------*/

/* The piece of an address in a segment. */
static Piece piece_in(const Mapped* m, Addr address)
{
   const ElfData* elf = &m->data->elf;
   const Stretches* lists[] = {&elf->symbols, &elf->sections, &elf->segments};
   Addr start = m->start - m->bias, end = m->end - m->bias;
   Stretch* stretch = NULL;
   for (UInt i = 0; !stretch; i++)
      stretch = cg2_elfdata_find(lists[i], address - m->bias, &start, &end);
   return (Piece){.start = start + m->bias,
                  .end = end + m->bias,
                  .origin = stretch->start + m->bias,
                  .object = object_of(m->data, stretch)};
}

Bool cg2_statics_find(Addr address, Piece* piece)
{
   refresh();
   Bool is_recent =
      address >= mapped.recent.start && address < mapped.recent.end;
   if (!is_recent) {
      const Mapped* m = find_mapped(address);
      if (!m) return False;
      mapped.recent = piece_in(m, address);
   }
   *piece = mapped.recent;
   return True;
}

Addr cg2_statics_object_end(Addr address)
{
   refresh();
   const Mapped* m = find_mapped(address);
   if (!m) return 0;
   const Stretches* segments = &m->data->elf.segments;
   const Stretch* last = &segments->all[segments->n - 1];
   return last->start + last->size + m->bias;
}

void cg2_statics_unmapped(Addr start, SizeT size)
{
   if (mapped.recent.start < start + size && start < mapped.recent.end)
      mapped.recent = (Piece){0};
}
