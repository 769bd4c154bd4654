/* Accesses of a described machine that generated code makes by itself: those to
 * known lines. See knownlines.h. */
#ifndef CG2_FILTERCODE_H
#define CG2_FILTERCODE_H

#include "model/described/knownlines.h"
#include "translate/emit.h"
#include "translate/sites.h"

/* A place in a table of known lines. */
typedef struct KnownPlace {
   IRExpr* base; /* the place is at base + offset; NULL: there is none */
   HWord offset;
} KnownPlace;

/* The places that the lines of an access have: a fetch may have two. */
typedef struct AccessPlaces {
   KnownLines known;
   Bool stamps_pages; /* touches of pages change stamps */
   KnownPlace first, last;
   UInt last_time; /* ticks from the first line's touch to the last one's */
} AccessPlaces;

/* Writes what finds out whether an access has to be made. NULL: it always has.
 */
IRExpr*
cg2_filtercode_find(Emitter* e, const AccessSite* site, AccessPlaces* places);

/* Writes the touches of an access, at `time`, of 32 bits, which has been made
 * if it had to be. */
void cg2_filtercode_touch(Emitter* e, const AccessPlaces* places, IRExpr* time);

#endif
