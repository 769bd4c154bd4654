/* Visits: which places of a block are accessed soon after each other.
 *
 * A thread visits a block, of the heap or a static object, from an access to it
 * until it has accessed VISITS other blocks since it came to this one last. All
 * offsets that a visit comes to are accessed together: each two of them are a
 * pair, and each with itself, which counts the visits that come to it.
 *
 * Of a block of more than VISIT_BYTES each element of an array is visited by
 * itself: what lies from one multiple to the next of the distance at which an
 * instruction comes to its places. Instructions that come to few places there
 * are not looked at, nor is what a visit comes to beyond its first
 * VISIT_OFFSETS offsets, nor frames, nor accesses while nothing is collected.
 */
#ifndef CG2_VISITS_H
#define CG2_VISITS_H

#include "data/counting/touches.h"

enum { VISITS = 16, VISIT_BYTES = 1024, VISIT_OFFSETS = 32 };

/* Filled before the first translation, then constant. */
typedef struct VisitsConfig {
   Bool is_on;
} VisitsConfig;
extern VisitsConfig cg2_visits_config;

/* Does what cg2_touches_make() does, and notes the visit. */
VG_REGPARM(2) void cg2_visits_touch(Addr address, Toucher* by);

/* Ends all visits, and counts their pairs. */
void cg2_visits_end(void);

/* Ends all visits without counting them. */
void cg2_visits_forget(void);

#endif
