#include "data/counting/othermemory.h"

#include "data/memory/regions.h"
#include "data/static/statics.h"

/*--- Objects by name ----------------------------------------------------*/

/* The last piece that was found, which is right for as long as the core has the
 * same region there. */
typedef struct RecentPiece {
   Region region;
   DataPiece piece;
   Bool is_open; /* somebody may come to own a part of the piece at any time */
} RecentPiece;

/* Reason for a mutable file-scope object: what was found is kept, as to find it
 * takes long. */
static struct {
   Addr first_sp;  /* with which the program began; 0: not known yet */
   Names names;    /* of the objects that were made */
   Addr brk_start; /* where the memory that grows begins; 0: the program has
                      not asked */
   DataPiece brk;  /* the memory that grows, as it was found last; of size 0:
                      not yet since it changed */
   RecentPiece recent;
} found;

static DataObject* object_named(const HChar* text)
{
   const Name* name =
      cg2_names_intern_shown(&found.names, text, VG_(strlen)(text));
   return cg2_dataobject_of(OBJECTS_OF_NAMES, name->number, DATA_OTHER,
                            name->text, NULL);
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

void cg2_othermemory_begin(Addr sp)
{
   found.first_sp = sp;
}

void cg2_othermemory_note_brk(Addr end)
{
   if (!found.brk_start) found.brk_start = end;
   found.brk = (DataPiece){.start = 0};
}

void cg2_othermemory_unmapped(void)
{
   found.brk = (DataPiece){.start = 0};
}

/*--- Finding ------------------------------------------------------------*/

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
   return (DataPiece){.start = found.first_sp,
                      .end = region->end,
                      .origin = found.first_sp,
                      .object = object_named("arguments and environment")};
}

static DataPiece piece_of_brk(const Region* region)
{
   found.brk = (DataPiece){.start = found.brk_start,
                           .end = region->end,
                           .origin = found.brk_start,
                           .object = object_named("brk")};
   return found.brk;
}

Bool cg2_othermemory_find_brk(Addr address, DataPiece* piece)
{
   *piece = found.brk;
   return address - found.brk.start < found.brk.end - found.brk.start;
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
   if (is_behind(region, found.first_sp, address))
      return piece_of_arguments(region);
   if (is_behind(region, found.brk_start, address)) return piece_of_brk(region);
   UInt thread = cg2_regions_thread(region);
   VG_(sprintf)(text, "stack of thread %u", thread);
   DataPiece piece = piece_of_region(region, thread ? object_named(text)
                                                    : unclaimed("anonymous"));
   if (is_behind(region, found.first_sp, found.first_sp))
      piece.end = found.first_sp;
   if (is_behind(region, found.brk_start, found.brk_start))
      piece.end = found.brk_start;
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
   Bool is_inside =
      address >= found.recent.piece.start && address < found.recent.piece.end;
   if (!is_inside || !is_same(&region, &found.recent.region)) {
      found.recent.region = region;
      found.recent.piece = piece_in(&region, address);
      found.recent.is_open = region.kind == REGION_ANONYMOUS &&
                             found.recent.piece.start != found.first_sp;
   }
   *piece = found.recent.piece;
   if (found.recent.is_open) piece->end = (piece->start = address) + 1;
   return True;
}
