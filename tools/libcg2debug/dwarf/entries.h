/* Entries of debug information: what their attributes say. */
#ifndef CG2D_ENTRIES_H
#define CG2D_ENTRIES_H

#include "dwarf/object.h"

enum { DEPTH_MAX = 64 }; /* of entries inside each other that are looked at */

/* How far a walk through the entries of a unit has come. In broken debug
 * information entries lead back to others: what does not lie behind all that
 * was read ends a list, so that no entry is read twice. */
typedef struct EntryWalk {
   const void* last; /* the entry that was read last, or NULL */
   Shapes* shapes; /* the object's, where many entries are passed over; or NULL:
                      libdw is asked for all */
} EntryWalk;

/* Goes to the first entry in another one, and from an entry to the next one in
 * the same; false: there is none. */
bool cg2d_entries_enter(EntryWalk* walk, Dwarf_Die* parent, Dwarf_Die* entry);
bool cg2d_entries_next(EntryWalk* walk, Dwarf_Die* entry);
/* Whether functions, or code that was put into them, may stand in an entry that
 * is none itself: a block, a namespace, a type with methods. */
bool cg2d_entries_holds_code(Dwarf_Die* entry);

/* The entry's own name, or that of what it is an instance of; "": none. */
const char* cg2d_entries_name(Dwarf_Die* entry);
/* The name of its symbol; "": none. */
const char* cg2d_entries_linkage_name(Dwarf_Die* entry);
/* The file whose number is an attribute, as the compiler names it; "": not
 * said. DWARF 5 numbers files from 0. */
const char* cg2d_entries_stated_file(Dwarf_Die* entry, unsigned attribute);
/* The same as a whole path. The texts are of the object's arena. */
const char* cg2d_entries_file(cg2d_object* object,
                              Failure* failure,
                              Dwarf_Die* entry,
                              unsigned attribute);
/* The whole path of a file that the unit of an entry names. */
const char* cg2d_entries_whole_path(cg2d_object* object,
                                    Failure* failure,
                                    Dwarf_Die* entry,
                                    const char* file);
/* The path of the file that declares it; "": not said. The texts are of the
 * object's arena. */
const char* cg2d_entries_declaring_file(cg2d_object* object,
                                        Failure* failure,
                                        Dwarf_Die* entry);
/* The line that declares it; 0: not said. */
uint32_t cg2d_entries_declaring_line(Dwarf_Die* entry);
/* A number that the entry says itself or by what it is an instance of; false:
 * it says none. */
bool cg2d_entries_number(Dwarf_Die* entry, unsigned attribute, uint64_t* value);
/* Where its code is entered: where it says, or at the first address of its
 * first range, as GCC has functions with a part elsewhere (`.cold`). False: it
 * has no code. */
bool cg2d_entries_address(Dwarf_Die* entry, uint64_t* address);
/* Whether it is C's: types are named with "struct" in front, and nothing is in
 * a namespace. */
bool cg2d_entries_is_c(Dwarf_Die* entry);
/* The type of what the entry describes, where all of it is described; false:
 * none, as of a void. */
bool cg2d_entries_type(Dwarf_Die* entry, Dwarf_Die* type);

#endif
