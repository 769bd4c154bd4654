/* The simulator as the rest of the tool sees it: accesses to memory as events.
 *
 * How many reads and writes there are follows from how often instructions are
 * executed; misses are counted when they happen, in slots of the instruction.
 * Generated code looks itself whether an access is to the line that its set's
 * last one was to: then it hits and changes nothing. */
#ifndef CG2_SIM_H
#define CG2_SIM_H

#include "hierarchy.h"
#include "thread.h"

enum { ACCESS_KINDS = 3 };

/* What of an access to memory is not known before it happens: where it counts.
 * Lives as long as its block. */
typedef struct Ref {
   UInt counted, first, last, dirty; /* slots: see SimConfig */
   UShort size;                      /* bytes */
   UChar kind;                       /* AccessKind */
   UChar is_guarded; /* it happens or not; if it does, it counts */
   UChar is_of_stub; /* it has no slots */
} Ref;

typedef struct SimConfig {
   Bool is_on;
   /* Events by AccessKind; 0: none. */
   UInt accesses[ACCESS_KINDS]; /* of data */
   UInt first[ACCESS_KINDS];    /* misses of the first level */
   UInt last[ACCESS_KINDS];     /* of the last level */
   UInt dirty[ACCESS_KINDS];    /* of these, such as wrote a dirty line back */
   HierarchyConfig hierarchy;
} SimConfig;

/* Filled before the first translation, then constant. */
extern SimConfig cg2_sim_config;

/* Adds the events and makes the caches, which are empty. */
void cg2_sim_start(void);

/* An access that generated code does not know to hit. */
VG_REGPARM(2) void cg2_sim_access(const Ref* ref, Addr address, void* guest);

#endif
