#include "marked.h"

Bool cg2_marked_find_many(MarkedCache* m, UWord line)
{
   UWord before = cg2_cache_newest(&m->cache, line);
   if (before != line && before != CACHE_NONE) cg2_marked_hide(m, before);
   *cg2_marked_mark(m, line) = (Mark){line << m->cache.line_bits, &m->nowhere};
   return cg2_cache_touch(&m->cache, line);
}

Bool cg2_marked_touch(MarkedCache* m, UWord line)
{
   Bool is_hit = cg2_marked_find(m, line);
   if (!m->cache.orders) return is_hit;
   const Tags* tags = &m->cache.tags;
   const UInt* stamps =
      m->stamps + cg2_tags_seat(tags, line).set * tags->stride;
   *cg2_marked_mark(m, line)->stamp = cg2_stamps_newest(stamps, tags->ways) + 1;
   return is_hit;
}

void cg2_marked_init(MarkedCache* m, const Geometry* geometry, Mark* marks)
{
   cg2_cache_init(&m->cache, geometry);
   m->marks = marks;
   if (m->cache.orders)
      m->stamps = cg2_tags_room(cg2_tags_count(&m->cache.tags));
   cg2_marked_clear(m);
}

static void clear_stamps(MarkedCache* m)
{
   const Tags* tags = &m->cache.tags;
   for (UWord i = 0; i < cg2_tags_count(tags); i++)
      m->stamps[i] = i % tags->stride < tags->ways ? 0 : STAMP_NONE;
}

void cg2_marked_clear(MarkedCache* m)
{
   cg2_cache_clear(&m->cache);
   if (m->cache.orders) clear_stamps(m);
   for (UInt i = 0; i < MARKS; i++)
      m->marks[i] = (Mark){CACHE_NONE, &m->nowhere};
}

void cg2_marked_renumber(MarkedCache* m)
{
   const Tags* tags = &m->cache.tags;
   if (!m->cache.orders) return;
   for (UWord set = 0; set < tags->n_sets; set++)
      cg2_stamps_renumber(m->stamps + set * tags->stride, tags->stride);
}
