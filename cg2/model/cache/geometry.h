/* Geometry: the size and shape of one cache.
 *
 * A cache has size / (ways * line) sets, any number of them; with one set it is
 * fully associative. */
#ifndef CG2_GEOMETRY_H
#define CG2_GEOMETRY_H

#include "base/vg.h"

typedef struct Geometry {
   ULong size; /* bytes, a multiple of ways * line */
   UInt ways;  /* lines in a set, at least 1 */
   UInt line;  /* bytes, a power of two */
} Geometry;

enum {
   GEOMETRY_LINE_MIN = 16,
   GEOMETRY_LINE_MAX = 4096,
   GEOMETRY_TEXT = 160 /* bytes: the room that an error or a text needs */
};
static const ULong GEOMETRY_SIZE_MAX = 1ULL << 32; /* bytes */

/* Reads a geometry from "SIZE,WAYS,LINE", in bytes, ways and bytes. False: the
 * text describes no cache, and `error`, of GEOMETRY_TEXT bytes, is one line
 * without an end that says what is wrong and what would be right. */
Bool cg2_geometry_parse(const HChar* text, Geometry* geometry, HChar* error);

/* Whether there can be a cache of this geometry. False: `error` says why, as
 * that of cg2_geometry_parse(). */
Bool cg2_geometry_check(const Geometry* geometry, HChar* error);

/* Writes a geometry as a profile has it, `32768 B, 64 B, 8-way associative`, to
 * `text`, of GEOMETRY_TEXT bytes. */
void cg2_geometry_describe(const Geometry* geometry, HChar* text);

/* The number of sets. */
static inline ULong cg2_geometry_sets(const Geometry* geometry)
{
   return geometry->size / geometry->line / geometry->ways;
}

#endif
