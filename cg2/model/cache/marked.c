#include "model/cache/marked.h"

#include "arch/cpuid.h"

/* cg2_marked_find_any() with few ways. */
static Bool find_few(MarkedCache* m, UWord line)
{
   Tags* tags = &m->cache.tags;
   Seat seat = cg2_tags_seat(tags, line);
   UInt* stamps = m->stamps + seat.set * tags->stride;
   UInt way = cg2_tags_find(tags, seat);
   Bool is_hit = way != NO_WAY;
   if (!is_hit) {
      way = cg2_stamps_oldest(stamps, tags->stride);
      UWord old = cg2_tags_line(tags, seat.set, way);
      if (old != CACHE_NONE) cg2_marks_evict(m->marks, old, m->cache.line_bits);
      cg2_tags_put(tags, seat, way);
   }
   cg2_marked_put(m, line, &stamps[way]);
   return is_hit;
}

/* cg2_marked_find_any() with more ways than are looked through at once: there
 * is no time, and only the newest line of a set is marked. */
static Bool find_many(MarkedCache* m, UWord line)
{
   UWord before = cg2_cache_newest(&m->cache, line);
   if (before != line && before != CACHE_NONE)
      cg2_marks_evict(m->marks, before, m->cache.line_bits);
   cg2_marked_put(m, line, &m->nowhere);
   return cg2_cache_touch(&m->cache, line);
}

Bool cg2_marked_find_any(MarkedCache* m, UWord line)
{
   return m->cache.orders ? find_few(m, line) : find_many(m, line);
}

Bool cg2_marked_touch(MarkedCache* m, UWord line)
{
   Bool is_hit = (m->cache.orders && cg2_marked_has_mark(m, line)) ||
                 cg2_marked_find(m, line);
   if (m->cache.orders)
      cg2_marked_make_newest(m, line, cg2_tags_seat(&m->cache.tags, line).set,
                             is_hit);
   return is_hit;
}

void cg2_marked_init(MarkedCache* m, const Geometry* geometry, Marks marks)
{
   cg2_cpuid_look();
   cg2_cache_init(&m->cache, geometry);
   cg2_cache_lay_out(&m->cache);
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
   for (UWord i = 0; i < m->marks.n; i++)
      m->marks.of[i] = (Mark){CACHE_NONE, &m->nowhere};
}

void cg2_marked_renumber(MarkedCache* m)
{
   const Tags* tags = &m->cache.tags;
   if (!m->cache.orders) return;
   for (UWord set = 0; set < tags->n_sets; set++)
      cg2_stamps_renumber(m->stamps + set * tags->stride, tags->stride);
}
