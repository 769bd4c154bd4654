/* The branches of a block: found in its IR, counted and predicted by the IR
 * that is written for it.
 *
 * How many there are follows from how often instructions are executed. Whether
 * they are predicted is looked at each time, without a call: see branch.h. Only
 * described machines are called, for conditional branches: see predict.h.
 *
 * A conditional branch is a side exit. It is taken when the exit is; but the
 * last one of a block is taken when it is not, if it leads to the next
 * instruction: VEX has turned its condition round. An indirect one is the end
 * of a block whose target is computed, and no return.
 *
 * Source: Callgrind counts like this. */
#ifndef CG2_BRANCHCODE_H
#define CG2_BRANCHCODE_H

#include "translate/emit.h"
#include "translate/where.h"

enum { BRANCHES_MAX = 2 * BLOCK_INSTRS_MAX, BRANCH_AT_END = -1 };

typedef struct BranchSite {
   Int stmt; /* the side exit; BRANCH_AT_END: the end of the block */
   Where where;
   Bool is_turned;       /* taken when the exit is not */
   Addr address, behind; /* of the instruction, and of the next one */
   Addr exit;            /* where the side exit leads */
   const IRExpr* guard;  /* of that */
   const IRExpr* target; /* where an indirect one goes */
} BranchSite;

typedef struct Branches {
   BranchSite of[BRANCHES_MAX];
   UInt n;
} Branches;

/* Adds the one that statement number `stmt` of `in`, or its end, is, and says
 * whether it is one. `site` says where. */
Bool cg2_branchcode_read(Branches* branches, const IRSB* in, BranchSite site);

/* All have been read. Adds what they count to a block's events; a stub has no
 * slots. */
void cg2_branchcode_note(Branches* branches, Bool is_stub, BlockEvents* events);

/* Writes what predicts one of them, in front of it, and counts it. */
void cg2_branchcode_write(Emitter* e,
                          const BranchSite* site,
                          const Block* block);
/* Whether that counts the event: nobody else does. */
Bool cg2_branchcode_counts(UInt event);

#endif
