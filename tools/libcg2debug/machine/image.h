/* The bytes of an ELF object where it is loaded. */
#ifndef CG2D_IMAGE_H
#define CG2D_IMAGE_H

#include "dwarf/object.h"

/* The bytes from the address `low` to in front of `high`, as many as there are
 * in the file: *length. They belong to the object. */
const uint8_t* cg2d_image_bytes_at(cg2d_object* object,
                                   uint64_t low,
                                   uint64_t high,
                                   size_t* length);

#endif
