#include "data/counting/othermemory.h"

#include "data/memory/regions.h"
#include "data/static/statics.h"

/*--- Objects by name ----------------------------------------------------*/

/* Reason for mutable file-scope objects: objects are made on first use. */
static struct {
   Names names;
   DataObject** by_number; /* of names */
   UInt capacity;
} made;

static DataObject* object_named(const HChar* text)
{
   const Name* name =
      cg2_names_intern_shown(&made.names, text, VG_(strlen)(text));
   if (name->number >= made.capacity) {
      UInt n = 2 * (name->number + 1);
      made.by_number = VG_(realloc)("cg2.othermemory", made.by_number,
                                    n * sizeof *made.by_number);
      VG_(memset)(made.by_number + made.capacity, 0,
                  (n - made.capacity) * sizeof *made.by_number);
      made.capacity = n;
   }
   DataObject** object = &made.by_number[name->number];
   if (!*object) *object = cg2_dataobject_new(DATA_OTHER, name->text, NULL);
   return *object;
}

/* The object with a name for memory that nobody has claimed. */
static DataObject* unclaimed(const HChar* text)
{
   DataObject* object = object_named(text);
   object->is_unclaimed = True;
   return object;
}

DataObject* cg2_othermemory_unknown(void)
{
   return unclaimed("unknown");
}

/* The stack pointer with which the program began, and where the memory that
 * grows begins; 0: not known yet. Reason for mutable file-scope objects: they
 * never change once they are known. */
static Addr first_sp, brk_start;

/* The memory that grows, as it was found last; of size 0: not yet since it
 * changed. Reason for a mutable file-scope object: a cache. */
static DataPiece brk;

void cg2_othermemory_begin(Addr sp)
{
   first_sp = sp;
}

void cg2_othermemory_note_brk(Addr end)
{
   if (!brk_start) brk_start = end;
   brk = (DataPiece){.start = 0};
}

void cg2_othermemory_unmapped(void)
{
   brk = (DataPiece){.start = 0};
}

/*--- Finding ------------------------------------------------------------*/

/* Reason for mutable file-scope objects: the last piece that was found, which
 * is right for as long as the core has the same region there. */
static struct {
   Region region;
   DataPiece piece;
   Bool is_open; /* somebody may come to own a part of the piece at any time */
} recent;

static Bool is_same(const Region* a, const Region* b)
{
   return a->start == b->start && a->end == b->end && a->kind == b->kind &&
          a->path == b->path && a->offset == b->offset;
}

static DataPiece piece_of_file(const Region* region)
{
   HChar* text = VG_(malloc)("cg2.othermemory",
                             (region->path ? VG_(strlen)(region->path) : 0) +
                                sizeof "file ");
   VG_(sprintf)(text, region->path ? "file %s" : "file", region->path);
   DataPiece piece = {.start = region->start,
                      .end = region->end,
                      .origin = region->start - region->offset,
                      .object = object_named(text)};
   VG_(free)(text);
   return piece;
}

/* The part of the first stack that was there before the program began. */
static DataPiece piece_of_arguments(const Region* region)
{
   return (DataPiece){.start = first_sp,
                      .end = region->end,
                      .origin = first_sp,
                      .object = object_named("arguments and environment")};
}

static DataPiece piece_of_brk(const Region* region)
{
   brk = (DataPiece){.start = brk_start,
                     .end = region->end,
                     .origin = brk_start,
                     .object = object_named("brk")};
   return brk;
}

Bool cg2_othermemory_find_brk(Addr address, DataPiece* piece)
{
   *piece = brk;
   return address - brk.start < brk.end - brk.start;
}

static DataPiece piece_of_region(const Region* region, DataObject* object)
{
   return (DataPiece){.start = region->start,
                      .end = region->end,
                      .origin = region->start,
                      .object = object};
}

/* Whether the address lies in the region's part from `start` on, which lies in
 * the region. */
static Bool is_behind(const Region* region, Addr start, Addr address)
{
   return start >= region->start && start < region->end && address >= start;
}

static DataPiece piece_of_anonymous(const Region* region, Addr address)
{
   HChar text[40];
   if (is_behind(region, first_sp, address)) return piece_of_arguments(region);
   if (is_behind(region, brk_start, address)) return piece_of_brk(region);
   UInt thread = cg2_regions_thread(region);
   VG_(sprintf)(text, "stack of thread %u", thread);
   DataPiece piece = piece_of_region(region, thread ? object_named(text)
                                                    : unclaimed("anonymous"));
   if (is_behind(region, first_sp, first_sp)) piece.end = first_sp;
   if (is_behind(region, brk_start, brk_start)) piece.end = brk_start;
   return piece;
}

static DataPiece piece_in(const Region* region, Addr address)
{
   switch (region->kind) {
   case REGION_FILE:
      return piece_of_file(region);
   case REGION_SHARED:
      return piece_of_region(region, object_named("shared memory"));
   case REGION_ANONYMOUS:
      return piece_of_anonymous(region, address);
   default:
      return piece_of_region(region, cg2_othermemory_unknown());
   }
}

Bool cg2_othermemory_find(Addr address, DataPiece* piece)
{
   Region region = cg2_regions_find(address);
   Bool is_inside = address >= recent.piece.start && address < recent.piece.end;
   if (!is_inside || !is_same(&region, &recent.region)) {
      recent.region = region;
      recent.piece = piece_in(&region, address);
      recent.is_open =
         region.kind == REGION_ANONYMOUS && recent.piece.start != first_sp;
   }
   *piece = recent.piece;
   if (recent.is_open) piece->end = (piece->start = address) + 1;
   return True;
}
