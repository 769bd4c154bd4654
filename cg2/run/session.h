/* Session: what a program hands on to the program that replaces it (exec),
 * where that is profiled, too: whether code is instrumented, and what
 * collection was told.
 *
 * The state travels in an option, --inherited-state=, that is added to those of
 * Valgrind: the core gives its options to the programs of --trace-children=yes.
 * So the program sees nothing of it, and no file can remain. A forked child
 * needs nothing of this: it has its parent's memory. */
#ifndef CG2_SESSION_H
#define CG2_SESSION_H

#include "base/vg.h"

/* Takes the text of --inherited-state=. False: no program has handed that on.
 */
Bool cg2_session_take(const HChar* text);

/* A program begins: it is in the state that was handed on to it, if any was and
 * the options ask for that. */
void cg2_session_begin(void);

/* The program is about to be replaced: hands its state on. */
void cg2_session_hand_on(void);

#endif
