#include "repeat/moment.h"

#include "engine/thread.h"
#include "repeat/repeatconfig.h"
#include "translate/translateconfig.h"

/* Reason for a mutable file-scope object: the time is that of the process. */
static struct {
   ULong spent;       /* until the running thread began to run */
   ULong waited;      /* by all */
   ULong of_children; /* what they have spent that were waited for */
   ULong clock;       /* the counter of instructions when it began to run */
   ULong blocks;      /* that had run by then */
   ULong skipped;     /* that are counted since, and have not run */
   ThreadId runner;   /* its registers are in the guest state; 0: none runs */
} past;

void cg2_moment_run(ThreadId tid, ULong blocks)
{
   past.clock = cg2_now.regs.counters.of[COUNTER_CLOCK];
   past.blocks = blocks;
   past.skipped = 0;
   past.runner = tid;
}

void cg2_moment_skip(ULong blocks)
{
   past.skipped = blocks;
}

/* What the running thread has spent when its clock shows `clock`. */
static ULong spent_until(ULong clock)
{
   return (clock - past.clock) / CLOCK_INSTR;
}

void cg2_moment_stop(ULong blocks)
{
   past.spent += cg2_translate_config.is_on
                    ? spent_until(cg2_now.regs.counters.of[COUNTER_CLOCK])
                    : blocks - past.blocks - past.skipped;
   past.runner = 0;
}

/* The clock of the thread that runs. */
static ULong running_clock(void)
{
   Counters counters;
   VG_(get_shadow_regs_area)
   (past.runner, (UChar*)&counters, 1, offsetof(Registers, counters),
    sizeof counters);
   return counters.of[COUNTER_CLOCK];
}

ULong cg2_moment_spent(void)
{
   Bool is_counted = past.runner && cg2_translate_config.is_on;
   return past.spent + (is_counted ? spent_until(running_clock()) : 0);
}

ULong cg2_moment_of_children(void)
{
   return past.of_children;
}

void cg2_moment_add_child(ULong spent)
{
   past.of_children += spent;
}

ULong cg2_moment_waited(void)
{
   return past.waited;
}

ULong cg2_moment_now(void)
{
   return cg2_moment_spent() + past.waited;
}

ULong cg2_moment_ticks(void)
{
   enum { READING = 25 };
   if (!cg2_translate_config.is_on) past.waited += READING;
   return cg2_moment_now();
}

ULong cg2_moment_date(void)
{
   return cg2_repeat_config.epoch * MOMENT_SECOND + cg2_moment_now();
}

ULong cg2_moment_after(ULong moment, ULong span)
{
   return span < MOMENT_NEVER - moment ? moment + span : MOMENT_NEVER;
}

void cg2_moment_reach(ULong moment)
{
   ULong now = cg2_moment_now();
   if (moment > now) past.waited += moment - now;
}

void cg2_moment_forked(void)
{
   past.waited += past.spent;
   past.spent = past.of_children = 0;
}

void cg2_moment_inherit(ULong spent, ULong waited, ULong of_children)
{
   past.spent = spent;
   past.waited = waited;
   past.of_children = of_children;
}
