/* The last calls of exits that make many: to many targets, or from many
 * contexts.
 *
 * An exit remembers the one call that it made last (Exit.recent). If the next
 * one is another, it is looked for here: in a cache by exit, target and the
 * cells that count at the exit. */
#ifndef CG2_LASTCALLS_H
#define CG2_LASTCALLS_H

#include "engine/usual.h"

typedef struct LastCall {
   const Exit* exit;
   Addr target;
   Arc* arc;
   UInt generation; /* as of exits */
} LastCall;

/* The cache, which probe.c has. */
enum { LAST_CALLS = 2048 };
extern LastCall cg2_lastcalls[LAST_CALLS];

/* The place in the cache for calls of `target` by `exit`, from a block that
 * counts in `current`. */
static inline LastCall*
cg2_lastcalls_place(const Exit* exit, Addr target, const Cells* current)
{
   ULong hash =
      ((UWord)exit ^ target ^ (UWord)current << 3) * 0x9e3779b97f4a7c15ULL;
   return &cg2_lastcalls[hash >> 32 & (LAST_CALLS - 1)];
}

/* The arc that a call by `exit` of `target` takes again, which the exit then
 * remembers; or NULL. */
static inline Arc* cg2_lastcalls_take(Exit* exit, Addr target, Addr sp)
{
   const LastCall* last = cg2_lastcalls_place(exit, target, cg2_now.current);
   if (last->exit != exit || last->target != target ||
       last->generation != cg2_blocks.generation || !last->arc)
      return NULL;
   cg2_exit_remember(exit, last->arc);
   exit->target = target;
   exit->generation = last->generation;
   return cg2_usual_call(exit, sp) ? last->arc : NULL;
}

/* Notes the call that `exit` has made last, from a block that counted in
 * `current`. */
static inline void cg2_lastcalls_note(const Exit* exit, const Cells* current)
{
   *cg2_lastcalls_place(exit, exit->target, current) =
      (LastCall){exit, exit->target, exit->recent, exit->generation};
}

#endif
