/* How control went through a program: each instruction that ran, a spot, how
 * often it ran, and where control went from there how often. */
#ifndef CG2P_CONTROLGRAPH_H
#define CG2P_CONTROLGRAPH_H

#include "cycles/gathering.h"

/* A share of 1, of which 2^32 is the whole. */
typedef uint64_t Share;
enum { SHARE_BITS = 32 };
#define SHARE_WHOLE ((Share)1 << SHARE_BITS)

/* Where control went, and how often it went there or to one before it in the
 * list. */
typedef struct GraphWay {
   uint32_t to;
   uint64_t up_to;
} GraphWay;

/* Ways `first` to `end` - 1. */
typedef struct WayRange {
   uint32_t first, end;
} WayRange;

typedef struct GraphSpot {
   const cg2p_operation* operation; /* NULL: not known */
   uint64_t count;                  /* how often it ran */
   uint32_t next;                   /* in memory; CG2P_NONE: it did not run */
   uint32_t routine, object;
   WayRange ways;
   uint32_t taken;   /* of branches: how large a share, 2^32 - 1 at most */
   uint32_t stub;    /* instructions of the stub that it goes through */
   bool is_backward; /* a branch whose target is before it */
   bool is_library;  /* its object is a shared library */
} GraphSpot;

typedef struct ControlGraph {
   GraphSpot* spots;
   uint32_t n;
   GraphWay* ways; /* of spots; then those back to callers, of routines */
   size_t n_ways, ways_room;
   WayRange* callers; /* of each routine the spots that called it */
   uint32_t n_routines;
   uint64_t* entries; /* how often control came to each repeated spot; NULL once
                         the graph is made */
} ControlGraph;

/* What part of b a is, at most the whole. */
Share cg2p_controlgraph_share(uint64_t a, uint64_t b);

void cg2p_controlgraph_make(ControlGraph* graph,
                            Failure* failure,
                            const Gathering* gathering);
void cg2p_controlgraph_free(ControlGraph* graph);

#endif
