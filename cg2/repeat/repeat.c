#include "repeat/repeat.h"

#include "profile/files/dump.h"
#include "pub_tool_threadstate.h"
#include "repeat/chance.h"
#include "repeat/children.h"
#include "repeat/filetimes.h"
#include "repeat/futexcalls.h"
#include "repeat/ids.h"
#include "repeat/limits.h"
#include "repeat/moment.h"
#include "repeat/others.h"
#include "repeat/outside.h"
#include "repeat/processes.h"
#include "repeat/repeatconfig.h"
#include "repeat/signals.h"
#include "repeat/startstack.h"
#include "repeat/timers.h"
#include "repeat/turns.h"
#include "repeat/users.h"

const HChar* cg2_repeat_obstacle(void)
{
   return NULL;
}

static void describe(void)
{
   const RepeatConfig* c = &cg2_repeat_config;
   SizeT size = 128;
   for (UInt i = 0; i < c->n_kept; i++)
      size += VG_(strlen)(c->kept[i]) + 2;
   HChar* text = VG_(malloc)("cg2.repeat", size);
   HChar* end = text;
   end += VG_(sprintf)(end,
                       "Repeatable: yes, seed %llu, epoch %llu, %u processor%s",
                       c->seed, c->epoch, c->n_cpus, c->n_cpus == 1 ? "" : "s");
   for (UInt i = 0; i < c->n_kept; i++)
      end += VG_(sprintf)(end, "%s %s", i ? "" : ",", c->kept[i]);
   if (c->n_kept) VG_(sprintf)(end, " kept");
   cg2_dump_describe(text);
   VG_(free)(text);
}

static void name_process(void)
{
   cg2_dump_call_process(
      (ProcessCall){.pid = cg2_processes_own(),
                    .parent = cg2_processes_parent(),
                    .started = cg2_repeat_config.epoch * 1000000});
}

/* What is handed on: numbers, with commas between them. Behind the table of
 * processes come those of the others, then timers and limits. */
static void inherit(const HChar* text)
{
   enum { OF_PROCESSES = 4, OTHERS = 6 };
   ULong numbers[OF_PROCESSES + OTHERS];
   for (UInt i = 0; i < OF_PROCESSES + OTHERS; i++) {
      HChar* end;
      numbers[i] = VG_(strtoull10)(i ? text + 1 : text, &end);
      text = end;
   }
   cg2_limits_inherit(cg2_timers_inherit(text));
   const ULong* others = numbers + OF_PROCESSES;
   cg2_moment_inherit(others[0], others[1], others[5]);
   cg2_chance_begin(others[2]);
   cg2_filetimes_start(others[3]);
   if (others[4]) cg2_outside_note_relative();
}

void cg2_repeat_hand_on(HChar text[REPEAT_TEXT])
{
   HChar* end = cg2_processes_hand_on(text);
   end += VG_(sprintf)(end, "%llu,%llu,%llu,%llu,%d,%llu", cg2_moment_spent(),
                       cg2_moment_waited(), cg2_chance_next(),
                       cg2_filetimes_begin(), cg2_outside_has_relatives(),
                       cg2_moment_of_children());
   cg2_limits_hand_on(cg2_timers_hand_on(end));
}

void cg2_repeat_start(void)
{
   describe();
   cg2_chance_begin(cg2_repeat_config.seed);
   cg2_filetimes_start(0);
   cg2_processes_start(cg2_repeat_config.inherited);
   if (cg2_repeat_config.inherited) inherit(cg2_repeat_config.inherited);
   name_process();
   cg2_users_start();
   cg2_turns_start();
   cg2_futexcalls_start();
   cg2_signals_start();
}

void cg2_repeat_begin_program(ThreadId tid)
{
   cg2_startstack_build(tid);
}

void cg2_repeat_create_thread(ThreadId parent, ThreadId tid)
{
   if (parent != VG_INVALID_THREADID) cg2_processes_make_thread(tid);
   cg2_turns_create(tid);
}

void cg2_repeat_begin_thread(ThreadId tid)
{
   cg2_turns_begin(tid);
   cg2_processes_begin_thread(tid);
   cg2_ids_begin_thread(tid);
}

void cg2_repeat_end_thread(ThreadId tid)
{
   cg2_futexcalls_end_thread(tid);
   cg2_processes_end_thread();
   cg2_turns_end(tid);
}

void cg2_repeat_run(ThreadId tid, ULong blocks)
{
   cg2_moment_run(tid, blocks);
   cg2_others_go_on();
}

void cg2_repeat_stop(ULong blocks)
{
   cg2_moment_stop(blocks);
}

void cg2_repeat_take_turns(ThreadId tid)
{
   cg2_processes_say_clock(tid, cg2_moment_now());
   cg2_processes_say_spent(cg2_moment_spent() + cg2_moment_of_children());
   cg2_children_look();
   cg2_timers_fire();
   cg2_turns_share(tid);
}

void cg2_repeat_before_fork(void)
{
   cg2_processes_make_process();
}

/* Parent and child go on with different numbers. */
void cg2_repeat_forked(ThreadId tid)
{
   cg2_processes_forked();
   cg2_moment_forked();
   cg2_timers_forked();
   cg2_children_forked();
   name_process();
   cg2_chance_begin(cg2_chance_next());
   cg2_turns_forked(tid);
   cg2_outside_note_relative();
}
