/* What debug information says of an ELF object: variables, types
 * and inlined functions.
 *
 *    cg2d_error error;
 *    cg2d_object* object = cg2d_open("/usr/bin/app", &error);
 *    if (!object) puts(error.text);
 *
 * elfutils' libdw reads the debug information, of DWARF 2 to 5. It finds what
 * is not in the object itself: by build-id or .gnu_debuglink in
 * /usr/lib/debug, what dwz has taken out, and by debuginfod if
 * $DEBUGINFOD_URLS is set.
 *
 * Addresses are those in the ELF object, as a profile's instructions have them.
 * What a function gives by pointer belongs to the object and stays until that
 * is closed. Debug information that is broken or says nothing of a thing leaves
 * it out: no function fails for it.
 *
 * An object is used by one thread at a time. The commands are built with this
 * library; its interface is theirs, and changes with them. */
#ifndef CG2DEBUG_H
#define CG2DEBUG_H

#include "cg2profile.h"

#include <stddef.h>
#include <stdint.h>

#define CG2D_API __attribute__((visibility("default")))

typedef struct cg2d_object cg2d_object;

/* Why an operation failed. */
typedef enum cg2d_kind {
   CG2D_NO_DEBUG = 1, /* there is no object, or no debug information of it */
   CG2D_MEMORY,       /* there is no memory left */
} cg2d_kind;

typedef struct cg2d_error {
   cg2d_kind kind;
   char text[4096 + 1024]; /* "path: message", one line */
} cg2d_error;

/* Opens the ELF object in the file `path`. NULL if that fails: *error says
 * why. The caller closes it. */
CG2D_API cg2d_object* cg2d_open(const char* path, cg2d_error* error);

/* Closes an object, or NULL. */
CG2D_API void cg2d_close(cg2d_object* object);

/*--- Variables that have one place -----------------------------------------*/

/* A static variable. */
typedef struct cg2d_static {
   const char* name;    /* with its namespaces and function: "shapes::count" */
   const char* linkage; /* that of its symbol; "": the name says it */
   const char* file;    /* that declares it; "": not known */
   uint64_t address;    /* thread-local: from the start of its object's block */
   uint64_t size;       /* in bytes; 0: not known */
   uint32_t line;       /* that declares it; 0: not known */
   uint32_t is_thread_local;
} cg2d_static;

/* All static variables by rising address, those of one address once; *count:
 * how many. NULL if there is no memory: *error says so. */
CG2D_API const cg2d_static*
cg2d_statics(cg2d_object* object, size_t* count, cg2d_error* error);

/*--- Inlined functions -----------------------------------------------------*/

/* Finds whose instructions those at `addresses` are, `n` of them, rising: what
 * cg2p_inlining_add needs to take a profile apart. `demangles` 1: names of C++
 * are as its programmers write them, 0: as their symbols. The answer stays
 * until the object is closed, or asked again. NULL if there is no memory:
 * *error says so. */
CG2D_API const cg2p_inlines* cg2d_inlines(cg2d_object* object,
                                          const uint64_t* addresses,
                                          size_t n,
                                          int demangles,
                                          cg2d_error* error);

#endif
