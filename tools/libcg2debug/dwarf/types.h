/* Types, each once for an object: a type that several units have is one. */
#ifndef CG2D_TYPES_H
#define CG2D_TYPES_H

#include "dwarf/object.h"

/* The number of the type that an entry is, without typedef, const and the like;
 * 0: void, or nothing is known. */
uint32_t cg2d_types_of(cg2d_object* object, Failure* failure, Dwarf_Die* entry);
/* The number of the type of what an entry describes; 0: none. */
uint32_t
cg2d_types_of_entry(cg2d_object* object, Failure* failure, Dwarf_Die* entry);
/* A type with its members. */
const cg2d_type*
cg2d_types_whole(cg2d_object* object, Failure* failure, uint32_t number);
/* The innermost type that has a byte of a type, such as a member of a member;
 * 0: none. Of a union, that which is a pointer if one is. *offset is where in
 * the first type, and then in the second. */
uint32_t cg2d_types_inside(cg2d_object* object,
                           Failure* failure,
                           uint32_t number,
                           uint64_t* offset);
/* Whether a type has another at an offset: it is that, or a member or element
 * of it is. */
bool cg2d_types_has(cg2d_object* object,
                    Failure* failure,
                    uint32_t number,
                    uint32_t part,
                    uint64_t offset);

#endif
