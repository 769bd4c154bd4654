/* The names that are nearest to a pattern which matched none, or to a word that
 * is not known: what its writer may have meant. */
#ifndef CG2_NEAREST_H
#define CG2_NEAREST_H

#include "code/code.h"

enum { NEAREST_MAX = 3 };

/* Puts the names of functions that were seen and are nearest, the first few of
 * them, into `found`, and returns how many there are. A name is near if it has
 * the pattern's letters in it, or differs in a third of them at most, where two
 * that are swapped are one; parameters, and scopes that the pattern does not
 * name, do not matter. */
UInt cg2_nearest_find(const HChar* pattern, const Name* found[NEAREST_MAX]);

/* The same of objects, whose directories do not matter. */
UInt cg2_nearest_find_object(const HChar* pattern,
                             const Name* found[NEAREST_MAX]);

/* How far a word, up to "=", is from a name; more than NEAREST_FAR: not near.
 */
enum { NEAREST_FAR = 80 };
UInt cg2_nearest_distance(const HChar* word, const HChar* name);

#endif
