/* Where in a block something happens.
 *
 * Mostly that is an instruction. But an instruction can have side exits of its
 * own, in the middle, and what stands behind one of them does not happen each
 * time that the instruction is executed: it lies in a later segment. `rep stos`
 * is what VEX makes two such parts of:
 *
 *                                      segment   Where
 *    ------ IMark(rep stos) ------        0      {.instr = 0, .late = 0}
 *    if (rcx == 0) goto behind            0      {.instr = 0, .late = 0}
 *    - - - - - - - - - - - - - - - - - - - - - - - - the side exit
 *    rcx = rcx - 1                        1      {.instr = 0, .late = 1}
 *    store(rdi) = rax                     1      {.instr = 0, .late = 1}
 *    rdi = rdi + 8                        1      {.instr = 0, .late = 1}
 *    goto rep stos
 *
 * So the instruction counts in segment 0, and its access to memory in segment
 * 1, which has no instruction of its own. */
#ifndef CG2_WHERE_H
#define CG2_WHERE_H

#include "code/block.h"

typedef struct Where {
   UShort instr; /* the instruction's index in its block */
   UShort late;  /* segments that begin inside that instruction, in front of
                    what happens: 0 to EVENT_LATE_MAX */
} Where;

/* The event that happens `times` times each time that control gets to `where`;
 * 0 times: it is counted when it happens, in a slot of its own. */
static inline BlockEvent cg2_where_event(Where where, UInt event, UInt times)
{
   return (BlockEvent){
      .instr = where.instr, .event = event, .times = times, .late = where.late};
}

#endif
