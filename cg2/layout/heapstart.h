/* Where the heap begins: the program break, which a seed moves. */
#ifndef CG2_HEAPSTART_H
#define CG2_HEAPSTART_H

#include "base/vg.h"

/* Moves the break of a program that has not begun up, within its page. */
void cg2_heapstart_move(ULong seed);

#endif
