/* ELF objects: those that are mapped, and what their bytes are called.
 *
 * An object's file is read once, when it is first mapped; what was read stays
 * until exit, as objects may come back. */
#ifndef CG2_ELFOBJECTS_H
#define CG2_ELFOBJECTS_H

#include "data/memory/dataobject.h"
#include "data/static/elfdata.h"

typedef struct ElfObject {
   TableNode node;
   const Object* object; /* the key */
   ElfData data;         /* of a file that cannot be read: nothing */
} ElfObject;

typedef struct LoadedObject {
   ElfObject* elf;
   PtrdiffT bias; /* address - offset in the object */
} LoadedObject;

typedef struct LoadedObjects {
   LoadedObject* all;
   UInt n, capacity;
   UInt version; /* 1, 2, ...: another whenever the list is another */
} LoadedObjects;

/* The objects that are mapped now. */
const LoadedObjects* cg2_elfobjects_loaded(void);

/* The data object of a stretch, made on first use. */
DataObject* cg2_elfobjects_object(const ElfObject* elf, ElfStretch* stretch);

#endif
