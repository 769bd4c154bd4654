/* In place of repeat.c where runs cannot be repeatable: the tool is for another
 * processor than amd64, or this Valgrind lacks what has to be intercepted. */

#include "repeat/repeat.h"

const HChar* cg2_repeat_obstacle(void)
{
   return "expected a program for amd64, and a Valgrind that has what the tool "
          "intercepts, as 3.19 has";
}

void cg2_repeat_start(void) {}

void cg2_repeat_begin_program(ThreadId tid)
{
   (void)tid;
}

void cg2_repeat_create_thread(ThreadId parent, ThreadId tid)
{
   (void)parent, (void)tid;
}

void cg2_repeat_begin_thread(ThreadId tid)
{
   (void)tid;
}

void cg2_repeat_end_thread(ThreadId tid)
{
   (void)tid;
}

void cg2_repeat_run(ThreadId tid, ULong blocks)
{
   (void)tid, (void)blocks;
}

void cg2_repeat_stop(ULong blocks)
{
   (void)blocks;
}

void cg2_repeat_take_turns(ThreadId tid)
{
   (void)tid;
}

void cg2_repeat_before_fork(void) {}

void cg2_repeat_hand_on(HChar text[REPEAT_TEXT])
{
   text[0] = '\0';
}

void cg2_repeat_forked(ThreadId tid)
{
   (void)tid;
}
