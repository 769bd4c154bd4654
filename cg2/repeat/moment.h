/* The virtual time: nanoseconds since the program began. It moves on by one for
 * each instruction that any thread executes, and to the end of a wait when
 * nothing else can happen. Where nothing is counted (--instr-atstart=no), each
 * basic block is a nanosecond. */
#ifndef CG2_MOMENT_H
#define CG2_MOMENT_H

#include "base/vg.h"
#include "pub_tool_basics.h"

enum { MOMENT_SECOND = 1000000000 };

/* Never: later than every moment. */
#define MOMENT_NEVER (~0ULL)

/* A thread begins to run, or stops, when so many blocks have run altogether.
 * Its registers are in cg2_now, which are complete. */
void cg2_moment_run(ThreadId tid, ULong blocks);
void cg2_moment_stop(ULong blocks);
/* `blocks` of those that are counted next will not have run. */
void cg2_moment_skip(ULong blocks);

ULong cg2_moment_now(void);
/* The same as a processor's counter of time, which moves on each time that it
 * is read where nothing is counted. */
ULong cg2_moment_ticks(void);
/* The time of the virtual calendar, in nanoseconds from 1970. */
ULong cg2_moment_date(void);
/* What threads have spent: the time without that of waiting. */
ULong cg2_moment_spent(void);
/* The same of the children that the program has waited for, and theirs. */
ULong cg2_moment_of_children(void);
void cg2_moment_add_child(ULong spent);

/* The moment so long after another one; MOMENT_NEVER, if that is too long. */
ULong cg2_moment_after(ULong moment, ULong span);

/* Lets the time go on to `moment`, if that is still to come. */
void cg2_moment_reach(ULong moment);

/* The child of a fork has spent nothing; the time goes on. */
void cg2_moment_forked(void);
/* Goes on from what a program has reached that this one replaces. */
void cg2_moment_inherit(ULong spent, ULong waited, ULong of_children);
ULong cg2_moment_waited(void);

#endif
