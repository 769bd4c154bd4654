/* What options say about events that are counted beside accesses, and the
 * numbers that these events have. */
#ifndef CG2_EVENTSCONFIG_H
#define CG2_EVENTSCONFIG_H

#include "model/described/processor.h"

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
   const Processor* processor; /* its predictor is asked for conditional
                                  branches; NULL: Callgrind's is */
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
   AllocsConfig allocs;
   MispredictionsConfig mispredictions;
   SyscallsConfig syscalls;
} EventsConfig;

/* Filled before the first translation, then constant. */
extern EventsConfig cg2_events_config;

#endif
