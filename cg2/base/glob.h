/* Patterns of names, as Valgrind's options have them: `*` is any text, also
 * none, `?` any character, and a backslash takes its meaning from the one
 * behind it. */
#ifndef CG2_GLOB_H
#define CG2_GLOB_H

#include "base/vg.h"

/* Whether a pattern is of all of a text. The time is at most the product of
 * their lengths, whatever the pattern. */
Bool cg2_glob_matches(const HChar* pattern, const HChar* text);

#endif
