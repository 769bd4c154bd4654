/* Accesses: what every model of caches is told of.
 *
 * The program fetches an instruction, reads data or writes data: so many bytes
 * at an address. What an access may cause, its outcome, each model defines for
 * itself. */
#ifndef CG2_ACCESS_H
#define CG2_ACCESS_H

#include "base/vg.h"

typedef enum AccessKind {
   ACCESS_FETCH, /* of an instruction */
   ACCESS_READ,  /* of data */
   ACCESS_WRITE  /* of data */
} AccessKind;

enum { ACCESS_KINDS = 3 };

/* An access is worth so many ticks of the clock: it touches no more lines of a
 * set of a first level. */
enum { ACCESS_TICKS = 4 };

/* The largest number of bytes that one access to data may have in a model whose
 * smallest lines have `line` bytes: at least the largest register's 32. A
 * larger access counts as an access of that size. */
static inline UInt cg2_access_data_max(UInt line)
{
   enum { REGISTER_BYTES = 32 };
   return line > REGISTER_BYTES ? line : REGISTER_BYTES;
}

#endif
