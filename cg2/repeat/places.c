#include "repeat/places.h"

ULong cg2_places_n(const Places* places)
{
   ULong n = __atomic_load_n(&places->n_used, __ATOMIC_ACQUIRE);
   return n < PLACES ? n : PLACES;
}

ULong cg2_places_get(const Places* places, ULong i)
{
   return __atomic_load_n(&places->words[i], __ATOMIC_ACQUIRE);
}

Bool cg2_places_replace(Places* places, ULong i, ULong old, ULong word)
{
   return __atomic_compare_exchange_n(&places->words[i], &old, word, False,
                                      __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

Bool cg2_places_add_to_free(Places* places, ULong word)
{
   for (ULong i = 0, n = cg2_places_n(places); i < n; i++)
      if (cg2_places_get(places, i) == 0 &&
          cg2_places_replace(places, i, 0, word))
         return True;
   return False;
}

/* A place is free from when it is counted: another process may take it
 * first. */
Bool cg2_places_add_to_end(Places* places, ULong word)
{
   ULong i;
   do
      i = __atomic_fetch_add(&places->n_used, 1, __ATOMIC_ACQ_REL);
   while (i < PLACES && !cg2_places_replace(places, i, 0, word));
   return i < PLACES;
}
