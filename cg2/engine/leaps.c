#include "engine/leaps.h"

#include "base/arena.h"

enum { RECENT_LEAPS = 4096 };

/* Reason for a mutable file-scope object: the process's leaps. */
static struct {
   Table all;
   Leap* recent[RECENT_LEAPS]; /* by hash, the one that was counted last: an
                                  interpreter leaps at each step */
} leaps;

static ULong key_hash(const Exit* exit, const Context* context, PtrdiffT target)
{
   ULong hash = cg2_hash_word(0, (UWord)exit);
   hash = cg2_hash_word(hash, (UWord)context);
   return cg2_hash_word(hash, target);
}

/* Whether the leap has this key. */
static inline Bool is_it(const Leap* leap,
                         const Exit* exit,
                         const Context* context,
                         PtrdiffT target)
{
   return leap->exit == exit && leap->context == context &&
          leap->target == target;
}

static __attribute__((noinline)) Leap*
find_or_add(const Exit* exit, Context* context, PtrdiffT target)
{
   ULong hash = key_hash(exit, context, target);
   TableNode* n = cg2_table_first(&leaps.all, hash);
   for (; n; n = cg2_table_next(n))
      if (is_it((Leap*)n, exit, context, target)) return (Leap*)n;
   Leap* leap = cg2_arena_new(sizeof *leap);
   leap->exit = exit;
   leap->context = context;
   leap->target = target;
   leap->next_of_context = context->leaps;
   context->leaps = leap;
   cg2_table_add(&leaps.all, &leap->node, hash);
   return leap;
}

void cg2_leaps_count(const Exit* exit, Context* context, PtrdiffT target)
{
   ULong hash = ((UWord)exit ^ (UWord)context << 3 ^ (UWord)target) *
                0x9e3779b97f4a7c15ULL;
   Leap** recent = &leaps.recent[hash >> 32 & (RECENT_LEAPS - 1)];
   if (!*recent || !is_it(*recent, exit, context, target))
      *recent = find_or_add(exit, context, target);
   (*recent)->count++;
}
