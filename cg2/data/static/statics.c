#include "data/static/statics.h"
#include "base/search.h"

#include "data/static/elfobjects.h"
#include "data/static/threadlocals.h"

/* A segment of an object, where it is mapped. */
typedef struct Mapped {
   Addr start, end; /* [start, end) */
   LoadedObject object;
} Mapped;

/* All that are mapped, ascending. Reason for a mutable file-scope object: a
 * cache of the process's one memory map. */
static struct {
   Mapped* all;
   UInt n, capacity;
   UInt version;     /* of the list of objects; 0: none */
   DataPiece recent; /* the last that was found; empty: none */
} mapped;

/*--- What is mapped -----------------------------------------------------*/

static Int compare(const void* a, const void* b)
{
   const Mapped *x = a, *y = b;
   return x->start < y->start ? -1 : x->start > y->start;
}

static void add_segments(const LoadedObject* object)
{
   const ElfStretches* segments = &object->elf->data.segments;
   for (UInt i = 0; i < segments->n; i++) {
      if (mapped.n == mapped.capacity) {
         mapped.capacity = mapped.capacity ? 2 * mapped.capacity : 64;
         mapped.all = VG_(realloc)("cg2.statics", mapped.all,
                                   mapped.capacity * sizeof *mapped.all);
      }
      Addr start = segments->all[i].start + object->bias;
      mapped.all[mapped.n++] = (Mapped){.start = start,
                                        .end = start + segments->all[i].size,
                                        .object = *object};
   }
}

/* Lists the segments anew if objects were mapped or unmapped. */
static void refresh(void)
{
   const LoadedObjects* loaded = cg2_elfobjects_loaded();
   if (mapped.version == loaded->version) return;
   mapped.version = loaded->version;
   mapped.n = 0;
   mapped.recent = (DataPiece){0};
   for (UInt i = 0; i < loaded->n; i++)
      add_segments(&loaded->all[i]);
   if (mapped.n) VG_(ssort)(mapped.all, mapped.n, sizeof *mapped.all, compare);
}

/* The segment that the address is in, or NULL. */
static const Mapped* find_mapped(Addr address)
{
   UInt low = cg2_search_first(i, 0, mapped.n, mapped.all[i].start <= address);
   return low && address < mapped.all[low - 1].end ? &mapped.all[low - 1]
                                                   : NULL;
}

/*--- Finding ------------------------------------------------------------*/

/* The piece of an address in a segment. */
static DataPiece piece_in(const Mapped* m, Addr address)
{
   PtrdiffT bias = m->object.bias;
   const ElfData* data = &m->object.elf->data;
   const ElfStretches* lists[] = {&data->symbols, &data->sections,
                                  &data->segments};
   Addr start = m->start - bias, end = m->end - bias;
   ElfStretch* stretch = NULL;
   for (UInt i = 0; !stretch; i++)
      stretch = cg2_elfdata_find(lists[i], address - bias, &start, &end);
   return (DataPiece){.start = start + bias,
                      .end = end + bias,
                      .origin = stretch->start + bias,
                      .object = cg2_elfobjects_object(m->object.elf, stretch)};
}

Bool cg2_statics_find(Addr address, DataPiece* piece)
{
   refresh();
   Bool is_recent =
      address >= mapped.recent.start && address < mapped.recent.end;
   if (!is_recent) {
      const Mapped* m = find_mapped(address);
      if (!m) return cg2_threadlocals_find(address, piece);
      mapped.recent = piece_in(m, address);
   }
   *piece = mapped.recent;
   return True;
}

void cg2_statics_unmapped(Addr start, SizeT size)
{
   cg2_threadlocals_unmapped(start, size);
   if (mapped.recent.start < start + size && start < mapped.recent.end)
      mapped.recent = (DataPiece){0};
}
