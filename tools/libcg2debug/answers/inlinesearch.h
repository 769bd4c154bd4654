/* The search for inlined functions in the debug information of an object. */
#ifndef CG2D_INLINESEARCH_H
#define CG2D_INLINESEARCH_H

#include "base/search.h"
#include "dwarf/functionnames.h"

enum { INLINE_DEPTH_MAX = 1024 }; /* of entries inside each other */

/* An entry that others are instances of. */
typedef struct InlineOrigin {
   const void* place; /* where the entry is in memory */
   uint64_t address;  /* of the copy that is called; 0: there is none */
   uint32_t function; /* a number; CG2P_NONE: it was not inlined */
} InlineOrigin;

/* Where a function begins. */
typedef struct StartPlace {
   const char* file;
   uint32_t line, column, function;
} StartPlace;

typedef struct StartPlaces {
   StartPlace* all;
   size_t n, room;
} StartPlaces;

/* Where an instance is entered, as its entry says. */
typedef struct EnteredPlace {
   uint64_t address;
   uint32_t function;
} EnteredPlace;

/* What tells functions apart that begin at one place. */
typedef struct SharedPlaces {
   EnteredPlace* entered; /* the unit's instances */
   size_t n_entered, entered_room;
   uint8_t*
      is_unsure; /* by function: it is not known which marks are its own */
   size_t is_unsure_room;
} SharedPlaces;

/* Where instances begin that have no instruction. */
typedef struct BareMarks {
   cg2p_mark* all;
   size_t n, room;
} BareMarks;

typedef struct OriginSearch {
   cg2d_object* object;
   Failure* failure;
   EntryWalk entries;
   Found* found;
   const uint64_t* addresses; /* of instructions that ran, rising */
   size_t n;
   FunctionNames names;
   BareMarks bare;
   InlineOrigin* origins;
   size_t n_origins, origins_room;
   Hash origin_table;  /* by place */
   StartPlaces starts; /* where each function begins, by its number */
   const void* around; /* the origin of the function at hand */
   bool has_marks;     /* the unit at hand has */
   StartPlaces places; /* of its functions, by line */
   SharedPlaces shared;
} OriginSearch;

/* The number of the first instruction that ran at an address or behind it. */
static inline size_t cg2d_inlinesearch_first_at(const OriginSearch* search,
                                                uint64_t address)
{
   return cg2p_search_first(i, 0, search->n, search->addresses[i] < address);
}

#endif
