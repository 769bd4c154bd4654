/* Repeatable runs: the program sees the same world outside in every run: the
 * time, chance, the machine, directories, and threads that take turns. What the
 * core tells while the program runs, and the options ask for that.
 *
 * System calls and instructions of the processor are intercepted where the tool
 * is linked (see intercept.c), which the build must have been able to do. */
#ifndef CG2_REPEAT_H
#define CG2_REPEAT_H

#include "base/vg.h"
#include "pub_tool_basics.h"

/* Why runs cannot be repeatable with this tool; NULL: they can. */
const HChar* cg2_repeat_obstacle(void);

/* What follows is for repeatable runs only. */

/* Called once, before the program begins. */
void cg2_repeat_start(void);

/* The first thread is about to begin, and has not run. */
void cg2_repeat_begin_program(ThreadId tid);

/* `parent` has no number where the first thread is made. */
void cg2_repeat_create_thread(ThreadId parent, ThreadId tid);
void cg2_repeat_begin_thread(ThreadId tid);
void cg2_repeat_end_thread(ThreadId tid);

/* A thread begins to run, or stops, when so many blocks have run. */
void cg2_repeat_run(ThreadId tid, ULong blocks);
void cg2_repeat_stop(ULong blocks);
/* A thread that has stopped lets others go on, if it has had its share. */
void cg2_repeat_take_turns(ThreadId tid);

/* The process is about to fork; the child begins. */
void cg2_repeat_before_fork(void);
void cg2_repeat_forked(ThreadId tid);

/* What the program hands on to the one that replaces it, as the text of
 * --inherited-run=. */
enum { REPEAT_TEXT = 4000 };
void cg2_repeat_hand_on(HChar text[REPEAT_TEXT]);

#endif
