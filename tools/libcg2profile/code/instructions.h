/* Instructions as they are shown, in columns. */
#ifndef CG2P_INSTRUCTIONS_H
#define CG2P_INSTRUCTIONS_H

#include "base/memory.h"
#include "code/objdump.h"
#include "code/symbolnames.h"

typedef struct ShownInstruction {
   uint64_t target; /* NO_TARGET if it jumps to no address */
   size_t end;      /* of its text and a line feed, which begin where those of
                       the one before end */
} ShownInstruction;

/* All 0 to begin with; to be freed with cg2p_instructions_free. */
typedef struct Instructions {
   size_t n;
   uint64_t* addresses;
   ShownInstruction* of;
   char* texts;
   size_t addresses_room, room, texts_room;
} Instructions;

static inline size_t cg2p_instructions_start(const Instructions* all, size_t i)
{
   return i ? all->of[i - 1].end : 0;
}

/* Adds one, of which objdump prints `text`; its symbols get their names. */
void cg2p_instructions_add(Instructions* all,
                           SymbolNames* names,
                           Failure* failure,
                           uint64_t address,
                           Text text);

/* Whether no address is below the one before. */
bool cg2p_instructions_rise(const Instructions* all);

/* An instruction while they are sorted. */
typedef struct SortedPlace {
   uint64_t address;
   size_t i;
} SortedPlace;

/* Makes `all`, of which there are none, those of `from` in the order of their
 * addresses. Of one address they stay as they are. There is a place for each.
 */
void cg2p_instructions_sort(Instructions* all,
                            Failure* failure,
                            const Instructions* from,
                            SortedPlace* places);

/* How many of the addresses, which rise, are below `address`. */
size_t cg2p_instructions_below(const Instructions* all, uint64_t address);

void cg2p_instructions_free(Instructions* all);

#endif
