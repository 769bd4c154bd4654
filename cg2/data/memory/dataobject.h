/* Data objects: what the program's accesses to memory are charged to. */
#ifndef CG2_DATAOBJECT_H
#define CG2_DATAOBJECT_H

#include "code/code.h"

typedef enum DataKind {
   DATA_HEAP,
   DATA_STATIC,
   DATA_STACK,
   DATA_OTHER
} DataKind;

/* A data object: what a user would call a variable, or a place that allocates.
 */
typedef struct DataObject {
   DataKind kind;
   UInt number;             /* 1, 2, ... in order of creation */
   const HChar* name;       /* without the kind; lives until exit */
   Bool is_unclaimed;       /* Nobody has said what the memory is. */
   const Object* object;    /* the ELF object that it belongs to, or NULL */
   ULong n_blocks, n_bytes; /* heap: allocated there since the last zero */
} DataObject;

/* A stretch of memory that belongs to one object now: addresses [start, end).
 * The offset of an address is address - origin; in a frame of the stack it is
 * origin - address. */
typedef struct DataPiece {
   Addr start, end, origin;
   DataObject* object;
} DataPiece;

/* The offset of an address that is in a piece, or above a frame. */
static inline ULong cg2_dataobject_offset(const DataPiece* piece, Addr address)
{
   if (piece->object->kind != DATA_STACK) return address - piece->origin;
   return piece->origin < address ? 0 : piece->origin - address;
}

/* A new object; `name` is copied. */
DataObject*
cg2_dataobject_new(DataKind kind, const HChar* name, const Object* object);

/* What objects are made for that have numbers of their own. */
typedef enum ObjectsOf {
   OBJECTS_OF_FUNCTIONS, /* the frames of a function, by its number */
   OBJECTS_OF_STUBS,     /* the linker's call stubs of an ELF object, by the
                            number of its name */
   OBJECTS_OF_NAMES,     /* memory that has but a name, by number of that */
   OBJECTS_OF
} ObjectsOf;

/* The object that was made for this number before, or else a new one. */
DataObject* cg2_dataobject_of(ObjectsOf what,
                              UInt number,
                              DataKind kind,
                              const HChar* name,
                              const Object* object);

/* How many objects there are, and the one with this number. */
UInt cg2_dataobject_count(void);
DataObject* cg2_dataobject_number(UInt number);

/* Forgets what was allocated. */
void cg2_dataobject_zero(void);

/* What stands in front of a name of this kind: "heap". */
const HChar* cg2_dataobject_kind_name(DataKind kind);

#endif
