/* Plain probes: those for a run whose only event is Ir, and that keeps no
 * paths.
 *
 * Such a run is what most users want, and nothing is ever pending in it. The
 * usual transfers are the same as in probe.h, with fewer instructions: a frame
 * has room for one word, and what is counted is the clock. Whatever is not
 * usual is handed on to the probe of the same name there. */
#ifndef CG2_PLAIN_H
#define CG2_PLAIN_H

#include "engine/probe.h"

VG_REGPARM(2) void cg2_plain_call(Exit* exit, Addr sp, void* guest);
VG_REGPARM(3)
void cg2_plain_call_to(Exit* exit, Addr sp, Addr target, void* guest);
VG_REGPARM(2) void cg2_plain_jump(Exit* exit, Addr sp, void* guest);
VG_REGPARM(3)
void cg2_plain_jump_to(Exit* exit, Addr sp, Addr target, void* guest);
VG_REGPARM(3)
void cg2_plain_return(Exit* exit, Addr sp, Addr target, void* guest);
VG_REGPARM(3)
void cg2_plain_stub(Addr sp, Addr target, const Block* stub, void* guest);

#endif
