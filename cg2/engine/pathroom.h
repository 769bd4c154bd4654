/* Room for new paths, when there are as many as there may be.
 *
 * Paths that cost least make place: a path that no frame is on goes, together
 * with all that it calls, if that cost less in all than what stays. Its calls
 * and costs are then of its caller's path *more*. So whatever a program does
 * last has room as well, and no cost is lost:
 *
 * - a step to a path that goes becomes part of its caller's step *more*;
 * - a step from such a path to one that stays, as a recursion comes back to it,
 *   becomes *moved*: from *more* to that path;
 * - a step between paths that go to the same *more* vanishes.
 *
 * A path that is taken again after it went begins anew.
 *
 * Source: D'Elia, Demetrescu and Finocchi, "Mining Hot Calling Contexts in
 * Small Space" (PLDI 2011): nodes of a calling context tree that cost little
 * are pruned while the program runs. */
#ifndef CG2_PATHROOM_H
#define CG2_PATHROOM_H

#include "engine/pathstep.h"

/* Whether there is room for one more step, if need be because others made
 * place. */
Bool cg2_pathroom_is_there(void);

#endif
