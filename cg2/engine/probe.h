/* Probes: what generated code calls.
 *
 * A block that calls, returns or jumps elsewhere says so at its end, and where
 * control goes is looked up then: the block there finds its cells in place and
 * does not look back. Only when that block is not translated yet, or is
 * guarded, does the thread stay on its way (cg2_left) until the block is
 * translated, or looks itself. */
#ifndef CG2_PROBE_H
#define CG2_PROBE_H

#include "arch/gueststate.h"
#include "engine/thread.h"

/* Where Registers are, from the start of the guest state: its first shadow. */
enum { CG2_REGISTERS_OFFSET = sizeof(VexGuestArchState) };

static inline Registers* cg2_probe_registers(void* guest)
{
   HChar* state = cg2_gueststate(guest);
   return (Registers*)(state + CG2_REGISTERS_OFFSET);
}

/* Lets the cells count from now on, while generated code runs. */
static inline void cg2_probe_land(const Cells* cells, Registers* regs)
{
   cg2_now.current = cells;
   regs->cells = cells->counts;
}

/*--- At exits -----------------------------------------------------------*/

/* Control leaves by `exit` with stack pointer `sp`; `guest` is the guest state
 * of the thread, which holds Registers. */

/* Calls always the same address, which is no stub. */
VG_REGPARM(2) void cg2_probe_call(Exit* exit, Addr sp, void* guest);
/* Calls `target`, this time. */
VG_REGPARM(3)
void cg2_probe_call_to(Exit* exit, Addr sp, Addr target, void* guest);

/* Jumps to always the same address, which is no stub. */
VG_REGPARM(2) void cg2_probe_jump(Exit* exit, Addr sp, void* guest);
/* Jumps to `target`, this time. */
VG_REGPARM(3)
void cg2_probe_jump_to(Exit* exit, Addr sp, Addr target, void* guest);
/* Jumps to always the same address, where the current function goes on in code
 * of `home` (transfer *stay*). */
VG_REGPARM(3)
void cg2_probe_stay(Exit* exit, Addr sp, const Function* home, void* guest);

/* Returns to `target`. */
VG_REGPARM(3)
void cg2_probe_return(Exit* exit, Addr sp, Addr target, void* guest);

/* Ends a stub, which goes on at `target`. Registers.exit and sp say how control
 * came to the stub, or to the first of several. */
VG_REGPARM(3)
void cg2_probe_stub(Addr sp, Addr target, const Block* stub, void* guest);

/*--- In blocks ----------------------------------------------------------*/

/* Arrives at `block`, which is guarded, and whose home is not the one that ran
 * before. */
VG_REGPARM(1) void cg2_probe_enter(Block* block, void* guest);

/* Counts a computed jump, which goes to `target`, and does nothing else. */
VG_REGPARM(2) void cg2_probe_leap(const Exit* exit, Addr target, void* guest);

/* Counts `n` times `event`, for the thread and its open calls only: generated
 * code counts it in the block's cells. */
VG_REGPARM(2) void cg2_probe_count(UWord event, UWord n, void* guest);

/* Lets a part be written, as `dump_every` blocks have run. */
void cg2_probe_due(void* guest);

/* Dies with a message unless the cells of `block`'s home count. For tests: that
 * they do rests on all ways into a block being known. */
VG_REGPARM(1) void cg2_probe_check(const Block* block, void* guest);

#endif
