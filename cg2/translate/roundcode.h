/* The rounds of instructions that repeat themselves, such as `rep stos`.
 *
 * VEX makes one round of such an instruction, and a jump to the instruction
 * itself for the next. So Ir counts it once a round, and the processor once in
 * all. With --collect-rep=yes each of these jumps is one Rep: a round beyond
 * the first. Ih = Ir - Rep is how many instructions the processor counts.
 *
 * `rep stos` always goes back at its end, so how often follows from its last
 * segment. `repne scas` goes back if a condition holds, by a side exit whose
 * guard is added up in a slot:
 *
 *    ------ IMark(repne scas) ------
 *    if (rcx == 0) goto behind
 *    ...
 *    Rep += (al != [rdi])
 *    if (al != [rdi]) goto repne scas
 *    goto behind
 */
#ifndef CG2_ROUNDCODE_H
#define CG2_ROUNDCODE_H

#include "translate/emit.h"
#include "translate/where.h"

/* The side exit by which a block's last instruction repeats itself. */
typedef struct RoundSite {
   const IRStmt* exit; /* NULL: there is none */
   Where where;
} RoundSite;

/* Adds the event, and the one that is derived of it, if they are wanted. Called
 * once, before the first translation. */
void cg2_roundcode_start(void);

/* Whether rounds are counted. */
Bool cg2_roundcode_is_on(void);

/* Notes a side exit at `where` that leads to its own instruction. */
RoundSite
cg2_roundcode_read_exit(BlockEvents* events, const IRStmt* exit, Where where);

/* Notes that the end of a block, at `where`, leads to its last instruction. */
void cg2_roundcode_read_end(BlockEvents* events, Where where);

/* Writes what counts the round, in front of the site's exit. */
void cg2_roundcode_write(Emitter* e, const RoundSite* site, const Block* block);

#endif
