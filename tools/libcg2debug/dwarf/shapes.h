/* Where entries of debug information end, by what their abbreviations say of
 * their attributes: most entries are only passed over on the way to others, and
 * libdw finds an abbreviation anew for each, and takes each attribute apart. */
#ifndef CG2D_SHAPES_H
#define CG2D_SHAPES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of an entry. */
typedef struct ShapePiece {
   uint8_t kind;
   uint32_t bytes; /* of one that has the same number in each entry */
} ShapePiece;

/* What all entries of an abbreviation have. */
typedef struct EntryShape {
   Dwarf_Abbrev* abbreviation; /* libdw's */
   uint32_t first, end;        /* pieces: first to end - 1 */
   uint8_t state;
   bool has_entries; /* there are others in it */
} EntryShape;

/* The shapes in one unit, the one that was asked for last. */
typedef struct Shapes {
   struct Dwarf_CU* unit;
   const uint8_t *start, *end; /* of the unit; NULL: only libdw can read it */
   const uint8_t *section, *section_end;
   unsigned address, offset; /* bytes */
   unsigned version;
   EntryShape* all; /* by the code of the abbreviation */
   size_t room;
   ShapePiece* pieces;
   size_t n_pieces, pieces_room;
} Shapes;

typedef enum ShapesAnswer {
   SHAPES_FOUND,
   SHAPES_NONE,   /* there is no such entry */
   SHAPES_UNKNOWN /* libdw is to be asked */
} ShapesAnswer;

/* The first entry in another one; the one behind an entry, in its place. */
ShapesAnswer
cg2d_shapes_enter(Shapes* shapes, const Dwarf_Die* parent, Dwarf_Die* entry);
ShapesAnswer cg2d_shapes_next(Shapes* shapes, Dwarf_Die* entry);
void cg2d_shapes_free(Shapes* shapes);

#endif
