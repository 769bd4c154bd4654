#include "marked.h"

static inline UWord address_of(const MarkedCache* m, UWord line)
{
   return line << m->cache.line_bits;
}

static inline Mark* mark_of(const MarkedCache* m, UWord line)
{
   return &m->marks[cg2_marked_place(line)];
}

static inline void mark(MarkedCache* m, UWord line, ULong* stamp)
{
   *mark_of(m, line) = (Mark){address_of(m, line), stamp};
}

static inline void unmark(MarkedCache* m, UWord line)
{
   Mark* of = mark_of(m, line);
   if (of->line == address_of(m, line)) *of = (Mark){CACHE_NONE, &m->nowhere};
}

/* Of a set's ways, the one that was not touched for longest. */
static inline UInt find_oldest(const ULong* stamps, UInt ways)
{
   ULong oldest = stamps[0];
   UInt way = 0;
   for (UInt other = 1; other < ways; other++) {
      Bool is_older = stamps[other] < oldest;
      oldest = is_older ? stamps[other] : oldest;
      way = is_older ? other : way;
   }
   return way;
}

static Bool touch_few(MarkedCache* m, UWord line, ULong now)
{
   Tags* tags = &m->cache.tags;
   Seat seat = cg2_tags_seat(tags, line);
   ULong* stamps = m->stamps + seat.set * tags->stride;
   UInt way = cg2_tags_find(tags, seat);
   Bool is_hit = way != NO_WAY;
   if (!is_hit) {
      way = find_oldest(stamps, tags->ways);
      UWord old = cg2_tags_line(tags, seat.set, way);
      if (old != CACHE_NONE) unmark(m, old);
      cg2_tags_put(tags, seat, way);
   }
   stamps[way] = now;
   mark(m, line, &stamps[way]);
   return is_hit;
}

static Bool touch_many(MarkedCache* m, UWord line)
{
   UWord before = cg2_cache_newest(&m->cache, line);
   if (before != CACHE_NONE) unmark(m, before);
   Bool is_hit = cg2_cache_touch(&m->cache, line);
   mark(m, line, &m->nowhere);
   return is_hit;
}

void cg2_marked_init(MarkedCache* m, const Geometry* geometry, Mark* marks)
{
   cg2_cache_init(&m->cache, geometry);
   m->marks = marks;
   if (m->cache.orders)
      m->stamps = VG_(calloc)("cg2.marked", cg2_tags_count(&m->cache.tags),
                              sizeof(ULong));
   cg2_marked_clear(m);
}

Bool cg2_marked_touch(MarkedCache* m, UWord line, ULong now)
{
   const Mark* known = mark_of(m, line);
   if (known->line == address_of(m, line)) {
      *known->stamp = now;
      return True;
   }
   return m->cache.orders ? touch_few(m, line, now) : touch_many(m, line);
}

void cg2_marked_clear(MarkedCache* m)
{
   cg2_cache_clear(&m->cache);
   if (m->cache.orders)
      VG_(memset)(m->stamps, 0,
                  cg2_tags_count(&m->cache.tags) * sizeof *m->stamps);
   for (UInt i = 0; i < MARKS; i++)
      m->marks[i] = (Mark){CACHE_NONE, &m->nowhere};
}
