/* What debug information says of an ELF object: variables, types
 * and inlined functions.
 *
 *    cg2p_error error;
 *    cg2d_object* object = cg2d_object_open("/usr/bin/app", &error);
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

/* Why an operation failed: kinds of a cg2p_error. */
#define CG2D_NO_DEBUG                                                          \
   CG2P_MALFORMED /* there is no object, or no debug information of it */
#define CG2D_MEMORY CG2P_MEMORY
#define CG2D_MOVED                                                             \
   CG2P_CUT_OFF /* what has its debug information (.dwo) is not there */

/* Opens the ELF object in the file `path`. NULL if that fails: *error says
 * why. The caller closes it. */
CG2D_API cg2d_object* cg2d_object_open(const char* path, cg2p_error* error);

/* The same of an object that may have no debug information, for its machine
 * code alone: cg2d_object_steps, cg2d_object_operations. */
CG2D_API cg2d_object* cg2d_object_open_code(const char* path,
                                            cg2p_error* error);

/* The same as cg2d_object_open, for cg2d_object_inlines and
 * cg2d_object_find_files alone: where variables are is not unpacked. */
CG2D_API cg2d_object* cg2d_object_open_inlines(const char* path,
                                               cg2p_error* error);

/* What a symbol of C++ or Rust is called in the source: a text that the caller
 * frees. NULL: it is no such symbol, or one of Rust, and the library was built
 * without GCC's libiberty. A cg2p_demangler. */
CG2D_API char* cg2d_symbol_demangle(const char* symbol);

/* Closes an object, or NULL. */
CG2D_API void cg2d_object_free(cg2d_object* object);

/*--- Types -----------------------------------------------------------------*/

/* What kind of a type it is. */
typedef enum cg2d_shape {
   CG2D_SCALAR = 1, /* a number, an enumeration, anything without members */
   CG2D_POINTER,    /* also a reference */
   CG2D_COMPOUND,   /* has members: a structure, class or union */
   CG2D_ARRAY,
} cg2d_shape;

/* A member of a type, or a base class. */
typedef struct cg2d_member {
   const char* name;    /* "": it has none; "<base> Shape" of a base class */
   const char* file;    /* that declares it; "": not known */
   uint64_t offset;     /* in the type, in bytes */
   uint32_t line;       /* that declares it; 0: not known */
   uint32_t type;       /* its number; 0: not known */
   uint32_t bit_offset; /* of a bit field, from `offset` */
   uint32_t bit_size;   /* 0: no bit field */
} cg2d_member;

/* A type without typedef, const and the like. */
typedef struct cg2d_type {
   const char* name;           /* "struct node", "ns::Tree<int>", "char*" */
   const char* file;           /* that declares it; "": not known */
   const cg2d_member* members; /* by offset */
   uint64_t size;              /* in bytes; 0: not known */
   uint64_t count;             /* of an array's elements; 0: not known */
   uint32_t n_members;
   uint32_t line;    /* that declares it; 0: not known */
   uint32_t element; /* of an array, or what a pointer points to; 0: none */
   uint32_t shape;   /* a cg2d_shape */
} cg2d_type;

/* Type number `number`, from 1, which something else has given. NULL if there
 * is no memory: *error says so. */
CG2D_API const cg2d_type*
cg2d_object_type(cg2d_object* object, uint32_t number, cg2p_error* error);

/* The number of the type that has a name, with or without "struct" and the like
 * in front; 0: there is none. */
CG2D_API uint32_t cg2d_object_find_type(cg2d_object* object,
                                        const char* name,
                                        cg2p_error* error);

/*--- Variables that have one place -----------------------------------------*/

/* A static variable. */
typedef struct cg2d_static {
   const char* name;   /* with its namespaces and function: "shapes::count" */
   const char* symbol; /* of the ELF object, at its address; "": none */
   const char* file;   /* that declares it; "": not known */
   uint64_t address;   /* thread-local: from the start of its object's block */
   uint64_t size;      /* in bytes; 0: not known */
   uint32_t line;      /* that declares it; 0: not known */
   uint32_t type;      /* its number; 0: not known */
   uint32_t is_thread_local;
} cg2d_static;

/* All static variables by rising address, those of one address once; *count:
 * how many. NULL if there is no memory: *error says so. */
CG2D_API const cg2d_static*
cg2d_object_statics(cg2d_object* object, size_t* count, cg2p_error* error);

/*--- Inlined functions -----------------------------------------------------*/

/* Finds whose instructions those at `addresses` are, `n` of them, rising: what
 * cg2p_inlining_add needs to take a profile apart. `demangles` 1: names of C++
 * and Rust are as their programmers write them, 0: as their symbols. The answer
 * stays until the object is closed, or asked again. NULL if there is no memory:
 * *error says so. */
CG2D_API const cg2p_inlines* cg2d_object_inlines(cg2d_object* object,
                                                 const uint64_t* addresses,
                                                 size_t n,
                                                 int demangles,
                                                 cg2p_error* error);

/*--- What instructions do with control -------------------------------------*/

/* Fills *code with what machine code says of the instructions at n rising
 * addresses: what cg2p_feedback_add needs. The steps stay until the object is
 * closed. 0; -1: *error says why not: there is no memory, or the object is of
 * another processor than x86. */
CG2D_API int cg2d_object_steps(cg2d_object* object,
                               const uint64_t* addresses,
                               size_t n,
                               cg2p_code* code,
                               cg2p_error* error);

/* Fills *sources with the lines and functions of the object, whether they ran
 * or not: what cg2p_feedback_add_sources needs. They stay until the object is
 * closed. 0; -1: there is no memory, *error says so. */
CG2D_API int cg2d_object_sources(cg2d_object* object,
                                 cg2p_sources* sources,
                                 cg2p_error* error);

/* Sets found[i] to 1 if the object was compiled from the file names[i], to 0
 * otherwise, as its line tables say. The n names are whole paths without "."
 * and "..", in the order of their bytes. 0; -1: there is no memory, *error says
 * so. */
CG2D_API int cg2d_object_find_files(cg2d_object* object,
                                    const char* const* names,
                                    size_t n,
                                    uint8_t* found,
                                    cg2p_error* error);

/* Fills *bodies with the functions, and copies of them in others, that the
 * instructions at n rising addresses are of, and the functions that have none
 * of these: what cg2p_feedback_add_bodies needs. They stay until the object is
 * closed. 0; -1: there is no memory, *error says so. */
CG2D_API int cg2d_object_bodies(cg2d_object* object,
                                const uint64_t* addresses,
                                size_t n,
                                cg2p_bodies* bodies,
                                cg2p_error* error);

/*--- What instructions need and give ---------------------------------------*/

/* What the instructions at n rising addresses read, write, and do: what
 * cg2p_cycles_add needs. They stay until the object is closed; their forms are
 * each there once, so that equal ones are the same pointer. An instruction that
 * is not known has the form "", and goes on to the next address. NULL: *error
 * says why not: there is no memory, or the object is of another processor than
 * x86 and aarch64. */
CG2D_API const cg2p_operation* cg2d_object_operations(cg2d_object* object,
                                                      const uint64_t* addresses,
                                                      size_t n,
                                                      cg2p_error* error);

/*--- What instructions touch -----------------------------------------------*/

/* An operand in memory, or what is known of it. */
typedef struct cg2d_access {
   int64_t offset;      /* in the type, in bytes; in an array of it anything */
   uint32_t type;       /* that the address points to; 0: not known */
   uint32_t is_indexed; /* an index that nobody knows is added */
} cg2d_access;

/* Fills 2 * n items of `accesses`: what the operands in memory are of the
 * instructions at n rising addresses; most have one. Code without debug
 * information has none that is known. 0; -1: there is no memory, *error says
 * so. */
CG2D_API int cg2d_object_accesses(cg2d_object* object,
                                  const uint64_t* addresses,
                                  size_t n,
                                  cg2d_access* accesses,
                                  cg2p_error* error);

/* A call that gave an address without a type, as malloc does, and what type the
 * pointer has that takes it. */
typedef struct cg2d_taken {
   uint64_t call;        /* address of the call */
   const char* function; /* that has it, without what its name is in */
   const char* file;     /* of the line; "": not known */
   uint32_t line;        /* 0: not known */
   uint32_t type;        /* that the pointer points to */
} cg2d_taken;

/* All that was found of this by cg2d_object_accesses, in the functions that it
 * was asked for; *count: how many. */
CG2D_API const cg2d_taken* cg2d_object_taken(cg2d_object* object,
                                             size_t* count);

/* Where a variable lies in a function's frame, while some instructions run. */
typedef struct cg2d_local {
   const char* name;
   const char* file;   /* that declares it; "": not known */
   uint64_t low, high; /* the instructions; `high` is behind them */
   int64_t offset;     /* from the canonical frame address, as DWARF has it */
   uint64_t size;      /* in bytes; 0: not known */
   uint32_t line;      /* that declares it; 0: not known */
   uint32_t type;      /* 0: not known */
} cg2d_local;

/* The variables in the frame of the function that has the instruction at an
 * address, those of functions that are inlined in it too; *count: how many.
 * They stay until the next call. NULL if there is no memory: *error says so. */
CG2D_API const cg2d_local* cg2d_object_locals(cg2d_object* object,
                                              uint64_t address,
                                              size_t* count,
                                              cg2p_error* error);

#endif
