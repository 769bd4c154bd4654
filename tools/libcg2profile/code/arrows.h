/* Arrows beside lines, from where a jump is to where it goes. */
#ifndef CG2P_ARROWS_H
#define CG2P_ARROWS_H

#include "base/memory.h"

typedef struct Arrow {
   size_t from, to; /* lines, from 0 */
} Arrow;

/* Letters that are drawn: the same number in front of each line. To begin with
 * all is 0; to be freed with cg2p_arrows_free. */
typedef struct Arrows {
   Arrow* of; /* filled by the caller, in any order */
   size_t n, room;
   char* letters; /* of line `i`: `width` from i * width on */
   size_t width, letters_room;
   unsigned char* lanes; /* of each line: a bit of each lane that is taken */
   size_t lanes_room;
} Arrows;

void cg2p_arrows_add(Arrows* arrows, Failure* failure, Arrow arrow);

/* Draws the arrows beside `count` lines, and forgets them: they are sorted.
 * Short arrows are next to the lines, and no two share a place:
 *
 *    ,---- jle 3
 *    | ,-> add
 *    | '-- jne 1
 *    '---> ret
 *
 * What has none of the 8 lanes left is not drawn. */
void cg2p_arrows_draw(Arrows* arrows, Failure* failure, size_t count);

void cg2p_arrows_free(Arrows* arrows);

#endif
