/* An ELF object whose debug information is open. */
#ifndef CG2D_OBJECT_H
#define CG2D_OBJECT_H

#include "base/numbermap.h"
#include "cg2debug.h"
#include "dwarf/shapes.h"

#include <elfutils/libdwfl.h>
#include <stdbool.h>

/* A type that has a name. */
typedef struct NamedType {
   Dwarf_Die entry;
   const char* name; /* with what it is in; no "struct" in front */
} NamedType;

typedef struct Index {
   NamedType* all;
   size_t count, room;
   NumberMap by_entry; /* by place in memory: number in `all` + 1 */
   NumberMap
      definition;   /* by the key of a name: the same, of what defines it */
   NumberMap units; /* by place in memory: 1, it is indexed */
   bool has_all;    /* every unit is indexed */
} Index;

/* An entry that was gone into. */
typedef struct ScopeLevel {
   Dwarf_Die entry;
   size_t first, end; /* what is in it: numbers in `inner`, first to end - 1 */
   const char* scope; /* of that */
} ScopeLevel;

/* What was gone into in one unit, the one that was asked for last. */
typedef struct Scopes {
   struct Dwarf_CU* unit;
   ScopeLevel* levels;
   size_t n_levels, levels_room;
   const char** inner; /* places in memory, rising in each level */
   size_t n_inner, inner_room;
   NumberMap by_entry; /* by place in memory: number in `levels` + 1 */
} Scopes;

/* A type, and what of it is known. */
typedef struct KnownType {
   cg2d_type type;
   Dwarf_Die entry;
   bool has_members; /* they were looked for */
} KnownType;

typedef struct Types {
   KnownType** all; /* number 0 is none */
   size_t count, room;
   NumberMap by_entry; /* by place in memory */
   NumberMap by_text;  /* by the key of what tells a type from all others */
} Types;

/* A piece of a function's code, which may have several. */
typedef struct Piece {
   uint64_t low, high; /* addresses in the ELF object; `high` is behind it */
   Dwarf_Die entry;    /* of the function */
} Piece;

typedef struct Functions {
   Piece* all; /* by rising address */
   size_t count, room;
   bool are_found;
} Functions;

/* A static variable's list, once it was asked for. */
typedef struct Statics {
   cg2d_static* all; /* by rising address; freed with the object */
   size_t count, room;
   bool are_found;
} Statics;

/* What pointers take that calls gave. */
typedef struct Taken {
   cg2d_taken* all;
   size_t count, room;
} Taken;

/* The variables in the frame that was asked for last. */
typedef struct Locals {
   cg2d_local* all;
   size_t count, room;
} Locals;

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
   Dwarf* dwarf;    /* NULL: only machine code was asked for */
   Dwarf_Addr bias; /* added to an address of the debug information: that in
                       the ELF object */
   Arena arena;     /* of texts */
   Statics statics;
   Found inlines;
   Functions functions;
   Taken taken;
   Locals locals;
   Index index;
   Types types;
   Shapes shapes;
   Scopes scopes;
   Dwarf_Addr elf_bias;  /* added to an address in the ELF object: libdwfl's */
   unsigned word;        /* bytes of an address */
   uint32_t raw_element; /* of the vector of Rust that was last looked into: its
                            pointer is one to bytes; 0: none */
   int type_depth;       /* of types inside each other that are looked at */
   FilePath last_file;   /* that was asked for: most ask for it again */
};

void cg2d_object_free_found(Found* found);

/* Whether its machine code is of x86 or amd64; of aarch64. */
bool cg2d_object_is_x86(cg2d_object* object);
bool cg2d_object_is_aarch64(cg2d_object* object);

/* Called with each unit of the debug information that is compiled code: its
 * top entry, that of the split file if it has one. */
typedef void UnitVisitor(void* data, Dwarf_Die* unit);

void cg2d_object_each_unit(cg2d_object* object, UnitVisitor* visit, void* data);

#endif
