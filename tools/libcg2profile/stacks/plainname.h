/* What functions are called for people: their names without recursion level and
 * call chain. "f'2'g'main" is f, if its caller is "g'main": a chain is what the
 * names of a function's callers begin with. */
#ifndef CG2P_PLAINNAME_H
#define CG2P_PLAINNAME_H

#include "stacks/calls.h"

typedef struct PlainNames {
   NameStore names;
   uint32_t* of;    /* each function's, a number in `names` */
   bool has_chains; /* there are names with chains */
   /* While they are made: */
   Keys plain;         /* functions without level: object, file, name */
   uint32_t* plain_of; /* each function's number among these */
   uint32_t* chains;   /* bytes of the chain of each of these; 0: none */
   char* text;         /* a name that is put together */
   size_t text_room;
} PlainNames;

/* Makes the names of a part's functions. What fails leaves names that can be
 * freed. */
void cg2p_plainname_make(PlainNames* made,
                         Failure* failure,
                         const NameStore* names,
                         const Part* part,
                         const Calls* calls);
void cg2p_plainname_free(PlainNames* made);

/* Whether the chain in a function's name has all of the name of its caller. */
bool cg2p_plainname_is_chain_full(const PlainNames* made,
                                  uint32_t function,
                                  uint32_t caller);

#endif
