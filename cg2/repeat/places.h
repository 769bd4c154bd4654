/* Places in memory that processes share: each holds one word, or 0: it is free.
 * Any process takes and frees places at any time; none waits for another. */
#ifndef CG2_PLACES_H
#define CG2_PLACES_H

#include "base/vg.h"

enum { PLACES = 65535 };
typedef struct Places {
   ULong n_used; /* that were ever used; more than PLACES: all */
   ULong words[PLACES];
} Places;

/* How many there are to look at. */
ULong cg2_places_n(const Places* places);
ULong cg2_places_get(const Places* places, ULong i);

/* Puts a word where `old` is; False: there is another one by now. */
Bool cg2_places_replace(Places* places, ULong i, ULong old, ULong word);

/* Puts a word where one was freed; False: there is no such place. */
Bool cg2_places_add_to_free(Places* places, ULong word);
/* Puts a word where none was before; False: there is no such place. */
Bool cg2_places_add_to_end(Places* places, ULong word);

#endif
