/* What generated code calls.
 *
 * A block that calls, returns or jumps elsewhere says so at its end, and where
 * control goes is looked up then: the block there finds its cells in place and
 * does not look back. Only when that block is not translated yet, or is
 * guarded, does the thread stay on its way (cg2_left) until it is. */
#ifndef CG2_PROBE_H
#define CG2_PROBE_H

#include "engine/thread.h"

/* Where Registers are, from the start of the guest state: its first shadow. */
enum { CG2_REGISTERS_OFFSET = sizeof(VexGuestArchState) };

static inline Registers* cg2_probe_registers(void* guest)
{
   return (Registers*)((HChar*)guest + CG2_REGISTERS_OFFSET);
}

typedef struct ProbeConfig {
   /* The first frame of a watched function is about to be pushed. */
   void (*entering)(const Function* function);
   /* One of a watched function was found on the stack and is about to be
    * pushed.
    */
   void (*found)(const Function* function);
   /* `dump_every` blocks have run. */
   void (*due)(void);
   ULong dump_every;
} ProbeConfig;

/* Filled before the first translation, then constant. */
extern ProbeConfig cg2_probe_config;

/* Control leaves by `exit` with stack pointer `sp`; `guest` is the guest state
 * of the thread, which holds Registers. */

/* A call of always the same address, which is no stub. */
VG_REGPARM(2) void cg2_probe_call(Exit* exit, Addr sp, void* guest);
/* A call of `target`, this time. */
VG_REGPARM(3)
void cg2_probe_call_to(Exit* exit, Addr sp, Addr target, void* guest);
/* A jump to always the same address, which is no stub. */
VG_REGPARM(2) void cg2_probe_jump(Exit* exit, Addr sp, void* guest);
/* A jump to `target`, this time. */
VG_REGPARM(3)
void cg2_probe_jump_to(Exit* exit, Addr sp, Addr target, void* guest);
/* A return to `target`. */
VG_REGPARM(3)
void cg2_probe_return(Exit* exit, Addr sp, Addr target, void* guest);
/* A jump to always the same address, which has that home and where no function
 * of another name starts. */
VG_REGPARM(3)
void cg2_probe_move(Exit* exit, Addr sp, const Function* home, void* guest);
/* The end of a stub, which goes on at `target`.
 * Registers.exit and sp say how control came to the stub, or the first of
 * several. */
VG_REGPARM(3)
void cg2_probe_stub(Addr sp, Addr target, const Block* stub, void* guest);

/* A computed jump goes to `target`. Only counts it. */
VG_REGPARM(2) void cg2_probe_leap(const Exit* exit, Addr target, void* guest);

/* Control has arrived at `block`, which is guarded, and whose home is not the
 * one that ran before. */
VG_REGPARM(1) void cg2_probe_enter(Block* block, void* guest);

/* total[event] += n */
VG_REGPARM(2) void cg2_probe_count(UWord event, UWord n, void* guest);

/* It is time for a part. */
void cg2_probe_due(void* guest);

/* Dies with a message unless the cells of `block`'s home count. For tests: that
 * they do rests on all ways into a block being known. */
VG_REGPARM(1) void cg2_probe_check(const Block* block, void* guest);

/* For C code, between two runs of generated code. */

/* Control arrives at `block`, with cg2_now as its last exit left it; or it got
 * there inside code whose homes are guesses, and the home of `block` is not the
 * one that ran before. On return cg2_now says whose cells count. */
void cg2_probe_arrive(Block* block);

/* What has to be done before a frame of `function` is pushed that was found on
 * the stack. */
void cg2_probe_found(const Function* function);
/* The return address of the frame of a call of `callee` by `exit`. */
Addr cg2_probe_return_address(const Exit* exit, const Function* callee);

/* The running thread goes on at `address`. Control arrives at the block there,
 * unless that must be translated first, or looks itself. */
void cg2_probe_go_on(Addr address);

#endif
