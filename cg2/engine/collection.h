/* Collection: whether a thread's costs get into profiles.
 *
 * While collection is off, each context has a twin that takes its place and
 * that no profile shows; generated code and probes do not know. Switching
 * *flushes* the thread, which charges all arcs with what their open calls cost
 * so far, and then makes all frames those of the twins. */
#ifndef CG2_COLLECTION_H
#define CG2_COLLECTION_H

#include "engine/handlers.h"

/* Charges arcs and contexts with what the open calls of `t` cost so far, and
 * with what it spent in stubs. */
void cg2_collection_flush(Thread* t);

/* Collects the costs of the running thread from now on, or does not. */
void cg2_collection_switch(Bool is_on);

/* Makes the frames of `t` those of the twins that it should have, as it has got
 * frames of others. */
void cg2_collection_switch_frames(Thread* t);

/* What was collected of a thread since the last zero. */
Cost cg2_collection_cost(const Thread* t);

/* Sets all that was counted of a thread to zero. Open calls that are collected
 * count as called once. */
void cg2_collection_zero(Thread* t);

#endif
