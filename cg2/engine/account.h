/* What a thread has counted, and where each count has gone.
 *
 * A thread's *expense* is all that it has counted since the last zero. At any
 * time between two blocks
 *
 *   expense = total + aside + pending + (counters - counted)
 *           = cells of blocks + costs of stubs in arcs and contexts + skipped
 *
 * where `counters` are the thread's registers and the other names are fields of
 * its Account. The first line says when a cost was counted, and what the frames
 * that are open share of it; the second line says who has it. All fields change
 * by the functions of this file only. The functions do not look at the frames:
 * whoever completes a total settles the frames first (thread.h). */
#ifndef CG2_ACCOUNT_H
#define CG2_ACCOUNT_H

#include "code/block.h"
#include "engine/path.h"

typedef struct Account {
   /* Whether any word of `pending`, and of `stub_cost`, is not 0. */
   UWord has_pending, has_stub_cost;
   /* Whether to charge arcs with differences of counters is not all that there
    * is to do when frames are pushed and popped: something is pending, or paths
    * are kept. */
   UWord has_more;
   /* What belongs to the frames that are on the stack or were left there,
    * as far as it is complete: the open calls' costs are differences of
    * totals. */
   Cost total;
   /* The counters when the total was completed last. */
   Counters counted;
   /* What simulators counted since the total was completed. No frame was
    * entered since, and each frame that was left since has it. */
   Cost pending;
   /* What belongs to no frame that is open, though it was counted while they
    * were: costs of signal handlers that have ended, and of other stacks. */
   Cost aside;
   /* What was spent in stubs since the last arrival; nobody has it yet. */
   Cost skipped;
   /* What simulators and predictors counted in the stub that runs. It becomes
    * part of `skipped`, or of whom the stub is charged to, when the stub ends.
    */
   Cost stub_cost;
   /* How many blocks of stubs have run. */
   ULong n_skips;
} Account;

/* Makes `a`, which is all 0, the account of a thread that has not run. */
void cg2_account_init(Account* a);

/*--- Counting -----------------------------------------------------------*/

/* Counts one `event` while generated code runs, when the total is not
 * complete. */
static inline void cg2_account_count(Account* a, UInt event)
{
   a->pending.of[event]++;
   a->has_pending = a->has_more = True;
}

/* Notes that the stub which runs has counted one `event`, for whom the stub is
 * charged to. */
static inline void cg2_account_count_in_stub(Account* a, UInt event)
{
   a->stub_cost.of[event]++;
   a->has_stub_cost = True;
}

/* Counts `n` times `event`, when the total is complete. */
static inline void cg2_account_add(Account* a, UInt event, ULong n)
{
   a->total.of[event] += n;
}

/* Adds to the total what is counted and not yet in it. `counters` are those of
 * the running thread. */
static inline void cg2_account_complete(Account* a, const Counters* counters)
{
   cg2_cost_add_counted_pairs(a->total.of, counters->of, a->counted.of);
   cg2_cost_copy_counters(a->counted.of, counters->of);
   if (!a->has_pending) return;
   cg2_cost_add(a->total.of, a->pending.of);
   cg2_cost_clear(a->pending.of);
   a->has_pending = False;
   a->has_more = cg2_path_is_on();
}

/* Says that all that `counters` have counted is in a total: the counters were
 * set, or another thread ran until now. */
static inline void cg2_account_count_from(Account* a, const Counters* counters)
{
   a->counted = *counters;
}

/*--- Stubs --------------------------------------------------------------*/

/* Adds to `cost` the events of a run of `stub`: those that happen each time,
 * and those that were counted while it ran. Static, so that probes know which
 * registers it changes and save no others; and not inline, as few runs have
 * events. */
static __attribute__((noinline, unused)) void
cg2_account_move_events(Account* a, ULong* cost, const Block* stub)
{
   const BlockEvent* events = cg2_block_events(stub);
   for (UInt i = 0; i < stub->n_events; i++)
      cost[events[i].event] += events[i].times;
   if (!a->has_stub_cost) return;
   cg2_cost_add(cost, a->stub_cost.of);
   cg2_cost_clear(a->stub_cost.of);
   a->has_stub_cost = False;
}

/* Charges `payer` with the instructions of a run of `stub`, which has ended. */
static inline void
cg2_account_charge_plain_stub(Account* a, ULong* payer, const Block* stub)
{
   payer[EVENT_IR] += stub->n_instrs;
   a->n_skips++;
}

/* Charges `payer` with a run of `stub`, which has ended. */
static inline void
cg2_account_charge_stub(Account* a, ULong* payer, const Block* stub)
{
   cg2_account_charge_plain_stub(a, payer, stub);
   if (cg2_event_has_more()) cg2_account_move_events(a, payer, stub);
}

/* Keeps the cost of a run of `stub`, which has ended, until control arrives and
 * somebody is charged with it. */
static inline void cg2_account_skip_stub(Account* a, const Block* stub)
{
   cg2_account_charge_stub(a, a->skipped.of, stub);
}

/* Charges `payer` with what was spent in stubs since the last arrival. */
static inline void cg2_account_charge_skipped(Account* a, ULong* payer)
{
   cg2_cost_add(payer, a->skipped.of);
   cg2_cost_clear(a->skipped.of);
}

/* Charges `payer` with `skipped`, what was spent in stubs by code that will not
 * arrive, and makes it 0. Without a payer (NULL) the cost is taken out of the
 * expense. `skipped` is the account's own, or was saved when a handler
 * began. */
void cg2_account_charge_lost(Account* a, ULong* payer, ULong* skipped);

/* Moves what was spent in stubs since the last arrival to `to`: a handler
 * begins. */
void cg2_account_save_skipped(Account* a, Cost* to);
/* Undoes cg2_account_save_skipped(): the handler has returned. */
void cg2_account_restore_skipped(Account* a, const Cost* from);

/*--- Costs of no open frame ---------------------------------------------*/

/* Sets the total back to `before`, and puts aside what came to it since. */
void cg2_account_put_aside(Account* a, const ULong* before);

/* The expense of a thread whose total is complete. */
Cost cg2_account_expense(const Account* a);

/* Begins a new account of what is counted from now on. The total is
 * complete. */
void cg2_account_zero(Account* a);

#endif
