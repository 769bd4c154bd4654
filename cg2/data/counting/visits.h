/* Visits: which places of a block are accessed soon after each other.
 *
 * A thread visits a block, of the heap or a static object, from an access to it
 * until it has accessed VISITS other blocks since it came to this one last. All
 * offsets that a visit comes to are accessed together: each two of them are a
 * pair, and each with itself, which counts the visits that come to it.
 *
 * In a block of more than VISIT_BYTES, each element of an array is visited by
 * itself. An instruction that walks an array comes to places at equal
 * distances; an element is the bytes between two multiples of that distance.
 * Some accesses do not count: those of instructions that come to few places of
 * such a block, those of frames, and those made while nothing is collected. Of
 * a visit the first VISIT_OFFSETS offsets count. */
#ifndef CG2_VISITS_H
#define CG2_VISITS_H

#include "data/counting/touches.h"

enum { VISITS = 16, VISIT_BYTES = 1024, VISIT_OFFSETS = 32 };

/* Does what cg2_touches_make() does, and notes the visit. */
VG_REGPARM(2) void cg2_visits_touch(Addr address, Toucher* by);

/* Ends all visits, and counts their pairs. */
void cg2_visits_end(void);

/* Ends all visits without counting them. */
void cg2_visits_forget(void);

#endif
