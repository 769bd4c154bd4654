/* Names, each kept once and known by a number; and the numbers that a file
 * gives them. */
#ifndef CG2P_NAMES_H
#define CG2P_NAMES_H

#include "base/hash.h"

typedef struct StoredName {
   const char* text; /* ends in a 0, which is no part of it */
   uint32_t length;  /* bytes */
} StoredName;

/* All names of a profile: of objects, files and functions. */
typedef struct NameStore {
   StoredName* of; /* by number */
   size_t n, room;
   Hash table;
   Arena texts;
} NameStore;

enum { NAME_UNKNOWN = 0 }; /* "???": an object or file that is not known */

void cg2p_names_init(NameStore* names, Failure* failure);
/* The number of a name, which is added if it is new. */
uint32_t cg2p_names_intern(NameStore* names,
                           Failure* failure,
                           const char* text,
                           size_t length);
/* The number of a name; names->n: there is no such name. */
uint32_t
cg2p_names_find(const NameStore* names, const char* text, size_t length);
/* Has the place of a name brought into the processor's cache. */
void cg2p_names_fetch(const NameStore* names, const char* text, size_t length);
/* Compares two names by their bytes: less than 0, 0 or more. */
int cg2p_names_compare(const StoredName* a, const StoredName* b);
/* The place of each name, by its number, in the order of their bytes; the
 * caller frees the array. */
uint32_t* cg2p_names_ranks(const NameStore* names, Failure* failure);
void cg2p_names_free(NameStore* names);

/* What an id stands for. */
typedef struct Id {
   uint32_t name;
   uint32_t part; /* number from 1 of the part that defined it last; 0: none */
   /* The function that a function's name stood for last, in part
    * `function_part`; 0: in none. Here, as all that is known of an id then
    * takes one access to memory. */
   uint32_t function_part, function, object, file;
} Id;

typedef struct FarId {
   uint64_t number;
   Id id;
} FarId;

/* A file's ids of one kind (of objects, files or functions): numbers, usually
 * from 1 on without gaps. */
typedef struct Ids {
   size_t n;
   Id* near; /* by number */
   size_t n_near;
   FarId* far; /* of larger numbers */
   size_t n_far, far_room;
   Hash far_table;
} Ids;

/* The entry of an id; NULL: it is not defined. */
Id* cg2p_names_find_id(const Ids* ids, uint64_t number);
/* Has the entry of an id brought into the processor's cache. */
void cg2p_names_fetch_id(const Ids* ids, uint64_t number);
/* Defines an id, in part number `part`. Its entry; others may have moved. */
Id* cg2p_names_define_id(
   Ids* ids, Failure* failure, uint64_t number, uint32_t name, uint32_t part);
void cg2p_names_free_ids(Ids* ids);

#endif
