/* Accesses of a described machine that generated code need not make.
 *
 * A set of a first level remembers the line that it was used for last, and a
 * translation cache the page. An access to the same line and page changes
 * nothing and misses nothing. See MemoryFilter in memory.h. */
#ifndef CG2_FILTERCODE_H
#define CG2_FILTERCODE_H

#include "translate/emit.h"
#include "translate/sites.h"

/* Writes whether an access has to be made. NULL: it always has. */
IRExpr* cg2_filtercode_passes(Emitter* e, const AccessSite* site);

#endif
