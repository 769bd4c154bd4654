/* Tags: which lines the sets of a cache hold, in which of its ways.
 *
 * A line is known by its number, its address divided by the line size. The
 * remainder of the number by the number of sets is the line's set, the quotient
 * its tag. A cache keeps only tags; all tags of a set are compared at once.
 *
 *    line 0x1003 in a cache of 64 sets:  set 3, tag 0x40
 *
 *    set 2  | NONE | NONE | NONE | NONE |
 *    set 3  | 0x17 | 0x40 | NONE | NONE |   the line has way 1 of set 3
 *
 * A tag has 32 bits, which nearly always is enough: then all lines are *plain*.
 * When a line comes whose tag does not fit, all tags get a second half. */
#ifndef CG2_TAGS_H
#define CG2_TAGS_H

#include "arch/simd.h"
#include "model/cache/order.h"

/* The number of no line, and its address. */
static const UWord CACHE_NONE = ~(UWord)0;

/* The lower half of the tag of no line, and of tags that need a second half. */
static const UInt TAG_NONE = ~(UInt)0;

typedef struct Tags {
   UWord n_sets;
   UWord set_bits;   /* log2 of n_sets, if n_sets is a power of two */
   UWord reciprocal; /* 0 if n_sets is a power of two; else the largest number
                        whose product with n_sets fits a word */
   UInt ways;        /* at most NO_WAY if there are tags */
   UInt stride;      /* tags from one set to the next: ways and padding */
   UWord plain_end;  /* lines below are plain */
   UInt* low;        /* [n_sets * stride]: lower halves */
   UInt* high;       /* [n_sets * stride]: upper halves; NULL: all are 0 */
} Tags;

/* Makes tags that only tell lines' sets; there is no room for tags. */
void cg2_tags_init(Tags* tags, UWord n_sets, UInt ways);
/* Room for n words that begins at a line of the host's cache. */
UInt* cg2_tags_room(SizeT n);
/* Makes room for tags. What is in it is not defined yet. */
void cg2_tags_allocate(Tags* tags);
/* Forgets all lines. */
void cg2_tags_clear(Tags* tags);
/* Forgets the lines of one set. */
void cg2_tags_clear_set(Tags* tags, UWord set);

/* Where a line may be. */
typedef struct Seat {
   UWord set, tag;
} Seat;

/* The upper word of a product. */
static inline UWord cg2_tags_upper_product(UWord a, UWord b)
{
#if VG_WORDSIZE == 8
   return (unsigned __int128)a * b >> 64;
#else
   return (ULong)a * b >> 32;
#endif
}

/* The set and tag of a line. With the reciprocal rounded down the quotient is
 * at most one too small: the error is line / 2^w times less than one. */
static inline Seat cg2_tags_seat(const Tags* tags, UWord line)
{
   if (!tags->reciprocal)
      return (Seat){line & (((UWord)1 << tags->set_bits) - 1),
                    line >> tags->set_bits};
   UWord tag = cg2_tags_upper_product(line, tags->reciprocal);
   UWord set = line - tag * tags->n_sets;
   if (set < tags->n_sets) return (Seat){set, tag};
   return (Seat){set - tags->n_sets, tag + 1};
}

/* cg2_tags_find() and cg2_tags_put() of tags with two halves. */
UInt cg2_tags_find_wide(const Tags* tags, Seat seat);
void cg2_tags_put_wide(Tags* tags, Seat seat, UInt way);

/* Whether a seat's tag, or any tag that is there, needs a second half. */
static inline Bool cg2_tags_are_wide(const Tags* tags, Seat seat)
{
   return __builtin_expect(tags->high || seat.tag >= TAG_NONE, 0);
}

/* Whether a line is plain: no tag has a second half, and the line's needs none,
 * so that whoever touches it looks at nothing but the lower halves. */
static inline Bool cg2_tags_is_plain(const Tags* tags, UWord line)
{
   return __builtin_expect(line < tags->plain_end, 1);
}

/* The line that a plain tag stands for in a set, or CACHE_NONE. */
static inline UWord cg2_tags_plain_line(const Tags* tags, UWord set, UInt tag)
{
   return tag == TAG_NONE ? CACHE_NONE : (UWord)tag * tags->n_sets + set;
}

/* The way that the line of a seat has, or NO_WAY. */
static inline UInt cg2_tags_find(const Tags* tags, Seat seat)
{
   if (cg2_tags_are_wide(tags, seat)) return cg2_tags_find_wide(tags, seat);
   UInt mask = cg2_simd_equal(tags->low + seat.set * tags->stride, tags->stride,
                              seat.tag);
   return mask ? (UInt)__builtin_ctz(mask) : NO_WAY;
}

/* Gives the line of a seat a way. */
static inline void cg2_tags_put(Tags* tags, Seat seat, UInt way)
{
   if (cg2_tags_are_wide(tags, seat))
      cg2_tags_put_wide(tags, seat, way);
   else
      tags->low[seat.set * tags->stride + way] = seat.tag;
}

/* Empties a way of a set. */
static inline void cg2_tags_remove(Tags* tags, UWord set, UInt way)
{
   UWord at = set * tags->stride + way;
   tags->low[at] = TAG_NONE;
   if (tags->high) tags->high[at] = ~(UInt)0;
}

/* The line that has a way of a set, or CACHE_NONE. */
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

/* How many tags there is room for, padding included. */
static inline SizeT cg2_tags_count(const Tags* tags)
{
   return tags->n_sets * tags->stride;
}

#endif
