/* Which loads of a part read what a store had just stored, as a description
 * with tabs between its words: docs/format.md. */
#ifndef CG2_FORWARDLIST_H
#define CG2_FORWARDLIST_H

#include "events/forwarding.h"
#include "profile/callgrind/scribe.h"

/* Writes what was counted in a thread, or, for 0, in all, in a part with so
 * many instructions: what happened once in a million of them or more often.
 * Loads whose store is in another object are left out, and what a list with
 * tabs cannot name. */
void cg2_forwardlist_write(Scribe* s,
                           const Forwarding* forwarding,
                           UInt thread,
                           ULong instrs);

#endif
