/* Allocators: functions that give memory out and take it back.
 *
 * Nothing is replaced or wrapped: the program runs as it does without anybody
 * looking. The arguments are read when a known function is entered, the result
 * when it has been left. An allocator that calls others counts as one: what
 * matters is the outermost. Pools, which the user names, have it apart: what
 * matters among them is the outermost pool. */
#ifndef CG2_ALLOCATORS_H
#define CG2_ALLOCATORS_H

#include "code/block.h"
#include "data/heap/allocations.h"
#include "data/heap/pools.h"

/* Memory that was given out. */
typedef struct Given {
   const Exit* exit; /* where the allocator was called, or NULL */
   Addr start;
   SizeT size;        /* bytes that were asked for */
   Bool is_open;      /* The size is not known. */
   Bool is_chunk;     /* A pool gave it. */
   Bool is_uncounted; /* A pool asked for it, or the dynamic linker. */
} Given;

/* Filled before the first translation, then constant. */
typedef struct AllocatorsConfig {
   Pools pools;    /* that the user names */
   UInt n_callers; /* by how many calls lines that allocate are told apart */
   /* Called when an allocator, not a pool, has returned memory: `exit` is where
    * it was called, or NULL, and its caller's frame is the top one again. NULL:
    * nobody counts. */
   void (*allocated)(const Exit* exit, SizeT size);
   /* Called when any of them has returned memory; NULL: nobody keeps what the
    * memory is. */
   void (*given)(const Given* given);
   /* Called when memory is about to be taken back. Returns what was there. */
   Allocation (*taken)(Addr start, Bool is_chunk);
   /* Called when an allocator that was to take memory in exchange for other has
    * left it as it was. */
   void (*left)(const Allocation* memory, Bool is_chunk);
} AllocatorsConfig;
extern AllocatorsConfig cg2_allocators_config;

/* Has all known allocators watched, if anybody wants to know. Called before the
 * first translation. */
void cg2_allocators_start(void);

/* A watched function is about to be entered, by `exit`, which is NULL if nobody
 * calls it. */
void cg2_allocators_entering(const Function* function, const Exit* exit);

/* The frame of a watched function has been popped. */
void cg2_allocators_left(const Function* function);

/* How many frames lie below the outermost allocator or pool that the running
 * thread is in, and *exit becomes where that was called; False: it is in none.
 */
Bool cg2_allocators_inside(UInt* depth, const Exit** exit);

/* Forgets what other threads than `tid` do: there are none. */
void cg2_allocators_forked(UInt tid);

#endif
