/* What options say about events beside Ir, and the numbers that these events
 * have. */
#ifndef CG2_EVENTSCONFIG_H
#define CG2_EVENTSCONFIG_H

#include "model/callgrind/hierarchy.h"
#include "model/described/processor.h"
#include "model/sweep/sweep.h"

enum { ACCESSES_EVENTS_MAX = 32 };

/* What accesses of one kind count. */
typedef struct AccessEvents {
   UInt access; /* event that each access is; 0: there is none */
   UInt n;      /* events that an access may cause: 0 to ACCESSES_EVENTS_MAX */
   UChar of[ACCESSES_EVENTS_MAX]; /* these events: of[i] is bit i of an access's
                                     outcome */
   const HChar* titles[ACCESSES_EVENTS_MAX]; /* their titles in the summary of a
                                                described machine: see
                                                MachineEvent */
} AccessEvents;

/* Events of cache use: what a line costs whoever loads it, level by level. */
enum { USE_EVENTS = 4 };

/* What is simulated. Options and setup say which machine is, and
 * cg2_accesses_start chooses it. */
typedef struct AccessesConfig {
   Bool is_on;        /* Accesses are looked at, by caches or by sweeps. */
   Bool has_caches;   /* There is a machine, which is one of three: */
   Bool looks_at_use; /* cacheuse, */
   const Processor* processor;    /* a described machine, if not NULL, */
   HierarchyConfig hierarchy;     /* or else the hierarchy. */
   Bool has_cores;                /* Each thread has private caches. */
   ULong layout;                  /* A seed that places memory; 0: none does. */
   Bool forwards;                 /* What is forwarded is counted, */
   struct Forwarding* forwarding; /* in these; else NULL. */
   const Machine* machine;        /* The machine; or one that has no caches. */
   Sweeps sweeps;               /* Caches that are asked beside the machine. */
   UInt use_events[USE_EVENTS]; /* Added by cg2_accesses_start_use. */
   AccessEvents events[ACCESS_KINDS]; /* Added by cg2_accesses_start. */
} AccessesConfig;

typedef struct AllocsConfig {
   Bool is_on;        /* Allocations are counted; set by an option. */
   UInt count, bytes; /* events */
} AllocsConfig;

/* The events of branches of one kind. */
typedef struct BranchEvents {
   UInt all;          /* each branch */
   UInt mispredicted; /* each one that goes elsewhere than predicted */
} BranchEvents;

typedef struct MispredictionsConfig {
   Bool is_on; /* branches are counted; set by an option */
   BranchEvents conditional, indirect;
   BranchEvents returns;       /* see cg2_mispredictions_follows; `all` is 0:
                                  they are not counted */
   const Processor* processor; /* its predictor is asked; NULL: Callgrind's is
                                */
} MispredictionsConfig;

/* The unit of the times of system calls. */
typedef enum SyscallTimes {
   SYSCALLS_OFF, /* system calls are not counted */
   SYSCALLS_MSEC,
   SYSCALLS_USEC,
   SYSCALLS_NSEC, /* the CPU time is an event, too */
} SyscallTimes;

typedef struct SyscallsConfig {
   SyscallTimes times; /* set by an option */
   UInt count, time;   /* events */
   UInt cpu_time;      /* event; 0: not counted */
} SyscallsConfig;

typedef struct EventsConfig {
   AccessesConfig accesses;
   AllocsConfig allocs;
   MispredictionsConfig mispredictions;
   SyscallsConfig syscalls;
} EventsConfig;

/* Filled before the first translation, then constant. */
extern EventsConfig cg2_events_config;

#endif
