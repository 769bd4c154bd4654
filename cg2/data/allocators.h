/* Allocators: functions that give memory out.
 *
 * Nothing is replaced or wrapped: the program runs as it does without anybody
 * looking. The arguments are read when a known function is entered, the result
 * when it has been left. An allocator that calls others counts as one: what
 * matters is the outermost. */
#ifndef CG2_ALLOCATORS_H
#define CG2_ALLOCATORS_H

#include "code/block.h"
#include "code/code.h"

/* Filled before the first translation, then constant. */
typedef struct AllocatorsConfig {
   /* Called when an allocator has returned memory: `exit` is where it was
    * called, or NULL, and its caller's frame is the top one again. */
   void (*allocated)(const Exit* exit, SizeT size);
} AllocatorsConfig;
extern AllocatorsConfig cg2_allocators_config;

/* Has all known allocators watched. Called before the first translation. */
void cg2_allocators_watch(void);

/* A watched function is about to be entered, by `exit`, which is NULL if nobody
 * calls it. */
void cg2_allocators_entering(const Function* function, const Exit* exit);

/* The frame of a watched function has been popped. */
void cg2_allocators_left(const Function* function);

#endif
