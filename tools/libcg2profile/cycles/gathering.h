/* What a profile says of each instruction: the objects that instructions are
 * in, and what each of these counted in all parts and functions together. */
#ifndef CG2P_GATHERING_H
#define CG2P_GATHERING_H

#include "base/sums.h"
#include "profile/part.h"

/* What is counted, in the order of the names in gathering.c. Levels are the
 * first, the second and the last one. */
typedef enum Counter {
   COUNT_IR,
   COUNT_CONDITIONAL,
   COUNT_CONDITIONAL_MISSED,
   COUNT_COMPUTED,
   COUNT_COMPUTED_MISSED,
   COUNT_RETURN_MISSED,
   COUNT_READ,                           /* that misses each level */
   COUNT_WRITE = COUNT_READ + 3,         /* the same */
   COUNT_READ_BROUGHT = COUNT_WRITE + 3, /* finds a prefetched line */
   COUNT_WRITE_BROUGHT = COUNT_READ_BROUGHT + 3,
   COUNT_CODE = COUNT_WRITE_BROUGHT + 3, /* fetches that miss each level */
   COUNT_TRANSLATION = COUNT_CODE + 3,   /* reads that miss TLBs */
   COUNTERS = COUNT_TRANSLATION + 2,
} Counter;

/* An object that has instructions in the profile. Its instructions, in the
 * order of their addresses, have the numbers from `first` on: spots. */
typedef struct CycleObject {
   uint32_t name;
   uint64_t* addresses;
   size_t n, room;
   uint32_t first;
   const cg2p_operation* operations; /* NULL: nothing is known */
   bool is_library;                  /* a shared one, by its name */
} CycleObject;

typedef struct CycleObjects {
   CycleObject* of;
   size_t n, room;
   uint32_t* by_name; /* + 1; 0: it has no instructions */
   uint32_t n_spots;
   bool has_jumps;
} CycleObjects;

/* Control went from a spot to another. */
enum {
   PASSAGE_FROM,
   PASSAGE_TO,
   PASSAGE_IS_CALL,
   PASSAGE_COUNT,
   PASSAGE_WIDTH
};

typedef struct Gathering {
   const CycleObjects* objects;
   uint64_t* counters; /* COUNTERS for each spot */
   uint32_t* routines; /* of each spot: functions that share spots are one */
   uint32_t n_routines;
   Sums passages;
} Gathering;

/* Finds the objects and addresses. */
void cg2p_gathering_find(CycleObjects* objects,
                         Failure* failure,
                         const cg2p_profile* profile);
/* The spot at an address of an object; CG2P_NONE: there is none. `near` is a
 * spot that is likely before it. */
uint32_t cg2p_gathering_spot(const CycleObjects* objects,
                             uint32_t object_name,
                             uint64_t address,
                             uint32_t near);
/* Adds up what all parts count. */
void cg2p_gathering_count(Gathering* gathering,
                          Failure* failure,
                          const cg2p_profile* profile,
                          const CycleObjects* objects);
/* Whether a part's events have this one. */
bool cg2p_gathering_has_event(const Part* part, const char* event);
void cg2p_gathering_free(Gathering* gathering);
void cg2p_gathering_free_objects(CycleObjects* objects);

#endif
