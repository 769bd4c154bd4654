/* Fresh pages: memory that the system gave to the program, and that the program
 * has not touched yet. The kernel clears such a page when it is first touched.
 * The kernel's writes bring the page's lines into the caches, and nobody counts
 * them: what the program touches there first is no miss.
 *
 * Which pages were touched is a bit for each, or a range if many were touched
 * where nobody looked:
 *
 *    touch 0x5000              True: it was fresh
 *    touch 0x5008              False
 *    forget 0x5000, 4096       the program gives the page back
 *    touch 0x5000              True */
#ifndef CG2_FRESHPAGES_H
#define CG2_FRESHPAGES_H

#include "base/table.h"

/* Addresses [start, end). */
typedef struct TouchedRange {
   Addr start, end;
} TouchedRange;

typedef struct FreshPages {
   UInt page_bits;       /* log2 of a page's bytes */
   Table groups;         /* of 64 pages of which some were touched */
   TouchedRange* ranges; /* [n_ranges], in order, none overlaps another */
   UWord n_ranges;
} FreshPages;

/* Touches the page of an address. True: it was fresh. */
Bool cg2_freshpages_touch(FreshPages* fresh, Addr address);

/* Touches all pages of a range, however long it is. */
void cg2_freshpages_touch_range(FreshPages* fresh, Addr start, Addr end);

/* Forgets that pages were touched, as the program gave them back. */
void cg2_freshpages_forget(FreshPages* fresh, Addr start, Addr end);

#endif
