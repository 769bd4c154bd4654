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
#include "data/object.h"
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
   TouchEvents events[TOUCH_KINDS]; /* by AccessKind */
} TouchesConfig;
extern TouchesConfig cg2_touches_config;

/* An access by an instruction of a block, as generated code hands it over with
 * the address: all that is asked for when it misses, as mostly nothing of it is
 * in the host's caches. Blocks that have an instruction in common have its
 * accesses in common. */
typedef struct Toucher {
   struct Touch *recent, *before; /* cache: the touches that were counted last,
                                     or NULL */
   const Block* block;
   UShort instr; /* index in the block */
   UChar kind;   /* AccessKind */
   UChar number; /* 0, 1, ... of accesses of this kind by the instruction */
   UInt slot;    /* of the first event that the access may cause */
   UShort size;  /* bytes */
} Toucher;

/* Whether accesses of a kind are charged to data objects. */
static inline Bool cg2_touches_are_on(AccessKind kind)
{
   return cg2_touches_config.mode != DATA_NO && kind != ACCESS_FETCH;
}

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
   /* What is asked for each time fills a line of the host's caches: where the
    * toucher came last. That is addresses from `start` on, if nothing has
    * changed hands; or the topmost frame of a stack, below its origin. */
   const Cells* cells;
   Addr start, origin;
   UWord length;        /* bytes; 0: not known */
   TouchEntry* recent;  /* the entry that was counted last: */
   ULong mask;          /* of offsets that are the entry's in these bits */
   const UInt* version; /* of the blocks there, and what the number was */
   UInt version_then;
   UInt generation; /* 0: the topmost frame */

   TableNode node; /* key: the instruction of `by`, cells, object */
   const Toucher* by;
   DataObject* object;
   ULong stride;   /* 0: not folded */
   HChar* entries; /* n of them */
   UInt n, room;
} Touch;

/* Entry number `i` of a touch. */
TouchEntry* cg2_touch_entry(const Touch* touch, UInt i);

/* All touches that have counted, in no order; to be freed with VG_(free). *n
 * becomes how many there are. */
Touch** cg2_touches_all(UWord* n);

/* Forgets the touches of thread `tid`, if threads are kept apart, or, for 0, of
 * all. */
void cg2_touches_zero(UInt tid);

#endif
