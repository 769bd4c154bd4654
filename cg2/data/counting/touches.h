/* Touches: which instruction accesses which data object, at which offset.
 *
 * A touch is an instruction in a context, a data object, and counts for each
 * offset. An instruction that comes to more than TOUCH_OFFSETS offsets of an
 * object is *folded*: all of its offsets are `residue` modulo `stride`, and
 * they count together. The stride is the greatest common divisor of the
 * differences, so that a walk over an array of structs keeps members apart. */
#ifndef CG2_TOUCHES_H
#define CG2_TOUCHES_H

#include "base/vg.h"
#include "code/block.h"
#include "data/memory/dataobject.h"
#include "engine/context.h"
#include "model/cache/access.h"

enum { TOUCH_KINDS = 3, TOUCH_EVENTS_MAX = 33, TOUCH_OFFSETS = 16 };

/* The values of --data. */
typedef enum DataMode { DATA_NO, DATA_MISSES, DATA_ACCESSES } DataMode;

/* What accesses of a kind count. */
typedef struct TouchEvents {
   UInt n;                     /* counts of a touch; 0: the kind is not looked
                                  at */
   UChar of[TOUCH_EVENTS_MAX]; /* of[0]: the event that each access is, or 0;
                                  of[1 + i]: the event of bit i of an outcome */
} TouchEvents;

/* Filled before the first translation, then constant. */
typedef struct TouchesConfig {
   DataMode mode;
   Bool counts_visits; /* what is accessed together is counted, too */
   TouchEvents events[TOUCH_KINDS]; /* by AccessKind */
} TouchesConfig;
extern TouchesConfig cg2_touches_config;

/* An access by an instruction of a block, as generated code hands it over with
 * the address. Mostly nothing of what it asks for is in the host's caches, so
 * all that an access needs that goes where the last one went fills one of their
 * lines. Blocks that have an instruction in common have its accesses in common.
 */
typedef struct Toucher {
   /* What is remembered of the touch that was counted last: while *version and
    * the generation of owners, which both only rise, have the sum `stamp`, an
    * access in the same cells to `length` bytes from `start` on is one of that
    * touch; in the topmost frame, to as many bytes from its origin down. */
   const Cells* cells; /* NULL: nothing is remembered */
   Addr start, origin;
   const UInt* version;
   ULong* counts; /* of the entry that was counted last: */
   UInt offset;   /* lower half of its offset */
   UInt mask;     /* of offsets that are the entry's in these bits */
   UInt stamp;
   UInt length;
   UInt slot;   /* of the first event that the access may cause */
   UShort size; /* bytes */
   UChar kind;  /* AccessKind */
   UChar is_topmost;

   /* The touches that were counted last, or NULL. */
   struct Touch *recent, *before;
   const Block* block;
   UShort instr;  /* index in the block */
   UShort number; /* 0, 1, ... of accesses of this kind by the instruction */
} Toucher;

/* Whether accesses of a kind are charged to data objects. */
static inline Bool cg2_touches_are_on(AccessKind kind)
{
   return cg2_touches_config.mode != DATA_NO && kind != ACCESS_FETCH;
}

/* A toucher, which knows nothing yet. Lives until exit. */
Toucher* cg2_toucher_new(void);

/* The running thread's block accesses `address`: finds the counts of that, and
 * counts the access in counts[0]. */
VG_REGPARM(2) void cg2_touches_make(Addr address, Toucher* by);

/* Counts what the access that was made last caused: the bits of its outcome. */
void cg2_touches_count(UInt outcome);

typedef struct TouchEntry {
   ULong offset;
   ULong counts[]; /* [0]: accesses, or those that caused anything; the others
                      as TouchEvents has them */
} TouchEntry;

typedef struct Touch {
   /* Where the touch was counted last: addresses from `start` on, if nothing
    * has changed hands; or the topmost frame of a stack, below its origin. */
   const Cells* cells;
   Addr start, origin;
   UWord length; /* bytes; 0: not known */
   const UInt* version;
   UInt stamp; /* the sum of *version and the generation of owners */
   Bool is_topmost;

   TableNode node; /* key: the instruction of `by`, cells, object */
   const Toucher* by;
   Toucher* holder; /* who remembers the touch and one of its entries, or did
                       last; or NULL */
   DataObject* object;
   ULong stride;   /* 0: not folded */
   HChar* entries; /* n of them */
   UInt n, room;
} Touch;

/* Lets the host fetch what an access of the toucher is about to ask for. */
static inline void cg2_toucher_prefetch(const Toucher* by)
{
   const Touch* t = by->recent;
   __builtin_prefetch(by->counts, 1);
   __builtin_prefetch(by->version);
   __builtin_prefetch(t);
   __builtin_prefetch(&t->object);
}

/* Entry number `i` of a touch. */
TouchEntry* cg2_touch_entry(const Touch* touch, UInt i);

/* All touches that have counted, in no order; to be freed with VG_(free). *n
 * becomes how many there are. */
Touch** cg2_touches_all(UWord* n);

/* Forgets the touches of thread `tid`, if threads are kept apart, or, for 0, of
 * all. */
void cg2_touches_zero(UInt tid);

#endif
