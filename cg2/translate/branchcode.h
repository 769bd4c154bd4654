/* The branches of a block: found in its IR, counted and predicted by the IR
 * that is written for it.
 *
 * How many branches there are follows from how often instructions are executed.
 * Whether they are predicted is looked at each time, without a call: see
 * branch.h and returns.h. Only described machines are called: see
 * mispredictions.h.
 *
 * A conditional branch is a side exit, and is taken when the exit is. But the
 * last one of a block is taken when the exit is not, if the exit leads to the
 * next instruction: VEX has turned its condition round. An indirect branch is
 * the end of a block whose target is computed, and no return. Returns are
 * looked at if the predictor follows the program's path.
 *
 * Source: Callgrind counts like this. */
#ifndef CG2_BRANCHCODE_H
#define CG2_BRANCHCODE_H

#include "translate/emit.h"
#include "translate/where.h"

enum { BRANCHES_MAX = 2 * BLOCK_INSTRS_MAX, BRANCH_AT_END = -1 };

/* A place in a block where a branch is. */
typedef struct BranchSite {
   Int stmt; /* number of the side exit; BRANCH_AT_END: the end of the block */
   Where where;
   Bool is_turned;       /* the branch is taken when the exit is not */
   Addr address;         /* of the instruction */
   Addr behind;          /* of the next instruction */
   Addr exit;            /* where the side exit leads */
   const IRExpr* guard;  /* of the side exit; NULL: the target is computed */
   const IRExpr* target; /* where it goes then */
   Bool is_return;
} BranchSite;

/* The branches of a block, in their order. */
typedef struct Branches {
   BranchSite of[BRANCHES_MAX];
   UInt n;
} Branches;

/* Adds the branch that statement number site.stmt of `in`, or the block's end,
 * is. `site` has stmt, where, address and behind. False: there is no branch. */
Bool cg2_branchcode_read(Branches* branches, const IRSB* in, BranchSite site);

/* Adds what the branches count to a block's events. All branches have been
 * read. A stub has no slots. */
void cg2_branchcode_note(Branches* branches, Bool is_stub, BlockEvents* events);

/* Writes what predicts the branch of a site, in front of it, and counts whether
 * the prediction is wrong. */
void cg2_branchcode_write(Emitter* e,
                          const BranchSite* site,
                          const Block* block);

/* Writes what the predictor learns of a call that comes back to `behind`. */
void cg2_branchcode_write_call(Emitter* e, Addr behind);

#endif
