/* Leaps: where jumps go whose target is computed.
 *
 * Leaps are counted only when jumps are collected. All other jumps follow from
 * what the cells of their block say. */
#ifndef CG2_LEAPS_H
#define CG2_LEAPS_H

#include "engine/context.h"

/* Counts a jump by `exit` in `context` to `target`, in bytes from the start of
 * the exit's block. */
void cg2_leaps_count(const Exit* exit, Context* context, PtrdiffT target);

#endif
