/* The clock: instructions are counted as ticks, and an access happens at a
 * tick.
 *
 * Each segment first moves the thread's COUNTER_CLOCK on to the segment's end,
 * CLOCK_INSTR ticks for each instruction, which is all that counting Ir takes.
 * Caches that are simulated want to know which line was used last. Accesses of
 * the segment happen at ticks between the value that the counter had and the
 * one that it has now: each ACCESS_TICKS behind the one before, or at the
 * same tick where no set of a cache can be asked for two lines then.
 *
 *    counter before              a tick each                 counter now
 *       |                                                        |
 *       |-----access-----access-----access-- ... ----------------|
 *       |<------------- CLOCK_INSTR * instructions ------------->|
 */
#ifndef CG2_CLOCK_H
#define CG2_CLOCK_H

#include "model/callgrind/hierarchy.h"
#include "translate/emit.h"
#include "translate/spots.h"

/* The addresses that were accessed at one tick. */
typedef struct AccessedAtOnce {
   Bool are_there; /* anything was accessed */
   SpotRange range;
} AccessedAtOnce;

/* The clock of a block while its IR is written. */
typedef struct Clock {
   Bool gives_times; /* accesses want to know the tick; fixed for the block */
   IRExpr* time;     /* the tick of the newest access; a word of 32 bits */
   AccessedAtOnce data, code; /* at that tick */
   UInt left; /* accesses that there still are ticks for in this segment */
} Clock;

/* Writes what counts `n_instrs` instructions of a segment and moves the clock
 * on by them, or by the ticks that `n_accesses` accesses in that segment need,
 * if these are more: then Ir is put right. */
void cg2_clock_advance(Emitter* e,
                       Clock* clock,
                       UInt n_instrs,
                       UInt n_accesses);

/* The tick of an access to `range`: that of the access before, if all lines
 * that are then accessed at that tick lie in `near` bytes, else a later one. */
IRExpr* cg2_clock_access(Emitter* e,
                         Clock* clock,
                         AccessKind kind,
                         const SpotRange* range,
                         UWord near);

/* An access is made that is given no tick: the next one is later. */
void cg2_clock_pass(Clock* clock, AccessKind kind);

/* The tick so many ticks behind `time`. */
IRExpr* cg2_clock_later(Emitter* e, IRExpr* time, UInt ticks);

#endif
