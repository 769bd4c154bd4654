/* Tags: which lines the sets of a cache hold, in which of its ways.
 *
 * A line is known by its number, its address divided by the line size. The
 * remainder of that by the number of sets is its set, the quotient its tag. All
 * tags of a set are compared at once. */
#ifndef CG2_TAGS_H
#define CG2_TAGS_H

#include "arch/simd.h"
#include "model/cache/order.h"

/* No line, and the address of none. */
static const UWord CACHE_NONE = ~(UWord)0;

typedef struct Tags {
   UWord n_sets;
   UWord set_bits;   /* n_sets is 1 << that, */
   UWord reciprocal; /* or this is not 0: the largest multiple of n_sets that
                        fits a word has this factor */
   UInt ways;        /* at most NO_WAY */
   UInt stride;      /* from one set to the next: ways and padding */
   UWord plain_end;  /* lines below are plain, see below */
   UInt* low;        /* [n_sets * stride] */
   UInt* high;       /* what else there is of tags; NULL until there is one that
                        has more than 32 bits: addresses mostly have fewer */
} Tags;

/* Only tells lines' sets and tags; it holds none. */
void cg2_tags_init(Tags* tags, UWord n_sets, UInt ways);
/* Room for n words, in whole lines of the host's cache. */
UInt* cg2_tags_room(SizeT n);
/* Makes room for them, in which nothing is yet. */
void cg2_tags_allocate(Tags* tags);
/* Forgets all lines; those of a set. */
void cg2_tags_clear(Tags* tags);
void cg2_tags_clear_set(Tags* tags, UWord set);

/* Where a line may be. */
typedef struct Seat {
   UWord set, tag;
} Seat;

static inline UWord cg2_upper_product(UWord a, UWord b)
{
#if VG_WORDSIZE == 8
   return (unsigned __int128)a * b >> 64;
#else
   return (ULong)a * b >> 32;
#endif
}

/* With the reciprocal rounded down the quotient is at most one too small: the
 * error is line / 2^w times less than one. */
static inline Seat cg2_tags_seat(const Tags* tags, UWord line)
{
   if (!tags->reciprocal)
      return (Seat){line & (((UWord)1 << tags->set_bits) - 1),
                    line >> tags->set_bits};
   UWord tag = cg2_upper_product(line, tags->reciprocal);
   UWord set = line - tag * tags->n_sets;
   if (set < tags->n_sets) return (Seat){set, tag};
   return (Seat){set - tags->n_sets, tag + 1};
}

/* The lower half of no line's tag, and of those that need another half. */
static const UInt TAG_NONE = ~(UInt)0;

/* As cg2_tags_find and cg2_tags_put, of tags with two halves. */
UInt cg2_tags_find_wide(const Tags* tags, Seat seat);
void cg2_tags_put_wide(Tags* tags, Seat seat, UInt way);

static inline Bool cg2_tags_are_wide(const Tags* tags, Seat seat)
{
   return __builtin_expect(tags->high || seat.tag >= TAG_NONE, 0);
}

/* If no tag has two halves, which is so nearly always, lines are *plain*: who
 * touches them need not look at anything but the lower halves. */
static inline Bool cg2_tags_is_plain(const Tags* tags, UWord line)
{
   return __builtin_expect(line < tags->plain_end, 1);
}

/* The line of a tag in a set, or CACHE_NONE. */
static inline UWord cg2_tags_plain_line(const Tags* tags, UWord set, UInt tag)
{
   return tag == TAG_NONE ? CACHE_NONE : (UWord)tag * tags->n_sets + set;
}

/* The way that a line has, or NO_WAY. */
static inline UInt cg2_tags_find(const Tags* tags, Seat seat)
{
   if (cg2_tags_are_wide(tags, seat)) return cg2_tags_find_wide(tags, seat);
   UInt mask = cg2_simd_equal(tags->low + seat.set * tags->stride, tags->stride,
                              seat.tag);
   return mask ? (UInt)__builtin_ctz(mask) : NO_WAY;
}

/* Gives a line that way. */
static inline void cg2_tags_put(Tags* tags, Seat seat, UInt way)
{
   if (cg2_tags_are_wide(tags, seat))
      cg2_tags_put_wide(tags, seat, way);
   else
      tags->low[seat.set * tags->stride + way] = seat.tag;
}

/* No line has that way any more. */
static inline void cg2_tags_remove(Tags* tags, UWord set, UInt way)
{
   UWord at = set * tags->stride + way;
   tags->low[at] = TAG_NONE;
   if (tags->high) tags->high[at] = ~(UInt)0;
}

/* The line that has a way, or CACHE_NONE. */
static inline UWord cg2_tags_line(const Tags* tags, UWord set, UInt way)
{
   UWord at = set * tags->stride + way;
   ULong tag = tags->low[at];
   if (__builtin_expect(tags->high != NULL, 0))
      tag |= (ULong)tags->high[at] << 32;
   else if (tag == TAG_NONE)
      return CACHE_NONE;
   return tag == ~0ULL ? CACHE_NONE : (UWord)tag * tags->n_sets + set;
}

/* Of all sets, with padding. */
static inline SizeT cg2_tags_count(const Tags* tags)
{
   return tags->n_sets * tags->stride;
}

#endif
