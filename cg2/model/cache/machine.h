/* A machine: what a model of a machine's caches has for whoever simulates it.
 *
 * A model fills one Machine with its functions. Which machine is simulated is
 * decided once; nobody asks later which it is. Accesses alone are no part of a
 * Machine: they are frequent, so generated code and `accesses` call the
 * functions of each model directly. */
#ifndef CG2_MACHINE_H
#define CG2_MACHINE_H

#include "model/cache/access.h"
#include "model/cache/marked.h"

enum { MACHINE_EVENTS_MAX = 15, MACHINE_EVENT_TEXT = 80 };

/* What an access may cause. */
typedef struct MachineEvent {
   HChar name[16];                    /* a column of the profile: "D1mr" */
   HChar meaning[MACHINE_EVENT_TEXT]; /* the same in words; empty: Callgrind has
                                         the event, too */
   HChar title[20]; /* a name for all kinds of accesses together: "L1 misses" */
   UInt cycles;     /* what the event costs, beyond the instruction */
} MachineEvent;

typedef struct Machine {
   /* Describes what accesses of a kind may cause, from events[0] on: event [i]
      is bit i of an access's outcome. Returns how many events there are, at
      most MACHINE_EVENTS_MAX. */
   UInt (*describe)(AccessKind kind, MachineEvent* events);

   /* The size of the lines that code is fetched in; 0: it is not fetched. And
      of the largest access to data: see cg2_access_data_max(). */
   UWord (*code_line)(void);
   UInt (*data_max)(void);

   /* The first-level cache whose marks accesses of a kind go to; NULL: each
      access has to be made. No function: the machine has no marks. */
   const MarkedCache* (*first)(AccessKind kind);
   /* Where generated code looks up the lines of fetches. No function: in the
      marks. */
   const void* (*known_code)(void);

   /* Lets times begin anew, and forgets all lines. No functions: the machine
      has none. */
   void (*renumber)(void);
   void (*clear)(void);

   /* Ends the use of all lines, as the program ends, or so it seems. No
      function: the machine does not look at use. */
   void (*finish)(void);

   /* Lets core `core`, from 0, make all accesses from now on. No function: the
      machine has one core. */
   void (*run_on)(UInt core);
} Machine;

#endif
