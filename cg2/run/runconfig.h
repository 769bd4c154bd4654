/* What is known of a run before the program's first instruction, by options and
 * by the name that the tool was started by, and what no folder below keeps. */
#ifndef CG2_RUNCONFIG_H
#define CG2_RUNCONFIG_H

#include "base/vg.h"

/* For whom a function toggles collection that does so. */
typedef enum CollectScope {
   SCOPE_THREAD,  /* the thread that runs it */
   SCOPE_PROCESS, /* all threads */
   SCOPE_SESSION  /* all threads, and programs that the process goes on with */
} CollectScope;

/* What a program hands on to the one that replaces it. */
typedef struct SessionState {
   Bool is_instrumented;
   Bool is_inside;  /* a function runs that toggles collection */
   Bool is_flipped; /* requests have toggled collection an odd number of times
                     */
} SessionState;

typedef struct RunConfig {
   Bool is_callgrind; /* the tool's name is that of Callgrind */
   Bool collect_at_start;
   CollectScope scope;
   ULong dump_every;     /* a part is written whenever so many blocks have run;
                            0: never */
   const HChar* machine; /* the name or file that --machine gives, or NULL */
   Bool inherits_instrumentation; /* --instr-atstart=inherit; the first program
                                     of a run is not instrumented */
   Bool has_inherited; /* this program has replaced one that handed its state on
                        */
   SessionState inherited;
} RunConfig;

/* Filled before the first translation, then constant. */
extern RunConfig cg2_run_config;

#endif
