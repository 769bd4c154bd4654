#include "model/cache/tags.h"

void cg2_tags_init(Tags* tags, UWord n_sets, UInt ways)
{
   tl_assert(n_sets > 0);
   *tags = (Tags){.n_sets = n_sets, .ways = ways};
   if (n_sets & (n_sets - 1))
      tags->reciprocal = ~(UWord)0 / n_sets;
   else
      tags->set_bits = __builtin_ctzl(n_sets);
}

/* The tags of a set are a power of two, so that 16 are one line of the host's
 * cache. */
static UInt stride_of(UInt ways)
{
   return ways <= 4 ? 4 : ways <= 8 ? 8 : 16;
}

UInt* cg2_tags_room(SizeT n)
{
   enum { HOST_LINE = 64 };
   Addr room = (Addr)VG_(malloc)("cg2.tags", n * sizeof(UInt) + HOST_LINE);
   return (UInt*)((room + HOST_LINE - 1) & -(Addr)HOST_LINE);
}

static void fill_with_none(const Tags* tags, UInt* of)
{
   VG_(memset)(of, 0xff, cg2_tags_count(tags) * sizeof *of);
}

void cg2_tags_allocate(Tags* tags)
{
   tl_assert(tags->ways <= NO_WAY);
   tags->stride = stride_of(tags->ways);
   tags->low = cg2_tags_room(cg2_tags_count(tags));
   Bool has_end = tags->n_sets <= ~(UWord)0 / TAG_NONE; /* below any line */
   tags->plain_end = has_end ? tags->n_sets * TAG_NONE : ~(UWord)0;
}

void cg2_tags_clear(Tags* tags)
{
   fill_with_none(tags, tags->low);
   if (tags->high) fill_with_none(tags, tags->high);
}

void cg2_tags_clear_set(Tags* tags, UWord set)
{
   for (UInt way = 0; way < tags->stride; way++)
      cg2_tags_remove(tags, set, way);
}

UInt cg2_tags_find_wide(const Tags* tags, Seat seat)
{
   if (!tags->high) return NO_WAY;
   UWord first = seat.set * tags->stride;
   for (UInt way = 0; way < tags->ways; way++)
      if (tags->low[first + way] == (UInt)seat.tag &&
          tags->high[first + way] == (ULong)seat.tag >> 32)
         return way;
   return NO_WAY;
}

static void widen(Tags* tags)
{
   tags->plain_end = 0;
   tags->high = cg2_tags_room(cg2_tags_count(tags));
   for (SizeT i = 0; i < cg2_tags_count(tags); i++)
      tags->high[i] = tags->low[i] == TAG_NONE ? TAG_NONE : 0;
}

void cg2_tags_put_wide(Tags* tags, Seat seat, UInt way)
{
   if (!tags->high) widen(tags);
   UWord at = seat.set * tags->stride + way;
   tags->low[at] = seat.tag;
   tags->high[at] = (ULong)seat.tag >> 32;
}
