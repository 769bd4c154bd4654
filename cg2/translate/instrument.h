/* IR in, IR out: what generated code counts.
 *
 * Each segment bumps its cell and moves the clock; each exit that may leave
 * the function calls a probe. Blocks whose home is a guess get a guard that
 * calls cg2_probe_enter when another home ran before. See docs/design.md,
 * section 4. */
#ifndef CG2_INSTRUMENT_H
#define CG2_INSTRUMENT_H

#include "base/vg.h"
#include "pub_tool_tooliface.h"

IRSB* cg2_instrument(VgCallbackClosure* closure,
                     IRSB* in,
                     const VexGuestLayout* layout,
                     const VexGuestExtents* extents,
                     const VexArchInfo* arch,
                     IRType guest_word,
                     IRType host_word);

#endif
