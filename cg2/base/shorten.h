/* A function's name as a person says it, without what the compiler adds:
 * "void std::sort<Iterator, Less>(Iterator, Iterator, Less)" is
 * "std::sort<Iterator, Less>", or "std::sort<...>" if its arguments are long.
 * cg2profile.h has the rules. A name is read once, from left to right, and
 * none becomes longer. The tool has this for patterns,
 * libcg2profile for what is shown: it needs neither Valgrind nor libc. */
#ifndef CG2_SHORTEN_H
#define CG2_SHORTEN_H

#include <stdbool.h>
#include <stddef.h>

/* How much of a name is said. */
typedef enum Saying {
   SAY_NAME,       /* without parameters */
   SAY_PARAMETERS, /* with them */
   SAY_ALL,        /* as it is */
} Saying;

/* Writes to `room`, which has `length` bytes, what is said of a name; how many
 * bytes that has. What is not understood is said as it is. */
size_t
cg2_shorten_name(const char* name, size_t length, Saying saying, char* room);

#endif
