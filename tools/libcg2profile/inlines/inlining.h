/* A profile that is being taken apart by inlined functions. */
#ifndef CG2P_INLINING_H
#define CG2P_INLINING_H

#include "inlines/instances.h"
#include "sum/addend.h"

/* A function of the profile, and where instructions of it begin to stand one
 * behind the other: it is entered at one of these, but compilers put parts of
 * functions elsewhere, also in front. */
typedef struct Beginning {
   uint64_t address;
   cg2p_function function;
} Beginning;

/* What is known of how often an inlined function was called, in all its
 * instances. */
typedef struct Counted {
   uint32_t first_line; /* of an instance without marks; 0: there is none */
   bool is_inlined;
   bool is_estimated;
   bool is_firm; /* code of one branches or calls: it does not disappear */
} Counted;

/* An object that has instructions in the profile. */
typedef struct InlinedObject {
   uint32_t name;
   uint64_t* addresses; /* of instructions that ran; once gathered, rising */
   size_t n, room;
   Beginning* beginnings; /* by address */
   size_t n_beginnings, beginnings_room;
   const cg2p_inlines* inlines; /* NULL: nothing is known */
   cg2p_function* functions;    /* the sum's names of inlines->functions */
   uint32_t* files;             /* of the file names of instances, + 1 */
} InlinedObject;

struct cg2p_inlining {
   Failure failure;
   const cg2p_profile* profile;
   InlinedObject* objects;
   size_t n_objects, objects_room;
   uint32_t* object_of; /* + 1, by name; 0: it has no instructions */
   cg2p_merge* sum;
   /* The part and the function at hand: */
   uint32_t ir; /* event */
   bool has_jumps;
   uint32_t max_level;
   Rows rows;
   Flow flow;
   Instances instances;
   uint32_t* rows_of; /* rows by local: numbers of rows */
   size_t rows_of_room;
   uint32_t* firsts; /* where those of each local begin in rows_of */
   size_t firsts_room;
   uint32_t* made; /* the sum's function of each local */
   size_t made_room;
   uint64_t* costs; /* inclusive, of each local */
   size_t costs_room;
   char* text;
   size_t text_room;
   Counted* counted; /* by name of the sum */
   size_t counted_room;
};

#endif
