#include "repeat/repeat.h"

#include "profile/files/dump.h"
#include "repeat/chance.h"
#include "repeat/filetimes.h"
#include "repeat/futexcalls.h"
#include "repeat/moment.h"
#include "repeat/outside.h"
#include "repeat/repeatconfig.h"
#include "repeat/startstack.h"
#include "repeat/turns.h"
#include "repeat/users.h"

enum { FIRST_PROCESS = 1000 };

/* Reason for a mutable file-scope object: the process, as the profile calls it:
 * the kernel's number is another one in each run. */
static struct {
   UInt pid, parent;
   UInt n_children;
} process = {.pid = FIRST_PROCESS};

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
      (ProcessCall){.pid = process.pid,
                    .parent = process.parent,
                    .started = cg2_repeat_config.epoch * 1000000});
}

/* What is handed on: numbers, with commas between them. */
static void inherit(const HChar* text)
{
   ULong numbers[5];
   for (UInt i = 0; i < 5; i++) {
      HChar* end;
      numbers[i] = VG_(strtoull10)(text, &end);
      text = *end ? end + 1 : end;
   }
   process.pid = numbers[0];
   cg2_moment_inherit(numbers[1], numbers[2]);
   cg2_chance_begin(numbers[3]);
   cg2_filetimes_start(numbers[4]);
   cg2_outside_note_relative();
}

void cg2_repeat_hand_on(HChar text[REPEAT_TEXT])
{
   VG_(sprintf)
   (text, "%u,%llu,%llu,%llu,%llu", process.pid, cg2_moment_spent(),
    cg2_moment_waited(), cg2_chance_next(), cg2_filetimes_begin());
}

void cg2_repeat_start(void)
{
   describe();
   cg2_chance_begin(cg2_repeat_config.seed);
   cg2_filetimes_start(0);
   if (cg2_repeat_config.inherited) inherit(cg2_repeat_config.inherited);
   name_process();
   cg2_users_start();
   cg2_turns_start();
   cg2_futexcalls_start();
}

void cg2_repeat_begin_program(ThreadId tid)
{
   cg2_startstack_build(tid);
}

void cg2_repeat_create_thread(ThreadId tid)
{
   cg2_turns_create(tid);
}

void cg2_repeat_begin_thread(ThreadId tid)
{
   cg2_turns_begin(tid);
}

void cg2_repeat_end_thread(ThreadId tid)
{
   cg2_turns_end(tid);
}

void cg2_repeat_run(ThreadId tid, ULong blocks)
{
   cg2_moment_run(tid, blocks);
}

void cg2_repeat_stop(ULong blocks)
{
   cg2_moment_stop(blocks);
}

void cg2_repeat_take_turns(ThreadId tid)
{
   cg2_turns_share(tid);
}

/* A number of its own for each process of a run: it follows from the parent's,
 * and from how many children that has had. */
static UInt child_number(void)
{
   enum { MOST = 4194304 }; /* of Linux */
   ULong mixed =
      cg2_chance_mix(((ULong)process.pid << 32) + process.n_children);
   process.n_children = 0;
   return FIRST_PROCESS + 1 + mixed % (MOST - FIRST_PROCESS - 1);
}

void cg2_repeat_before_fork(void)
{
   process.n_children++;
}

/* Parent and child go on with different numbers. */
void cg2_repeat_forked(ThreadId tid)
{
   process.parent = process.pid;
   process.pid = child_number();
   name_process();
   cg2_chance_begin(cg2_chance_next());
   cg2_turns_forked(tid);
   cg2_outside_note_relative();
}
