/* What a function is called with, and what it returns: words, integers or
 * pointers. Source: the System V ABIs of the processors. */
#ifndef CG2_CALLVALUES_H
#define CG2_CALLVALUES_H

#include "base/vg.h"

/* A function may be asked for this many arguments. */
enum { CALLVALUES_ARGUMENTS = 6 };

/* Argument number `i`, from 0, of the function whose first instruction thread
 * `tid` is about to execute. */
UWord cg2_callvalues_argument(UInt tid, UInt i);

/* The stack pointer of a thread. */
Addr cg2_callvalues_sp(UInt tid);

/* What the function returns that thread `tid` is just leaving. */
UWord cg2_callvalues_result(UInt tid);

/* The word that the program has at an address; 0 if it may not read there. */
UWord cg2_callvalues_word(Addr address);

#endif
