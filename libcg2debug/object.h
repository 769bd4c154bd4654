/* An ELF object whose debug information is open. */
#ifndef CG2D_OBJECT_H
#define CG2D_OBJECT_H

#include "memory.h"

#include <elfutils/libdwfl.h>
#include <stdbool.h>

/* A static variable's list, once it was asked for. */
typedef struct Statics {
   cg2d_static* all; /* by rising address; freed with the object */
   size_t count, room;
   bool are_found;
} Statics;

/* The whole path of a file that a unit names by less. */
typedef struct FilePath {
   const char* file; /* libdw's text */
   const char* path;
} FilePath;

/* Inlined functions, once they were asked for. */
typedef struct Found {
   cg2p_inlines inlines; /* of what is below; freed with the object */
   cg2p_inlined* functions;
   cg2p_instance* instances;
   cg2p_instruction* instructions;
   cg2p_mark* marks;
   size_t functions_room, instances_room, instructions_room, marks_room;
} Found;

struct cg2d_object {
   char* path;
   Dwfl* dwfl; /* owns all that libdw gives */
   Dwfl_Module* module;
   Dwarf* dwarf;
   Dwarf_Addr bias; /* added to an address of the debug information: that in
                       the ELF object */
   Arena arena;     /* of texts */
   Statics statics;
   Found inlines;
   FilePath last_file; /* that was asked for: most ask for it again */
};

void cg2d_found_free(Found* found);

/* Called with each unit of the debug information that is compiled code: its
 * top entry, that of the split file if it has one. */
typedef void UnitVisitor(void* data, Dwarf_Die* unit);

void cg2d_each_unit(cg2d_object* object, UnitVisitor* visit, void* data);

#endif
