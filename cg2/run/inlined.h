/* Functions that were inlined, by their names in debug information: a pattern
 * that matches no function may be meant for one of these.
 *
 * Valgrind's core reads their names from debug information when it loads an
 * object. A large object takes a fifth of a second, so the core reads them only
 * if the command line asks for it. */
#ifndef CG2_INLINED_H
#define CG2_INLINED_H

#include "base/vg.h"

enum { INLINED_PLACES_MAX = 3 };

/* Where a function was inlined. */
typedef struct InlinedPlace {
   Addr address;      /* of the first instruction of it there that ran */
   const HChar* text; /* "main (app.c:17)", the call's line; valid until exit */
} InlinedPlace;

/* Has the core read what is known of inlined functions, in objects that it
 * loads from now on. */
void cg2_inlined_read(void);

/* Whether it does. */
Bool cg2_inlined_is_read(void);

/* Puts the places, the first few by address, where functions were inlined that
 * a pattern names, and ran, into `found`, and returns how many there are in
 * all, more than INLINED_PLACES_MAX if that is so. Debug information names them
 * without scopes and parameters: these are not looked at. */
UInt cg2_inlined_find(const HChar* pattern,
                      InlinedPlace found[INLINED_PLACES_MAX]);

#endif
