/* Known lines: the lines of a first level that generated code may touch by
 * itself.
 *
 * A table at a fixed address has a place for each line, which the line's number
 * says; lines with the same place take it from each other. A line that is known
 * is in the level, its page is in the TLB, and an access to it misses nothing
 * and moves nothing. All that changes is what replacement goes by, the touch of
 * the line and of the page:
 *
 *    lru           the stamp of the line's way is the time of the access
 *    plru          the tree of the line's set points away from the line's way
 *    srrip         the line's distance is NEEDED_SOON
 *    fifo, random  nothing changes
 *
 *    generated code                      memory
 *
 *    at = of[line]
 *    is at->line the line's address?
 *       yes:                             (nothing to do)
 *       no:  calls cg2_memory_access --> makes the access, and leaves the
 *                                        line at `at`, or empties `at`
 *    touches the line and the page of `at`
 *
 *    line 0x1003, 64 bytes, of 8 ways, plru, way 2; a TLB with lru
 *
 *    place 3  { 0x400c0, &trees[3], ...11110010, 10000b, &stamps[17] }
 *
 * To touch the line of an access again, at the same time, must change nothing:
 * see forget_doubtful() in `memory`. The tables are those of the core that
 * runs. */
#ifndef CG2_KNOWNLINES_H
#define CG2_KNOWNLINES_H

#include "model/described/level.h"

/* 32 bytes, so that a place is in one line of the host's cache, and is found by
 * a shift. */
typedef struct KnownLine {
   UWord line; /* the line's address; CACHE_NONE: no line is known here */
   UInt* word; /* what a touch of the line changes; never NULL */
   UInt kept;  /* TOUCH_BITS: the bits of the word that stay, */
   UInt set;   /* and those that are set */
   UInt* page; /* where the time of the page's last touch is; never NULL */
} __attribute__((aligned(32))) KnownLine;

/* A table of known lines. */
typedef struct KnownLines {
   KnownLine* of;  /* NULL: no line ever is known */
   UWord n;        /* a power of two */
   UInt line_bits; /* log2 of a line's bytes */
   Touching touching;
} KnownLines;

/* What touches change that are to change nothing: nobody reads it. */
extern UInt cg2_knownlines_nowhere;

/* Forgets all lines of a table. */
void cg2_knownlines_clear(const KnownLines* known);

/* Lines are in groups, by their number. Of 64 neighbours, as a page of 4 KB
 * mostly has, each is in a group of its own. */
enum { KNOWNLINES_GROUPS = 64 };

/* The group of a line, as a bit. */
static inline ULong cg2_knownlines_group(UWord line)
{
   return 1ULL << (line & (KNOWNLINES_GROUPS - 1));
}

/* Forgets all lines of some groups on a page of so many bytes, a power of two.
 */
void cg2_knownlines_forget_page(const KnownLines* known,
                                Addr page,
                                UWord size,
                                ULong groups);

/* The place of a line. */
static inline KnownLine* cg2_knownlines_at(const KnownLines* known, UWord line)
{
   return &known->of[line & (known->n - 1)];
}

/* What is to be known of a line that lies in `slot` of `level`; `page` is where
 * the time of its page's last touch is, or NULL: nobody asks for it. */
static inline KnownLine cg2_knownlines_describe(const KnownLines* known,
                                                const CacheLevel* level,
                                                UWord line,
                                                UWord slot,
                                                UInt* page)
{
   TouchBits bits = {&cg2_knownlines_nowhere, 0, 0};
   if (known->touching == TOUCH_BITS)
      bits = cg2_level_touch_bits(level, slot);
   else if (known->touching == TOUCH_STAMP)
      bits.word = &level->stamps[slot];
   return (KnownLine){line << known->line_bits, bits.word, bits.kept, bits.set,
                      page ? page : &cg2_knownlines_nowhere};
}

/* The place of a line that is known; else NULL. */
static inline KnownLine* cg2_knownlines_find(const KnownLines* known,
                                             UWord line)
{
   if (!known->of) return NULL;
   KnownLine* at = cg2_knownlines_at(known, line);
   return at->line == line << known->line_bits ? at : NULL;
}

/* Touches a line that is known, but not its page. */
static inline void
cg2_knownlines_touch(const KnownLines* known, const KnownLine* at, UInt time)
{
   if (known->touching == TOUCH_STAMP)
      *at->word = time;
   else if (known->touching == TOUCH_BITS)
      *at->word = (*at->word & at->kept) | at->set;
}

/* Empties a place: touches of what is there change nothing. */
void cg2_knownlines_empty(KnownLine* at);

/* Forgets a line, if it is known. Without a branch, as a branch would wait for
 * its place to be loaded. What a touch there changes stays, as nobody touches
 * a place without asking for a line first. */
static inline void cg2_knownlines_forget(const KnownLines* known, UWord line)
{
   if (!known->of) return;
   KnownLine* at = cg2_knownlines_at(known, line);
   at->line |= -(UWord)(at->line == line << known->line_bits);
}

#endif
